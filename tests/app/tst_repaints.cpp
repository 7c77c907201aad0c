#include "app/jobs/LogView.h"
#include "app/jobs/WorkerTiles.h"
#include "app/model/LogModel.h"
#include "app/model/TimeSpan.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Pill.h"
#include "tests/TestMain.h"
#include "tests/app/JobTest.h"

#include <QHBoxLayout>
#include <QPaintEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// What a widget is asked to do.
class Requests : public QObject
{
public:
    explicit Requests(QWidget& widget) { widget.installEventFilter(this); }

    int layouts = 0;
    QList<QRegion> paints;

    bool eventFilter(QObject* /*watched*/, QEvent* event) override
    {
        if (event->type() == QEvent::LayoutRequest)
            ++layouts;
        if (event->type() == QEvent::Paint)
            paints << static_cast<QPaintEvent*>(event)->region();
        return false;
    }
};

/// Of what a line of the log has, its time is enough to be seen.
QStandardItem* lineWith(const char* time)
{
    auto* line = new QStandardItem;
    line->setData(QString::fromLatin1(time), LogModel::TimeRole);
    return line;
}

/// A label that has what a button leaves.
struct Row
{
    Row()
    {
        auto* layout = new QHBoxLayout(&widget);
        layout->addWidget(label, 1);
        layout->addWidget(badge);
        layout->addWidget(new QPushButton(QStringLiteral("Stop"), &widget));
        label->setText(QStringLiteral("2 ranks, 1:24"));
        badge->setHealth(Health::Running, QStringLiteral("Running"));
        widget.resize(600, 60);
        widget.show();
    }

    QWidget widget;
    ElidedLabel* label = new ElidedLabel(&widget);
    StatusBadge* badge = new StatusBadge(&widget);
};

} // namespace

/// What stays as it is costs nothing: it is neither laid out nor painted again.
class tst_repaints : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void aTimeThatIsCountedMovesNothing()
    {
        Row row;
        QVERIFY(QTest::qWaitForWindowExposed(&row.widget, 60'000));
        QCoreApplication::processEvents();
        Requests requests(row.widget);
        row.label->setText(QStringLiteral("2 ranks, 1:25"));
        row.badge->setHealth(Health::Running, QStringLiteral("Running"));
        QCoreApplication::processEvents();
        QCOMPARE(requests.layouts, 0);
    }

    void aTextThatNeedsMoreRoomMovesTheOthers()
    {
        Row row;
        QVERIFY(QTest::qWaitForWindowExposed(&row.widget, 60'000));
        QCoreApplication::processEvents();
        Requests requests(row.widget);
        row.label->setText(QString(400, u'x'));
        QTRY_VERIFY(requests.layouts > 0);
        const int before = requests.layouts;
        row.badge->setHealth(Health::Hanging, QStringLiteral("Hanging 0:07"));
        QTRY_VERIFY(requests.layouts > before);
    }

    void whereARankIsPaintsThatLineAlone()
    {
        m_dashboard->window.resize(1440, 900); // there is room for where they are
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        auto* tiles = page().findChild<WorkerTiles*>();
        QTRY_VERIFY(tiles->model()->rowCount() > 0);
        RankPlaces places{.attempt = page().run().snapshot().attempt};
        places.places.push_back({.rank = 0,
                                 .kind = ledger::OperationKind::AllReduce,
                                 .number = 7,
                                 .isInside = true,
                                 .sinceNs = SystemClock().now().monotonicNs});
        m_dashboard->cluster.setPlaces(run, places);
        Requests requests(*tiles->viewport());
        const int tile = tiles->visualRect(tiles->model()->index(0, 0)).height();
        const auto isALine = [tile](const QRegion& painted) {
            return painted.boundingRect().height() < tile / 2;
        };
        QTRY_VERIFY2(
            std::ranges::any_of(requests.paints, isALine),
            qPrintable(
                QStringLiteral("%1 paintings, tiles of %2").arg(requests.paints.size()).arg(tile)));
    }

    /// A second is less than a pixel of an hour.
    void theTimeAxisGrowsWhereThatIsSeen()
    {
        RunModel run("r");
        const Moment now = SystemClock().now();
        constexpr std::int64_t Hour = 3'600'000'000'000;
        const Moment begin{now.wallNs - Hour, now.monotonicNs - Hour};
        run.apply({Event{.runSequence = 1,
                         .at = begin,
                         .body = WorkerStateChanged{0, 0, 0, 1000, WorkerState::Healthy}}});
        TimeSpan span(run);
        QSignalSpy changed(&span, &TimeSpan::changed);
        span.grow();
        QCOMPARE(changed.count(), 1);
        span.grow();
        QCOMPARE(changed.count(), 1);
    }

    void aLineOfTheLogIsSetOnce()
    {
        QStandardItemModel lines;
        for (const char* text : {"one", "two"})
            lines.appendRow(lineWith(text));
        LogView view;
        view.setModel(&lines);
        view.resize(400, 200);
        const LogRowLayout* first = &view.layoutOf(lines.index(0, 0));
        const int width = first->width();
        lines.appendRow(lineWith("three"));
        QCOMPARE(&view.layoutOf(lines.index(0, 0)), first);
        lines.item(0)->setData(QStringLiteral("one that is longer"), LogModel::TimeRole);
        QVERIFY(view.layoutOf(lines.index(0, 0)).width() > width);
        lines.insertRow(0, lineWith("0"));
        QVERIFY(view.layoutOf(lines.index(0, 0)).width() < width);
        const int withTime = view.layoutOf(lines.index(2, 0)).width();
        view.setShowsTimes(false);
        QVERIFY(view.layoutOf(lines.index(2, 0)).width() < withTime);
    }
};

QTEST_MAIN(tst_repaints)
#include "tst_repaints.moc"
