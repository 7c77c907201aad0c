#include "app/learn/LessonPicture.h"
#include "app/learn/ScenePainter.h"

#include <QWheelEvent>
#include <QtTest>

#include <cmath>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

using Link = LessonScene::Link;

LessonScene::Value tensor(const QString& name, int elements)
{
    LessonScene::Value value{.name = name, .isTensor = true};
    for (int i = 0; i < elements; ++i)
        value.elements << QStringLiteral("%1.0").arg(i * 7 + 2);
    return value;
}

LessonScene::Value scalar(const QString& name, const QString& text)
{
    return {.name = name, .elements = {text}};
}

LessonScene ranksOf(int count)
{
    LessonScene scene;
    for (int rank = 0; rank < count; ++rank)
        scene.ranks.push_back(
            {.rank = rank,
             .pid = 4000 + rank,
             .line = 12,
             .standing = LessonScene::Standing::InCall,
             .state = QStringLiteral("In call"),
             .detail = QStringLiteral("all_reduce SUM"),
             .values = {tensor(QStringLiteral("tensor"), 4),
                        scalar(QStringLiteral("rank"), QString::number(rank)),
                        scalar(QStringLiteral("left"), QString::number((rank + 1) % count)),
                        scalar(QStringLiteral("master"), QStringLiteral("localhost:29500"))}});
    return scene;
}

/// Each rank has a chunk of its neighbour's.
LessonScene ringOf(int count)
{
    LessonScene scene = ranksOf(count);
    for (int rank = 0; rank < count; ++rank)
        scene.links.push_back({.kind = Link::Kind::Chunk,
                               .from = rank,
                               .to = (rank + 1) % count,
                               .state = QStringLiteral("chunk %1, step 2 of 6").arg(rank),
                               .value = QStringLiteral("[200.0]"),
                               .bytes = 4});
    return scene;
}

LessonScene messagesOf(int count)
{
    LessonScene scene = ranksOf(count);
    const Link::Kind kinds[] = {Link::Kind::Message, Link::Kind::Delivered, Link::Kind::Cycle,
                                Link::Kind::Offered};
    for (int rank = 0; rank < count; ++rank)
        scene.links.push_back({.kind = kinds[rank % 4],
                               .from = rank,
                               .to = (rank + count / 2) % count,
                               .state = QStringLiteral("in flight"),
                               .value = QStringLiteral("[2.0, 9.0, 16.0, 23.0]"),
                               .bytes = 16,
                               .line = 12});
    return scene;
}

LessonScene collectiveOf(int count)
{
    LessonScene scene = ranksOf(count);
    LessonScene::Collective collective{.name = QStringLiteral("all_reduce SUM #1"),
                                       .state = QStringLiteral("4 of 4 entered, 0 back")};
    for (int rank = 0; rank < count; ++rank) {
        collective.members.push_back(rank);
        collective.parts.push_back({.rank = rank,
                                    .gives = QStringLiteral("[2.0, 9.0]"),
                                    .value = QStringLiteral("tensor")});
    }
    scene.collectives.push_back(collective);
    return scene;
}

} // namespace

