#include "app/model/SeriesLooks.h"
#include "app/widget/PlotLegend.h"
#include "app/widget/PlotRange.h"
#include "app/widget/PlotView.h"
#include "app/widget/Theme.h"

#include <QAbstractAxis>
#include <QAccessible>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QFile>
#include <QFileDialog>
#include <QLineSeries>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <set>

using namespace ringmaster::app;

namespace {

QString plain(double value)
{
    return axisNumber(value);
}

PlotAxis linear(double from, double to)
{
    PlotAxis axis{.from = from, .to = to, .text = plain};
    axis.ticks = [to](int most) { return thinnedTicks(linearTicks(to, 5, plain), most); };
    return axis;
}

PlotAxis powersOfTwo(double from, double to)
{
    PlotAxis axis{.scale = PlotAxis::Scale::Logarithmic, .from = from, .to = to, .text = plain};
    axis.ticks = [from, to](int most) { return powerTicks(from, to, 2, most, plain); };
    return axis;
}

PlotSeries wave(const QString& name, int points, SeriesLook look = {})
{
    PlotSeries series{.name = name, .look = look};
    for (int i = 0; i < points; ++i)
        series.points.emplace_back(i, 5 + 3 * std::sin(i * 0.7));
    return series;
}

int ofColor(const QImage& image, const QColor& color, const QRect& within)
{
    int count = 0;
    for (int y = within.top(); y <= within.bottom(); ++y) {
        for (int x = within.left(); x <= within.right(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                                 std::abs(pixel.blue() - color.blue()) <
                             40
                         ? 1
                         : 0;
        }
    }
    return count;
}

/// What the lines of the grid take together: of all items, those that are long and thin.
QRectF gridOf(const QChartView& view)
{
    QRectF grid;
    for (const QGraphicsItem* item : view.scene()->items()) {
        const auto* line = dynamic_cast<const QGraphicsLineItem*>(item);
        if (line == nullptr || !line->isVisible() || line->line().isNull())
            continue;
        const QRectF place(line->mapToScene(line->line().p1()),
                           line->mapToScene(line->line().p2()));
        if (std::max(place.width(), place.height()) >= 60)
            grid |= place.normalized();
    }
    return grid;
}

/// Edges from light to dark within one pixel, as letters have them.
int sharpEdges(const QImage& image)
{
    int edges = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 1; x < image.width(); ++x)
            edges +=
                std::abs(qGray(image.pixel(x, y)) - qGray(image.pixel(x - 1, y))) > 100 ? 1 : 0;
    }
    return edges;
}

} // namespace