/// The room in a lesson's picture, by rectangles: nothing hides anything, at any size.
class tst_learn_room : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingHidesABox_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("ranks");
        // Of the picture in windows of 1024, 1280, 1440, 1920 and 2560 pixels.
        for (const QSize size : {QSize(540, 330), QSize(590, 400), QSize(640, 470),
                                 QSize(1100, 640), QSize(1720, 900)})
            for (int ranks = 2; ranks <= 8; ++ranks)
                QTest::addRow("%d x %d, %d ranks", size.width(), size.height(), ranks)
                    << size << ranks;
    }

    void nothingHidesABox()
    {
        QFETCH(const QSize, size);
        QFETCH(const int, ranks);
        for (const LessonScene& scene : {ringOf(ranks), messagesOf(ranks), collectiveOf(ranks)}) {
            for (const double growth : {1.0, 1.5}) {
                const QRectF area({}, size);
                const ScenePainter drawing(scene, area, {.mostGrowth = growth});
                std::vector<QRectF> places;
                for (const SceneLayout::Box& box : drawing.layout().boxes())
                    places.push_back(box.place);
                QCOMPARE(places.size(), scene.ranks.size());
                for (size_t i = 0; i < scene.collectives.size(); ++i)
                    places.push_back(drawing.links().hubOf(i));
                for (const LabelLayout::Label& label : drawing.labels().all())
                    places.push_back(label.place);
                for (size_t i = 0; i < places.size(); ++i) {
                    QVERIFY(area.contains(places[i]));
                    for (size_t j = 0; j < i; ++j)
                        QVERIFY2(!places[i].intersects(places[j]),
                                 qPrintable(QStringLiteral("%1 and %2").arg(j).arg(i)));
                }
            }
        }
    }

    void fourRanksHaveRoomForEveryLabel()
    {
        for (const QSize size : {QSize(540, 330), QSize(640, 470), QSize(1720, 900)}) {
            for (const LessonScene& scene : {ringOf(4), messagesOf(4), collectiveOf(4)}) {
                const ScenePainter drawing(scene, QRectF({}, size), {});
                QCOMPARE(drawing.labels().leftOut(), 0);
            }
        }
    }

    void aListTakesTwoLinesBeforeItIsCut()
    {
        LessonScene scene = collectiveOf(4);
        for (LessonScene::Collective::Part& part : scene.collectives.front().parts) {
            part.isBack = true;
            part.takes = QStringLiteral("[17.0, 170.0, 1700.0, 17000.0]");
        }
        const ScenePainter drawing(scene, QRectF(0, 0, 540, 330), {});
        QCOMPARE(drawing.labels().all().size(), size_t(4));
        bool hasTwo = false;
        for (const LabelLayout::Label& label : drawing.labels().all()) {
            hasTwo = hasTwo || label.lines.size() == 2;
            QCOMPARE(label.lines.join(u' '), QStringLiteral("gets [17.0, 170.0, 1700.0, 17000.0]"));
        }
        QVERIFY(hasTwo);
    }

    /// It would be read as the neighbour's.
    void whatARankGivesStandsAtItsOwnBox()
    {
        for (const QSize size : {QSize(570, 352), QSize(540, 330), QSize(1100, 640)}) {
            for (const int count : {3, 4, 6}) {
                const LessonScene scene = collectiveOf(count);
                const ScenePainter drawing(scene, QRectF({}, size), {});
                for (const LabelLayout::Label& label : drawing.labels().all()) {
                    if (label.rank < 0)
                        continue;
                    const auto away = [&](int rank) {
                        const QRectF box = drawing.layout().boxOf(rank);
                        const QPointF at = label.place.center();
                        return std::hypot(
                            std::max({box.left() - at.x(), 0.0, at.x() - box.right()}),
                            std::max({box.top() - at.y(), 0.0, at.y() - box.bottom()}));
                    };
                    for (int other = 0; other < count; ++other)
                        QVERIFY2(other == label.rank || away(label.rank) + 10 <= away(other),
                                 qPrintable(QStringLiteral("%1 at %2, %3 pixels wide")
                                                .arg(label.rank)
                                                .arg(other)
                                                .arg(size.width())));
                }
            }
        }
    }

    /// Two waits to and fro: each label touches its own arrow and leaves the other in sight.
    void labelsStandAtTheirArrows()
    {
        LessonScene scene = ranksOf(2);
        for (int rank = 0; rank < 2; ++rank)
            scene.links.push_back({.kind = Link::Kind::Cycle,
                                   .from = rank,
                                   .to = 1 - rank,
                                   .state = QStringLiteral("waits in a circle"),
                                   .value = QStringLiteral("send → rank 1: [2.0, 2.0]"),
                                   .bytes = 8,
                                   .line = 11});
        const ScenePainter drawing(scene, QRectF(0, 0, 574, 326), {});
        const LinkLayout& links = drawing.links();
        QCOMPARE(drawing.labels().all().size(), size_t(2));
        for (const LabelLayout::Label& label : drawing.labels().all()) {
            const double way = links.placeOf(static_cast<size_t>(label.link), 0.5).y();
            QVERIFY2(std::abs(label.place.center().y() - way) < label.place.height() / 2 + 20,
                     qPrintable(label.lines.join(u'/')));
            for (const QString& line : label.lines)
                QVERIFY2(!line.contains(u'…'), qPrintable(line));
        }
    }

    void whatStandsOnItsWayIsntHidden()
    {
        const LessonScene scene = messagesOf(4);
        const ScenePainter drawing(scene, QRectF(0, 0, 640, 470), {});
        for (size_t i = 0; i < scene.links.size(); ++i) {
            const Link& link = scene.links[i];
            if (link.kind != Link::Kind::Message && link.kind != Link::Kind::Offered)
                continue;
            QRectF token({}, LinkLayout::tokenSize(drawing.layout().type(), link.value));
            token.moveCenter(drawing.links().placeOf(i, link.way()));
            for (const LabelLayout::Label& label : drawing.labels().all())
                QVERIFY(!label.place.intersects(token));
        }
    }

    /// At less width than they want they need more lines, and there is room for these.
    void aNarrowBoxIsHigherInstead()
    {
        LessonScene scene = ranksOf(2);
        for (LessonScene::Rank& rank : scene.ranks)
            for (int i = 0; i < 2; ++i)
                rank.values.push_back(scalar(QStringLiteral("request%1").arg(i),
                                             QStringLiteral("isend, not waited for by rank 1")));
        const ScenePainter drawing(scene, QRectF(0, 0, 480, 400), {});
        for (const SceneLayout::Box& box : drawing.layout().boxes())
            QVERIFY(box.isWhole());
    }

    /// Once nothing goes to and fro any more, no room is kept for it.
    void atTheEndTheBoxesHaveTheRoom()
    {
        LessonScene scene = ranksOf(4);
        for (LessonScene::Rank& rank : scene.ranks)
            for (int i = 0; i < 8; ++i)
                rank.values.push_back(tensor(QStringLiteral("parts[%1]").arg(i), 8));
        const QRectF area(0, 0, 590, 400);
        const double before = ScenePainter(scene, area, {}).layout().boxSize().height();
        scene.ranks.front().standing = LessonScene::Standing::Finished;
        const ScenePainter ended(scene, area, {});
        QVERIFY(ended.layout().boxSize().height() > before + 20);
        QVERIFY(ended.layout().boxes().front().place.bottom() <
                ended.layout().boxes().back().place.top());
    }

    void noNumberIsCutInTwo()
    {
        const QStringList numbers = QStringLiteral("[2, 3, 5, 7, 11, 13, 17, 19]").split(u' ');
        const std::vector<LessonScene::Value> values{
            scalar(QStringLiteral("PRIMES"), numbers.join(u' '))};
        for (int width = 90; width < 260; width += 3) {
            const ValueLines lines(values, width, SceneType(1));
            QStringList words;
            for (const ValueLines::Line& line : lines.lines())
                for (const ValueLines::Cell& cell : line.cells)
                    words << cell.text.split(u' ', Qt::SkipEmptyParts);
            QCOMPARE(words, QStringList({QStringLiteral("PRIMES"), QStringLiteral("=")}) + numbers);
        }
    }

    void aBoxIsAsLargeAsWhatIsInIt()
    {
        const QRectF area(0, 0, 900, 600);
        LessonScene few = ranksOf(2);
        LessonScene many = ranksOf(2);
        for (LessonScene::Rank& rank : many.ranks)
            for (int i = 0; i < 6; ++i)
                rank.values.push_back(tensor(QStringLiteral("parts[%1]").arg(i), 8));
        const ScenePainter small(few, area, {});
        const ScenePainter large(many, area, {});
        QVERIFY(large.layout().boxSize().height() > small.layout().boxSize().height());
        for (const ScenePainter* drawing : {&small, &large})
            for (const SceneLayout::Box& box : drawing->layout().boxes())
                QVERIFY(box.isWhole());
    }

    void everyElementAndEveryScalarIsInALine()
    {
        const std::vector<LessonScene::Value> values{
            tensor(QStringLiteral("weights"), 40),
            scalar(QStringLiteral("rank"), QStringLiteral("3")),
            scalar(QStringLiteral("note"), QString(200, u'x')),
            scalar(QStringLiteral("left"), QStringLiteral("2"))};
        const SceneType type(1);
        const ValueLines lines(values, 180, type);
        std::vector<int> elements;
        QString scalars;
        for (const ValueLines::Line& line : lines.lines()) {
            for (const ValueLines::Cell& cell : line.cells) {
                QVERIFY(cell.place.right() <= 181);
                if (cell.element >= 0)
                    elements.push_back(cell.element);
                else
                    scalars += cell.text;
            }
        }
        QCOMPARE(elements.size(), size_t(40));
        QVERIFY(std::ranges::is_sorted(elements));
        QVERIFY(scalars.contains(QStringLiteral("rank = 3")));
        QVERIFY(scalars.contains(QString(200, u'x')));
        QVERIFY(scalars.endsWith(QStringLiteral("left = 2")));
    }

    void aRowThatFitsOnlyWithNarrowCellsStaysOneLine()
    {
        LessonScene::Value row = tensor(QStringLiteral("held"), 4);
        row.elements = {QStringLiteral("5.0"), QStringLiteral("30.0"), QStringLiteral("300.0"),
                        QStringLiteral("12000.0")};
        const SceneType type(1);
        const QFontMetricsF metrics(type.valueFont());
        const double cell = metrics.horizontalAdvance(QStringLiteral("12000.0"));
        // Room for three cells of the widest.
        const ValueLines lines({row}, cell * 3.5, type);
        const auto cells = [](const ValueLines::Line& line) { return !line.cells.empty(); };
        QCOMPARE(std::ranges::count_if(lines.lines(), cells), 1);
        QCOMPARE(lines.lines().back().cells.size(), size_t(4));
    }

    void whatHasChangedIsInSightAndTheWheelGetsTheRest()
    {
        LessonScene scene = ranksOf(4);
        for (LessonScene::Rank& rank : scene.ranks) {
            for (int i = 0; i < 30; ++i)
                rank.values.push_back(tensor(QStringLiteral("layer%1").arg(i), 8));
            rank.values.back().isNew = true;
        }
        LessonPicture picture;
        picture.resize(640, 420);
        picture.show(scene);
        const auto box = [&] { return *picture.drawing().layout().find(2); };
        QVERIFY(!box().isWhole());
        QCOMPARE(box().lines.front().name, QStringLiteral("layer29"));
        const QPointF at = picture.boxOf(2).center();
        for (int turn = 0; turn < 200; ++turn) {
            QWheelEvent wheel(at, picture.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, {},
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&picture, &wheel);
        }
        QCOMPARE(box().linesBelow(), size_t(0));
        QVERIFY(box().first > 0);
        // The others stay where they are.
        QCOMPARE(picture.drawing().layout().find(1)->first, size_t(0));
    }

    void boxesDontShrinkWhileARunGoesOn()
    {
        LessonScene scene = ranksOf(2);
        for (LessonScene::Rank& rank : scene.ranks)
            rank.values.push_back(tensor(QStringLiteral("received"), 8));
        LessonPicture picture;
        picture.resize(900, 600);
        picture.show(scene);
        (void)picture.grab();
        const QSizeF before = picture.boxOf(0).size();
        picture.show(ranksOf(2));
        QCOMPARE(picture.boxOf(0).size(), before);
        picture.show(ranksOf(3));
        QVERIFY(picture.boxOf(0).height() < before.height());
    }
};

QTEST_MAIN(tst_learn_room)
#include "tst_learn_room.moc"