/// The chart that all pages share: what it draws, and how it is used.
class tst_plot_view : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
    }

    void cleanupTestCase() { m_theme.reset(); }

    void init()
    {
        m_view = std::make_unique<PlotView>();
        m_view->resize(640, 320);
        m_view->setAccessibleName(QStringLiteral("Speed"));
    }

    void cleanup() { m_view.reset(); }

    /// A grid line is where its axis begins, in whatever size.
    void theGridFollowsThePlotAtOnce()
    {
        m_view->setSeries({wave(QStringLiteral("a"), 40)});
        m_view->setAxes(linear(0, 39), linear(0, 10));
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get(), 60'000));
        const auto* chart = m_view->findChild<QChartView*>();
        QTRY_VERIFY(!chart->chart()->plotArea().isEmpty());
        for (const QSize& size :
             {QSize(640, 320), {300, 160}, {900, 500}, {420, 240}, {900, 240}}) {
            m_view->resize(size);
            QVERIFY2(m_view->canvas()->rect().contains(m_view->plotRect()),
                     qPrintable(QString::number(size.width())));
            QCOMPARE(chart->chart()->plotArea().toRect(), m_view->plotRect());
            // But for a pixel by which lines stand on the edge.
            const QSizeF beyond = gridOf(*chart).size() - QSizeF(m_view->plotRect().size());
            QVERIFY2(std::abs(beyond.width()) <= 2 && std::abs(beyond.height()) <= 2,
                     qPrintable(QStringLiteral("%1 x %2 at %3")
                                    .arg(beyond.width())
                                    .arg(beyond.height())
                                    .arg(size.width())));
        }
    }

    void ticksOfARangeAreRoundAndFew()
    {
        const auto ticks = [](double from, double to) {
            QStringList labels;
            for (const PlotTick& tick : rangeTicks(from, to, 5, plain))
                labels.append(tick.label);
            return labels;
        };
        QCOMPARE(ticks(0.12, 0.31).join(u' '), QStringLiteral("0.15 0.2 0.25 0.3"));
        QCOMPARE(ticks(-30, 70).join(u' '), QStringLiteral("-20 0 20 40 60"));
        QVERIFY(ticks(1, 1).isEmpty() && ticks(2, 1).isEmpty());
        QVERIFY(ticks(-1e308, 1e308).isEmpty());
        QVERIFY(ticks(1e300, std::nextafter(1e300, 2e300)).size() <= 7);
    }

    void ticksOfTimeAreThoseOfAClock()
    {
        const auto steps = [](double to) {
            QStringList labels;
            for (const PlotTick& tick : clockTicks(to, 6, plain))
                labels.append(tick.label);
            return labels.join(u' ');
        };
        QCOMPARE(steps(240), QStringLiteral("0 60 120 180 240"));
        QCOMPARE(steps(130), QStringLiteral("0 30 60 90 120"));
        QCOMPARE(steps(80), QStringLiteral("0 15 30 45 60 75"));
        QCOMPARE(steps(4), QStringLiteral("0 1 2 3 4"));
        QVERIFY(steps(0).isEmpty() && steps(NAN).isEmpty());
        QCOMPARE(clockStep(0.03), 0.05);
        QCOMPARE(clockStep(21), 30.0);
        constexpr double Day = 24 * 3600;
        QCOMPARE(clockStep(Day / 2 + 1), Day);
        QCOMPARE(clockStep(3 * Day), 5 * Day);
    }

    void aColumnOfPixelsHasItsLeastAndItsGreatestPoint()
    {
        PlotSeries series;
        for (int i = 0; i < 30'000; ++i)
            series.points.emplace_back(i, i == 12'345 ? 90 : i == 20'001 ? -40 : std::sin(i * 0.1));
        constexpr int Columns = 300;
        const PlotLine line(series, linear(0, 30'000), linear(-50, 100), Columns);
        QCOMPARE(line.pieces().size(), size_t{1});
        const PlotLine::Piece& drawn = line.pieces().front();
        QVERIFY(drawn.size() <= 2 * Columns);
        std::map<int, int> perColumn;
        for (size_t i = 0; i < drawn.size(); ++i) {
            QVERIFY(i == 0 || drawn[i].x() > drawn[i - 1].x());
            QVERIFY(++perColumn[static_cast<int>(drawn[i].x() * Columns)] <= 2);
        }
        const auto byHeight = [](const QPointF& one, const QPointF& other) {
            return one.y() < other.y();
        };
        const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end(), byHeight);
        QCOMPARE(least->y(), linear(-50, 100).fractionOf(-40));
        QCOMPARE(most->y(), linear(-50, 100).fractionOf(90));
        QCOMPARE(most->x(), 12'345.0 / 30'000);
    }

    void fewPointsAreAllDrawn()
    {
        const PlotSeries series = wave(QStringLiteral("a"), 40);
        const PlotLine line(series, linear(0, 40), linear(0, 10), 300);
        QCOMPARE(line.pieces().front().size(), size_t{40});
    }

    void aLineBreaksWhereItIsToldTo()
    {
        PlotSeries series{.name = QStringLiteral("a"), .breaks = {0.5, 3.5, 3.6, 90}};
        for (int x = 1; x <= 6; ++x)
            series.points.emplace_back(x, 5);
        const PlotLine line(series, linear(0, 10), linear(0, 10), 300);
        QCOMPARE(line.pieces().size(), size_t{2});
        QCOMPARE(line.pieces().front().back().x(), 0.3);
        QCOMPARE(line.pieces().back().front().x(), 0.4);
    }

    void whereNothingWasMeasuredNothingIsDrawn()
    {
        PlotSeries series{.name = QStringLiteral("a"), .longestGap = 2};
        for (int i = 0; i <= 100; ++i) {
            if (i <= 30 || i >= 70)
                series.points.emplace_back(i, 5);
        }
        m_view->setSeries({series});
        m_view->setAxes(linear(0, 100), linear(0, 10));
        show();
        QTRY_VERIFY(lines().size() == 1 && lines()[0]->count() == 63);
        const QList<QPointF> points = lines()[0]->points();
        QCOMPARE(std::count_if(points.begin(), points.end(),
                               [](const QPointF& point) { return std::isnan(point.x()); }),
                 1);
        const QImage picture = m_view->picture(1);
        const QRect plot =
            m_view->plotRect().translated(m_view->canvas()->mapTo(m_view.get(), QPoint()));
        const auto part = [&plot](double from, double to) {
            return QRect(QPoint(plot.left() + int(plot.width() * from), plot.center().y() - 6),
                         QPoint(plot.left() + int(plot.width() * to), plot.center().y() + 6));
        };
        const QColor color = seriesColor({}, themeTokens());
        QVERIFY(ofColor(picture, color, part(0.1, 0.25)) > 20);
        QCOMPARE(ofColor(picture, color, part(0.35, 0.65)), 0);
        QVERIFY(ofColor(picture, color, part(0.75, 0.95)) > 20);
    }

    void aLineThatLeavesTheAxisEndsAtItsEdge()
    {
        PlotSeries series;
        for (int i = 0; i <= 10; ++i)
            series.points.emplace_back(i * 1e12, i);
        const PlotLine line(series, linear(2.5e12, 4.5e12), linear(0, 10), 500);
        const PlotLine::Piece& piece = line.pieces().front();
        QCOMPARE(piece.front(), QPointF(0, 0.25));
        QCOMPARE(piece.back(), QPointF(1, 0.45));
        QCOMPARE(piece.size(), size_t{4});
    }

    /// A job's times are nanoseconds since the machine's start; a millisecond of them can be shown.
    void amongLargeTimesAMillisecondHasItsPlaces()
    {
        constexpr double Day = 8.64e13;
        const PlotAxis axis = linear(40 * Day, 40 * Day + 1e6);
        QVERIFY(std::abs(axis.fractionOf(40 * Day + 2.5e5) - 0.25) < 1e-6);
    }

    void logarithmicAxesHaveNamedPowersAtEqualSteps()
    {
        PlotSeries series{.name = QStringLiteral("ring")};
        for (double bytes = 8; bytes <= 1 << 20; bytes *= 2)
            series.points.emplace_back(bytes, bytes == 1024 ? 0 : bytes);
        PlotAxis sizes = powersOfTwo(8, 1 << 20);
        sizes.ticks = [](int most) {
            return powerTicks(8, 1 << 20, 2, most, [](double bytes) {
                return bytes >= 1024 ? axisNumber(bytes / 1024) + QLatin1Char('K')
                                     : axisNumber(bytes);
            });
        };
        m_view->setSeries({series});
        m_view->setAxes(sizes, powersOfTwo(8, 1 << 20));
        show();
        QTRY_VERIFY(lines().size() == 1 && lines()[0]->count() > 0);
        const QList<QPointF> points = lines()[0]->points();
        QCOMPARE(points.front(), QPointF(0, 0));
        QCOMPARE(points.back(), QPointF(1, 1));
        QVERIFY(std::abs(points[1].x() - 1.0 / 17) < 1e-9);
        // What has no logarithm interrupts the line, and nothing more.
        QCOMPARE(points.size(), 18);
        QCOMPARE(std::count_if(points.begin(), points.end(),
                               [](const QPointF& point) { return std::isnan(point.x()); }),
                 1);
        auto* axis = qobject_cast<QCategoryAxis*>(chart()->axes(Qt::Horizontal).front());
        QVERIFY(axis != nullptr);
        QCOMPARE(axis->categoriesLabels().front(), QStringLiteral("8"));
        QVERIFY2(axis->categoriesLabels().contains(QStringLiteral("2K")),
                 qPrintable(axis->categoriesLabels().join(u' ')));
    }

    void numbersBesideAnAxisHaveNoExponent()
    {
        QCOMPARE(axisNumber(1e-5), QStringLiteral("0.00001"));
        QCOMPARE(axisNumber(0.25), QStringLiteral("0.25"));
        QCOMPARE(axisNumber(20), QStringLiteral("20"));
        QCOMPARE(axisNumber(12.345), QStringLiteral("12.3"));
        QCOMPARE(axisNumber(1e6), QLocale().toString(1'000'000));
        QCOMPARE(axisNumber(0), QStringLiteral("0"));
    }

    void dashesFollowTheAxisWhateverTheLineDoes()
    {
        PlotLine::Piece jagged;
        for (int i = 0; i <= 100; ++i)
            jagged.emplace_back(i, i % 2 == 0 ? 0 : 1000);
        double drawn = 0;
        for (const PlotLine::Piece& part : cutIntoDashes(jagged, {6, 4})) {
            QVERIFY(part.back().x() - part.front().x() <= 6 + 1e-9);
            drawn += part.back().x() - part.front().x();
        }
        QCOMPARE(drawn, 60.0);
    }

    void looksDifferInOneThingEach()
    {
        std::set<QRgb> colors;
        for (const char* backend : {"ring", "nccl", "gloo", "mpi", "ucc", "xccl", "what"})
            colors.insert(seriesColor({.color = backendColor(backend)}, themeTokens()).rgb());
        QCOMPARE(colors.size(), size_t{7});
        std::set<std::vector<double>> patterns;
        for (const char* collective : {"all_reduce", "all_gather", "reduce_scatter", "broadcast",
                                       "reduce", "all_to_all", "gather", "scatter", "sendrecv"})
            patterns.insert(seriesDashes({.line = collectiveLine(collective)}));
        QCOMPARE(patterns.size(), size_t{9});
        QCOMPARE(collectiveLine("all_gather_into_tensor"), collectiveLine("all_gather"));
    }

    void anEntryOfTheLegendHidesItsLine()
    {
        m_view->setSeries({wave(QStringLiteral("a"), 50), wave(QStringLiteral("b"), 50)});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        show();
        QTRY_VERIFY(lines().size() == 2 && lines()[1]->count() > 0);
        QTest::mouseClick(entry(1), Qt::LeftButton);
        QVERIFY(!m_view->isShown(1));
        QTRY_COMPARE(lines()[1]->count(), 0);
        QVERIFY(lines()[0]->count() > 0);
        // It stays hidden when other lines come.
        m_view->setSeries({wave(QStringLiteral("new"), 50), wave(QStringLiteral("a"), 60),
                           wave(QStringLiteral("b"), 60)});
        QTRY_VERIFY(lines().size() == 3 && lines()[1]->count() > 0);
        QVERIFY(m_view->isShown(0) && m_view->isShown(1) && !m_view->isShown(2));
        QVERIFY(!entry(2)->isChecked());
        // By keyboard: Tab comes to one entry, the arrows go to the others.
        entry(0)->setFocus();
        QTest::keyClick(entry(0), Qt::Key_Right);
        QTest::keyClick(m_view->window()->focusWidget(), Qt::Key_Right);
        QCOMPARE(m_view->window()->focusWidget(), entry(2));
        QTest::keyClick(entry(2), Qt::Key_Space);
        QVERIFY(m_view->isShown(2));
        QTRY_VERIFY(lines()[2]->count() > 0);
        QCOMPARE(QAccessible::queryAccessibleInterface(entry(2))->text(QAccessible::Name),
                 QStringLiteral("b"));
        QVERIFY(QAccessible::queryAccessibleInterface(entry(2))->state().checked);
    }

    void theCrossHairReadsAllLines()
    {
        PlotSeries limit{
            .name = QStringLiteral("best"), .points = {{0, 9}, {50, 9}}, .isLimit = true};
        m_view->setSeries({wave(QStringLiteral("a"), 50), wave(QStringLiteral("b"), 50), limit});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        show();
        QTRY_VERIFY(m_view->plotRect().isValid());
        const QRect plot = m_view->plotRect();
        point({plot.left() + plot.width() / 5, plot.center().y()});
        QStringList lines = m_view->readingText().split(u'\n');
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[0], QStringLiteral("10"));
        QCOMPARE(lines[1], QStringLiteral("a: %1").arg(axisNumber(5 + 3 * std::sin(7.0))));
        QCOMPARE(lines[3], QStringLiteral("best: 9"));
        m_view->setShown(0, false);
        QCOMPARE(m_view->readingText().split(u'\n').size(), 3);
        // Of points that are far apart, the nearer one; where nothing was measured, nothing.
        m_view->setSeries({{.name = QStringLiteral("c"), .points = {{0, 1}, {5, 2}, {40, 3}}},
                           {.name = QStringLiteral("d"), .points = wave({}, 51).points}});
        point({plot.left() + plot.width() * 3 / 50, plot.center().y()});
        QVERIFY2(m_view->readingText().contains(QStringLiteral("c: 2")),
                 qPrintable(m_view->readingText()));
        point({plot.left() + plot.width() * 22 / 50, plot.center().y()});
        QVERIFY2(!m_view->readingText().contains(QStringLiteral("c: ")),
                 qPrintable(m_view->readingText()));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(m_view->canvas(), &leave);
        QVERIFY(m_view->readingText().isEmpty());
    }

    void theKeyboardStepsFromPointToPoint()
    {
        m_view->setSeries({wave(QStringLiteral("a"), 50)});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        show();
        m_view->setFocus();
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QVERIFY2(m_view->readingText().startsWith(QStringLiteral("0\n")),
                 qPrintable(m_view->readingText()));
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QVERIFY2(m_view->readingText().startsWith(QStringLiteral("2\n")),
                 qPrintable(m_view->readingText()));
        QTest::keyClick(m_view.get(), Qt::Key_End);
        QVERIFY(m_view->readingText().startsWith(QStringLiteral("49\n")));
        QTest::keyClick(m_view.get(), Qt::Key_Left);
        QVERIFY(m_view->readingText().startsWith(QStringLiteral("48\n")));
        const QString words =
            QAccessible::queryAccessibleInterface(m_view.get())->text(QAccessible::Description);
        QVERIFY2(words.startsWith(QStringLiteral("48, a: ")), qPrintable(words));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(m_view->readingText().isEmpty());
    }

    void screenReadersHearWhatTheLinesShow()
    {
        m_view->setSeries({wave(QStringLiteral("a"), 50), {.name = QStringLiteral("b")}});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        m_view->setShown(0, true);
        QAccessibleInterface* read = QAccessible::queryAccessibleInterface(m_view.get());
        QCOMPARE(read->role(), QAccessible::Chart);
        QCOMPARE(read->text(QAccessible::Name), QStringLiteral("Speed"));
        const QString words = read->text(QAccessible::Description);
        QVERIFY2(words.startsWith(QStringLiteral("a: 2.05 to 7.99, last 5.76; ")),
                 qPrintable(words));
        QVERIFY2(words.endsWith(QStringLiteral("b: nothing measured")), qPrintable(words));
        m_view->setShown(0, false);
        QVERIFY(read->text(QAccessible::Description).startsWith(QStringLiteral("a: hidden")));
    }

    void theWheelIsForThePageAround()
    {
        QScrollArea area;
        auto* tall = new QWidget;
        tall->setFixedSize(600, 2000);
        PlotRange range;
        auto* view = new PlotView(tall);
        view->setGeometry(0, 0, 600, 300);
        view->setSeries({wave(QStringLiteral("a"), 50)});
        view->setAxes(linear(0, 50), linear(0, 10));
        const RangeGestures gestures(range, RangeGestures::BareKeys::Drawing, view->canvas(), view,
                                     [view] { return view->plotRect(); });
        area.setWidget(tall);
        area.resize(640, 400);
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area, 60'000));
        QTRY_VERIFY(view->plotRect().isValid());
        wheel(view->canvas(), -120, Qt::NoModifier);
        QVERIFY(area.verticalScrollBar()->value() > 0);
        QVERIFY(range.showsAll());
        const int before = area.verticalScrollBar()->value();
        wheel(view->canvas(), 120, Qt::ControlModifier);
        QVERIFY(!range.showsAll());
        QCOMPARE(area.verticalScrollBar()->value(), before);
    }

    void rangesLeadBackStepByStep()
    {
        PlotRange range;
        QSignalSpy changed(&range, &PlotRange::changed);
        range.select(0.2, 0.6);
        const PlotRange::Part chosen = range.shown();
        QVERIFY(std::abs(chosen.from - 0.2) < 1e-9 && std::abs(chosen.to - 0.6) < 1e-9);
        range.zoom(2, 0.5);
        range.zoom(2, 0.5);
        range.pan(0.1);
        QVERIFY(std::abs(range.shown().to - range.shown().from - 0.1) < 1e-9);
        QVERIFY(range.goBack());
        QCOMPARE(range.shown(), chosen);
        QVERIFY(range.goBack());
        QVERIFY(range.showsAll());
        QVERIFY(!range.goBack());
        range.select(0.5, 0.5);
        QVERIFY(range.shown().to > range.shown().from);
        range.showAll();
        QVERIFY(range.showsAll() && !range.goBack());
        QCOMPARE(changed.count(), 8);
    }

    void draggingSelectsAndADoubleClickLeadsBack()
    {
        PlotRange range;
        m_view->setSeries({wave(QStringLiteral("a"), 50)});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        const RangeGestures gestures(range, RangeGestures::BareKeys::Drawing, m_view->canvas(),
                                     m_view.get(), [this] { return m_view->plotRect(); });
        show();
        QTRY_VERIFY(m_view->plotRect().isValid());
        const QRect plot = m_view->plotRect();
        const auto at = [&plot](double fraction) {
            return QPoint(plot.left() + int(plot.width() * fraction), plot.center().y());
        };
        QTest::mousePress(m_view->canvas(), Qt::LeftButton, {}, at(0.25));
        move(at(0.4));
        move(at(0.5));
        QTest::mouseRelease(m_view->canvas(), Qt::LeftButton, {}, at(0.5));
        QVERIFY(std::abs(range.shown().from - 0.25) < 0.01);
        QVERIFY(std::abs(range.shown().to - 0.5) < 0.01);
        QTest::mouseDClick(m_view->canvas(), Qt::LeftButton, {}, at(0.5));
        QVERIFY(range.showsAll());
        m_view->setFocus();
        QTest::keyClick(m_view.get(), Qt::Key_Plus);
        QVERIFY(!range.showsAll());
        const PlotRange::Part near = range.shown();
        QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(range.shown().from > near.from);
        QTest::keyClick(m_view.get(), Qt::Key_Backspace);
        QVERIFY(range.showsAll());
    }

    void aThemeRecoloursEverything()
    {
        m_view->setSeries({wave(QStringLiteral("a"), 50)});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        show();
        QTRY_COMPARE(lines().size(), 1);
        QTRY_COMPARE(lines()[0]->color(), lightTokens().running.fill);
        m_theme->setMode(Theme::Mode::Dark);
        QTRY_COMPARE(lines()[0]->color(), darkTokens().running.fill);
        QAbstractAxis* axis = chart()->axes(Qt::Horizontal).front();
        QCOMPARE(axis->labelsColor(), darkTokens().mutedText);
        QCOMPARE(axis->gridLineColor(), darkTokens().grid);
        m_theme->setMode(Theme::Mode::Light);
        QTRY_COMPARE(lines()[0]->color(), lightTokens().running.fill);
    }

    void thePlotKeepsItsPlaceWhileValuesChange()
    {
        m_view->setSeries({wave(QStringLiteral("a"), 50)});
        m_view->setAxes(linear(0, 50), linear(0, 2500));
        show();
        QTRY_COMPARE(lines().size(), 1);
        const QRect plot = m_view->plotRect();
        QCOMPARE(chart()->plotArea(), QRectF(plot));
        for (const double top : {0.25, 8.0, 800.0}) {
            m_view->setAxes(linear(0, 50 + top), linear(0, top));
            auto* axis = qobject_cast<QCategoryAxis*>(chart()->axes(Qt::Vertical).front());
            QTRY_COMPARE(axis->categoriesLabels().last(), axisNumber(top));
            QCOMPARE(m_view->plotRect(), plot);
            QCOMPARE(chart()->plotArea(), QRectF(plot));
        }
    }

    void aBurstOfUpdatesIsDrawnOnce()
    {
        m_view->setSeries({wave(QStringLiteral("a"), 50)});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        show();
        QTRY_COMPARE(lines().size(), 1);
        QSignalSpy replaced(lines()[0], &QXYSeries::pointsReplaced);
        for (int i = 51; i < 251; ++i)
            m_view->setSeries({wave(QStringLiteral("a"), i)});
        QVERIFY(replaced.wait(60'000));
        QCOMPARE(replaced.count(), 1);
        // Nobody looks: nothing is drawn until somebody does.
        m_view->hide();
        for (int i = 1; i < 50; ++i)
            m_view->setSeries({wave(QStringLiteral("a"), i)});
        QVERIFY(!replaced.wait(300));
        m_view->show();
        QTRY_COMPARE(replaced.count(), 2);
        QCOMPARE(lines()[0]->count(), 49);
    }

    void picturesAreSharpAndHaveTheLegend()
    {
        m_view->setSeries({wave(QStringLiteral("all_reduce"), 50),
                           wave(QStringLiteral("broadcast"), 50, {.line = 3, .shape = 3})});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        show();
        QTRY_COMPARE(lines().size(), 2);
        const QImage fine = m_view->picture(3);
        QCOMPARE(fine.size(), m_view->size() * 3);
        QCOMPARE(fine.pixelColor(2, 2), themeTokens().card);
        const QImage blown =
            m_view->picture(1).scaled(fine.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        QVERIFY2(sharpEdges(fine) > 2 * sharpEdges(blown) && sharpEdges(fine) > 100,
                 qPrintable(QStringLiteral("%1 %2").arg(sharpEdges(fine)).arg(sharpEdges(blown))));
        const QByteArray svg = m_view->drawing();
        for (const char* word : {"all_reduce", "broadcast", ">10<", ">50<", "<svg"})
            QVERIFY2(svg.contains(word), word);
        QVERIFY(svg.contains(seriesColor({}, themeTokens()).name().toUtf8()));
    }

    void theMenuSavesWhatIsShown()
    {
        m_view->setSeries({wave(QStringLiteral("a"), 50)});
        m_view->setAxes(linear(0, 50), linear(0, 10));
        m_view->setCsv([] { return QByteArray("x,y\n1,2\n"); });
        show();
        const QTemporaryDir folder;
        QSignalSpy told(m_view.get(), &PlotView::told);
        const auto saved = [&](const char* words, const char* name) {
            const QString path = folder.filePath(QLatin1String(name));
            QContextMenuEvent byKey(QContextMenuEvent::Keyboard, {}, {});
            QCoreApplication::sendEvent(m_view.get(), &byKey);
            auto* menu = m_view->findChild<QMenu*>();
            for (QAction* action : menu->actions()) {
                if (action->text().contains(QLatin1String(words)))
                    action->trigger();
            }
            menu->close();
            delete menu;
            const QPointer<QFileDialog> dialog = m_view->findChild<QFileDialog*>();
            if (dialog == nullptr)
                return QByteArray();
            dialog->selectFile(path);
            QMetaObject::invokeMethod(dialog, "accept");
            told.wait(30'000);
            delete dialog;
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QCOMPARE(saved("CSV", "a.csv"), QByteArray("x,y\n1,2\n"));
        QVERIFY(told.last().first().toString().contains(QStringLiteral("a.csv")));
        QCOMPARE(QImage::fromData(saved("PNG", "a.png")).size(), m_view->size() * 2);
        QVERIFY(saved("SVG", "a.svg").contains("<svg"));
    }

private:
    void show()
    {
        m_view->show();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get(), 60'000));
    }

    QChart* chart() { return m_view->findChild<QChartView*>()->chart(); }

    QList<QLineSeries*> lines()
    {
        QList<QLineSeries*> found;
        for (QAbstractSeries* series : chart()->series())
            found << qobject_cast<QLineSeries*>(series);
        return found;
    }

    PlotLegendEntry* entry(int series)
    {
        return m_view->findChildren<PlotLegendEntry*>().at(series);
    }

    void point(const QPoint& at) { move(at, Qt::NoButton); }

    void move(const QPoint& at, Qt::MouseButtons buttons = Qt::LeftButton)
    {
        QMouseEvent event(QEvent::MouseMove, at, m_view->canvas()->mapToGlobal(at), Qt::NoButton,
                          buttons, Qt::NoModifier);
        QCoreApplication::sendEvent(m_view->canvas(), &event);
    }

    static void wheel(QWidget* widget, int by, Qt::KeyboardModifiers modifiers)
    {
        const QPointF at = widget->rect().center();
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, by}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        // What a program sends isn't passed on to parents; what a mouse does is.
        QSpontaneKeyEvent::setSpontaneous(&event);
        qApp->notify(widget, &event);
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<PlotView> m_view;
};

QTEST_MAIN(tst_plot_view)
#include "tst_plot_view.moc"
