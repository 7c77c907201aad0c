#include "app/learn/LaneView.h"
#include "app/learn/LearnPage.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/ProgramEditor.h"
#include "app/learn/QuestionPanel.h"
#include "app/learn/SceneLayout.h"
#include "app/learn/SceneTableModel.h"
#include "app/main/Pages.h"
#include "app/widget/Banner.h"
#include "app/widget/Toast.h"
#include "engine/lesson/Pack.h"
#include "tests/app/CutTexts.h"
#include "tests/app/LearnTest.h"
#include "tests/lesson/Steps.h"

#include <QAbstractItemModelTester>
#include <QFileDialog>
#include <QImageReader>
#include <QLineEdit>
#include <QTableView>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;
using ringmaster::test::CallSetting;
using ringmaster::test::callStep;
using ringmaster::test::lineStep;
using ringmaster::test::tensorOf;

/// What the Learn page draws of a moment, and its twin table.
class tst_learn_picture : public LearnTest
{
    Q_OBJECT

private Q_SLOTS:
    void aMessageIsShownWithItsBytesAndValues()
    {
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), lineStep(0, 9, {tensorOf("outgoing", {"2.0", "3.0"})}),
                 lineStep(1, 9),
                 callStep(0, 1,
                          {.operation = "send",
                           .peer = 1,
                           .inputs = {tensorOf("outgoing", {"2.0", "3.0"})}})});
        // Its wait and its message are one arrow.
        QTRY_COMPARE(scene().links.size(), size_t(1));
        const LessonScene::Link& wait = scene().links.front();
        QCOMPARE(wait.kind, LessonScene::Link::Kind::Wait);
        QCOMPARE(wait.state, QStringLiteral("waits"));
        QCOMPARE(wait.value, QStringLiteral("send → rank 1: [2.0, 3.0]"));
        QCOMPARE(wait.bytes, quint64(8));
        QCOMPARE(scene().ranks[0].standing, LessonScene::Standing::Blocked);
        QCOMPARE(scene().ranks[0].values.front().elements,
                 (QStringList{QStringLiteral("2.0"), QStringLiteral("3.0")}));
        QVERIFY(m_learn->tableHas(QStringLiteral("send → rank 1: [2.0, 3.0]")));
    }

    void aCircleOfWaitsIsMarkedWithItsLines()
    {
        QVERIFY(m_learn->deadlock());
        QTRY_VERIFY(!scene().findings.isEmpty());
        QVERIFY2(scene().findings.front().startsWith(QStringLiteral("Deadlock: rank 0")),
                 qPrintable(scene().findings.front()));
        QVERIFY(
            scene().findings.front().contains(QStringLiteral("line %1").arg(m_learn->sendLine())));
        QCOMPARE(std::ranges::count(scene().links, LessonScene::Link::Kind::Cycle,
                                    &LessonScene::Link::kind),
                 2);
        QCOMPARE(scene().links.size(), size_t(2));
        QCOMPARE(editor()->troubles().size(), size_t(2));
        QCOMPARE(editor()->troubles().front().line, m_learn->sendLine());
    }

    /// With several groups and full boxes, in small and large areas.
    void theGroupsNamesCoverNoBox()
    {
        LessonScene four;
        for (int rank = 0; rank < 4; ++rank)
            four.ranks.push_back(
                {.rank = rank,
                 .values = std::vector<LessonScene::Value>(
                     8, {.name = QStringLiteral("gradient"),
                         .elements = {QStringLiteral("2.0"), QStringLiteral("3.0")}})});
        for (const char* name : {"node0", "node1", "leaders", "all"})
            four.groups.push_back(
                {.name = QLatin1String(name), .members = {0, 1, 2, 3}, .line = 12});
        for (const QSizeF& size : {QSizeF(480, 260), {700, 420}, {1500, 900}}) {
            const QRectF area({}, size);
            const SceneLayout layout(four, area, {.mostGrowth = 1.6});
            const auto& entries = layout.legend().entries();
            QVERIFY(!entries.empty());
            if (size.width() > 600)
                QCOMPARE(entries.size(), four.groups.size());
            for (const GroupLegend::Entry& entry : entries) {
                QVERIFY(area.contains(entry.place));
                for (const SceneLayout::Box& box : layout.boxes())
                    QVERIFY(!box.place.intersects(entry.place));
            }
        }
    }

    void aCollectiveShowsWhoHasCome()
    {
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9),
                 callStep(0, 1,
                          {.operation = "all_reduce",
                           .inputs = {tensorOf("t", {"2.0"})},
                           .outputs = {tensorOf("t", {})},
                           .reduction = "SUM"})});
        QTRY_COMPARE(scene().collectives.size(), size_t(1));
        QVERIFY(scene().collectives.front().partOf(0) != nullptr);
        QVERIFY(scene().collectives.front().partOf(1) == nullptr);
        QCOMPARE(scene().collectives.front().partOf(0)->gives, QStringLiteral("[2.0]"));
        QVERIFY(scene().collectives.front().state.startsWith(QStringLiteral("1 of 2 entered")));
        QVERIFY2(scene().origin.contains(QStringLiteral("isn't measured")),
                 qPrintable(scene().origin));
    }

    void theRingsChunksAreThoseThatTheBackendTold()
    {
        QVERIFY(m_learn->launch());
        LessonStep chunk{.globalRank = 1, .kind = LessonStep::Kind::Chunk};
        chunk.chunk = {.operation = "all_reduce",
                       .algorithm = "ring",
                       .sequence = 1,
                       .step = 0,
                       .chunk = 1,
                       .from = 0,
                       .to = 1,
                       .bytes = 4,
                       .before = {"3.0"},
                       .after = {"5.0"},
                       .group = "default",
                       .arrived = {"2.0"}};
        const CallSetting reduce{.operation = "all_reduce", .reduction = "SUM"};
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), callStep(0, 1, reduce),
                 callStep(1, 1, reduce), chunk});
        QTRY_COMPARE(m_page->player().size(), size_t(5));
        const auto link = std::ranges::find(scene().links, LessonScene::Link::Kind::Chunk,
                                            &LessonScene::Link::kind);
        QVERIFY(link != scene().links.end());
        QCOMPARE(link->value, QStringLiteral("[2.0]"));
        QCOMPARE(link->bytes, quint64(4));
        QVERIFY2(scene().title.endsWith(QStringLiteral("held [3.0] + arrived [2.0] = now [5.0]")),
                 qPrintable(scene().title));
        QCOMPARE(scene().ranks[1].values.front().elements,
                 (QStringList{QStringLiteral("·"), QStringLiteral("5.0")}));
        QCOMPARE(scene().ranks[0].values.front().elements,
                 (QStringList{QStringLiteral("·"), QStringLiteral("·")}));
        // What is told further on says what was held all the time.
        LessonStep back = chunk;
        back.globalRank = 0;
        back.chunk.from = 1;
        back.chunk.to = 0;
        back.chunk.chunk = 0;
        back.chunk.before = {"20.0"};
        back.chunk.arrived = {"30.0"};
        back.chunk.after = {"50.0"};
        publish({back});
        QTRY_COMPARE(m_page->player().size(), size_t(6));
        m_page->player().go(4);
        QTRY_COMPARE(scene().ranks[0].values.front().elements,
                     (QStringList{QStringLiteral("20.0"), QStringLiteral("·")}));
    }

    void theRingIsShownStepByStep()
    {
        QVERIFY(m_learn->launch());
        LessonStep chunk{.globalRank = 1, .kind = LessonStep::Kind::Chunk, .atNs = 1};
        chunk.chunk = {.operation = "all_reduce",
                       .algorithm = "ring",
                       .sequence = 1,
                       .step = 0,
                       .chunk = 0,
                       .from = 0,
                       .to = 1,
                       .bytes = 4,
                       .before = {"3.0"},
                       .after = {"5.0"},
                       .group = "default",
                       .arrived = {"2.0"}};
        LessonStep next = chunk;
        next.globalRank = 0;
        next.atNs = 2;
        next.chunk.step = 1;
        next.chunk.from = 1;
        next.chunk.to = 0;
        next.chunk.before = {"2.0"};
        next.chunk.arrived = next.chunk.after = {"5.0"};
        const CallSetting reduce{.operation = "all_reduce", .reduction = "SUM"};
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), callStep(0, 1, reduce),
                 callStep(1, 1, reduce), chunk, next});
        QTRY_COMPARE(m_page->player().size(), size_t(6));
        QTRY_VERIFY(button("Ring") != nullptr);
        QTest::mouseClick(button("Ring"), Qt::LeftButton);
        auto* table = m_dashboard->find<QTableView>(
            QStringLiteral("What came to each rank in each step of the ring"));
        QAbstractItemModel* model = table->model();
        QCOMPARE(model->rowCount(), 2);
        QCOMPARE(model->columnCount(), 2);
        QCOMPARE(model->index(0, 1).data().toString(),
                 QStringLiteral("chunk 0 from rank 0: held [3.0] + arrived [2.0] = now [5.0]"));
        QCOMPARE(table->currentIndex(), model->index(1, 0));
        // A click leads to the moment; what came later is still empty there.
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(model->index(0, 1)).center());
        QCOMPARE(m_page->player().position(), size_t(4));
        QVERIFY(model->index(1, 0).data().toString().isEmpty());
        QCOMPARE(table->currentIndex(), model->index(0, 1));
    }

    void theLanesLeadToTheirMoments()
    {
        QVERIFY(m_learn->launch());
        std::vector<EventBody> bodies{attemptOf(2)};
        for (int i = 0; i < 6; ++i) {
            LessonStep step = lineStep(i % 2, 9 + i);
            step.atNs = 1'000'000'000 + i * 100'000'000LL;
            step.isFree = true;
            bodies.emplace_back(step);
        }
        publish(bodies);
        QTRY_COMPARE(m_page->player().size(), size_t(6));
        auto* lanes = m_page->findChild<LaneView*>();
        QTRY_VERIFY(lanes->isVisible());
        const double x = lanes->xOf(250'000'000);
        QTest::mouseClick(lanes, Qt::LeftButton, {},
                          QPointF(x, lanes->laneOf(1).center().y()).toPoint());
        QCOMPARE(m_page->player().position(), size_t(2));
    }

    /// Rank 0 computes for 40 ms and rank 1 for 300; before, the reader thought for a second.
    void whatTheReaderHoldsIsNoComputing()
    {
        QVERIFY(m_learn->launch());
        constexpr std::int64_t Ms = 1'000'000;
        const auto held = [](int rank, int line, std::int64_t ms) {
            LessonStep step = lineStep(rank, line);
            step.atNs = (1000 + ms) * Ms;
            step.isHeld = true;
            return step;
        };
        LessonStep again = held(0, 10, 1040);
        again.letGo = {{0, 2000 * Ms}, {1, 2000 * Ms}};
        publish({attemptOf(2), held(0, 9, 0), held(1, 9, 0), again, held(1, 10, 1300)});
        QTRY_COMPARE(m_page->player().size(), size_t(4));
        auto* lanes = m_page->findChild<LaneView*>();
        QTRY_VERIFY(lanes->isVisible());
        const auto at = [&](int rank, std::int64_t ms) {
            return lanes->textAt({lanes->xOf(ms * Ms), lanes->laneOf(rank).center().y()});
        };
        QCOMPARE(at(0, 10), QStringLiteral("rank 0: held by the reader, 1.0 s"));
        QCOMPARE(at(0, 40), QStringLiteral("rank 0: computes, 40.0 ms"));
        QCOMPARE(at(0, 200), QStringLiteral("rank 0: held by the reader, 260 ms"));
        QCOMPARE(at(1, 200), QStringLiteral("rank 1: computes, 300 ms"));
        QVERIFY(lanes->textAt({1, 1}).isEmpty());
        QVERIFY(lanes->accessibleDescription().contains(
            QStringLiteral("rank 1: computes 300 ms, held by the reader 1.0 s")));
        // Held is drawn, and isn't drawn as computing is.
        const QImage image = lanes->grab().toImage();
        const auto colours = [&](int rank, std::int64_t from, std::int64_t to) {
            std::set<QRgb> found;
            const int y = static_cast<int>(lanes->laneOf(rank).center().y());
            for (double x = lanes->xOf(from * Ms) + 2; x < lanes->xOf(to * Ms) - 2; ++x)
                found.insert(image.pixel(static_cast<int>(x), y));
            return found;
        };
        QCOMPARE(colours(1, 20, 320).size(), size_t(1));
        QVERIFY(colours(0, 60, 320).size() > 1);
        // In the table of steps, too.
        StepTableModel steps;
        steps.show(m_page->player().run());
        const auto cell = [&](int row, int role = Qt::DisplayRole) {
            return steps.index(row, StepTableModel::Held).data(role).toString();
        };
        QCOMPARE(cell(1), QString());
        QCOMPARE(cell(2), QStringLiteral("1.0 s"));
        QCOMPARE(cell(3, Qt::ToolTipRole),
                 QStringLiteral("The reader held the rank for 1.0 s before this step"));
        save(QStringLiteral("learn-held"));
        m_dashboard->theme.setMode(Theme::Mode::Dark);
        m_dashboard->language.choose(Language::Choice::Japanese);
        QTRY_VERIFY(lanes->accessibleDescription().contains(QStringLiteral("ゲートで停止中")));
        save(QStringLiteral("learn-held-ja"));
        m_dashboard->theme.setMode(Theme::Mode::Light);
    }

    void whatARankHeldIsShownAfterItsEnd()
    {
        QVERIFY(m_learn->launch());
        const auto inside = [](int line, std::vector<LessonValue> values) {
            LessonStep step = lineStep(0, line, std::move(values));
            step.depth = 1;
            step.function = "run";
            return step;
        };
        LessonStep back = callStep(0, 1, {.operation = "recv", .outputs = {tensorOf("t", {"5.0"})}},
                                   LessonStep::Kind::Return, 6);
        back.depth = 1;
        const LessonStep end{.globalRank = 0, .kind = LessonStep::Kind::Finish, .line = 9};
        publish({attemptOf(2), lineStep(0, 8, {tensorOf("old", {"1.0"})}), lineStep(1, 8),
                 inside(5, {tensorOf("t", {"0.0"})}), inside(6, {tensorOf("u", {"7.0"})}), back,
                 lineStep(0, 9, {{.name = "old", .kind = LessonValue::Kind::Gone}}), end});
        QTRY_COMPARE(m_page->player().size(), size_t(7));
        QTRY_COMPARE(scene().ranks[0].standing, LessonScene::Standing::Finished);
        const auto& values = scene().ranks[0].values;
        QCOMPARE(values.size(), size_t(2));
        QCOMPARE(values[0].name, QStringLiteral("t"));
        QCOMPARE(values[0].elements, QStringList{QStringLiteral("5.0")});
        QCOMPARE(values[1].name, QStringLiteral("u"));
    }

    void aHubNamesEachOperationWhereTheMembersDisagree()
    {
        QVERIFY(m_learn->launch());
        const CallSetting reduce{
            .operation = "all_reduce", .members = {0, 1, 2}, .reduction = "SUM"};
        publish({attemptOf(3), lineStep(0, 9), lineStep(1, 9), lineStep(2, 9),
                 callStep(0, 1, reduce), callStep(1, 1, reduce),
                 callStep(2, 1, {.operation = "barrier", .members = {0, 1, 2}})});
        QTRY_COMPARE(m_page->player().size(), size_t(6));
        QTRY_COMPARE(scene().collectives.size(), size_t(1));
        QCOMPARE(scene().collectives.front().name, QStringLiteral("all_reduce SUM / barrier #1"));
        QCOMPARE(scene().collectives.front().state,
                 QStringLiteral("all_reduce SUM: ranks 0, 1; barrier: rank 2"));
    }

    void thePictureAndItsTablesHaveOneSelection()
    {
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9)});
        QTRY_COMPARE(m_page->player().size(), size_t(2));
        auto* picture = m_page->findChild<LessonPicture*>();
        QTest::mouseClick(picture, Qt::LeftButton, {}, picture->boxOf(1).center().toPoint());
        QCOMPARE(picture->selectedRank(), 1);
        QTest::mouseClick(button("Table"), Qt::LeftButton);
        auto* table = m_dashboard->find<QTableView>(QStringLiteral("The ranks, as a table"));
        QCOMPARE(table->currentIndex().data(SceneTableModel::RankRole).toInt(), 1);
        table->selectRow(0);
        QCOMPARE(picture->selectedRank(), 0);
        QTest::mouseClick(button("Steps"), Qt::LeftButton);
        auto* steps = m_dashboard->find<QTableView>(QStringLiteral("Steps of the recording"));
        QTest::mouseClick(steps->viewport(), Qt::LeftButton, {},
                          steps->visualRect(steps->model()->index(0, 0)).center());
        QCOMPARE(m_page->player().position(), size_t(0));
    }

    void theModelsKeepTheirPromises()
    {
        SceneTableModel scenes;
        const QAbstractItemModelTester sceneTester(
            &scenes, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(m_learn->deadlock());
        QTRY_VERIFY(!scene().findings.isEmpty());
        scenes.show(scene());
        // Two ranks, and one wait of each.
        QVERIFY(scenes.rowCount() >= 4);
        scenes.show({});
        QCOMPARE(scenes.rowCount(), 0);
        StepTableModel steps;
        const QAbstractItemModelTester stepTester(
            &steps, QAbstractItemModelTester::FailureReportingMode::QtTest);
        steps.show(m_page->player().run());
        QCOMPARE(steps.rowCount(), 4);
        steps.show(nullptr);
        QCOMPARE(steps.rowCount(), 0);
    }

    void groupsAreDrawnWithTheNamesThatTheProgramGivesThem()
    {
        QVERIFY(m_learn->launch());
        const LessonValue even{.name = "even", .type = "ProcessGroup", .elements = {"ranks 0, 2"}};
        CallSetting made{.operation = "new_group", .members = {0, 2}};
        LessonStep back = callStep(0, 1, made, LessonStep::Kind::Return, 11);
        back.call.group = "1";
        publish({attemptOf(3), lineStep(0, 11), lineStep(1, 11), lineStep(2, 11),
                 callStep(0, 1, made, LessonStep::Kind::Call, 11), back, lineStep(0, 12, {even})});
        QTRY_COMPARE(scene().groups.size(), size_t(1));
        QTRY_COMPARE(scene().groups.front().name, QStringLiteral("even"));
        QCOMPARE(scene().groups.front().members, (std::vector<int>{0, 2}));
        QCOMPARE(scene().groups.front().line, 11);
        QVERIFY(m_learn->tableHas(QStringLiteral("even")));
        QVERIFY(m_learn->tableHas(QStringLiteral("0, 2")));
        // Before the variable has it, and after the function that has it is left.
        m_page->player().go(4);
        QTRY_COMPARE(scene().groups.front().name, QStringLiteral("even"));
        publish({lineStep(0, 20, {{.name = "even", .kind = LessonValue::Kind::Gone}})});
        QTRY_COMPARE(m_page->player().size(), size_t(7));
        m_page->player().go(6);
        QTRY_COMPARE(scene().groups.front().name, QStringLiteral("even"));
    }

    void aBufferThatIsTouchedTooEarlyIsMarkedInThePicture()
    {
        QVERIFY(m_learn->launch());
        const CallSetting send{.operation = "isend",
                               .peer = 1,
                               .isAsync = true,
                               .inputs = {tensorOf("tensor", {"2.0", "3.0"})}};
        LessonStep early = callStep(0, 1, {}, LessonStep::Kind::Hazard, 10);
        early.text = "written";
        early.call.inputs = {tensorOf("tensor", {})};
        publish({attemptOf(2), lineStep(0, 9, {tensorOf("tensor", {"2.0", "3.0"})}), lineStep(1, 9),
                 callStep(0, 1, send), callStep(0, 1, send, LessonStep::Kind::Return),
                 lineStep(0, 10), early});
        const auto warning = [this] {
            return scene().ranks.empty() || scene().ranks[0].values.empty()
                       ? QString()
                       : scene().ranks[0].values.front().warning;
        };
        QTRY_COMPARE(warning(), QStringLiteral("written before wait(), line 10"));
        QVERIFY(m_learn->tableHas(QStringLiteral("▲ written before wait(), line 10")));
        QCOMPARE(scene().links.front().state, QStringLiteral("▲ touched too early"));
        // Once it is waited for, everything is allowed.
        CallSetting wait = send;
        wait.operation = "wait";
        wait.isAsync = false;
        wait.waitsFor = 1;
        publish({callStep(0, 2, wait), callStep(0, 2, wait, LessonStep::Kind::Return)});
        QTRY_VERIFY(warning().isEmpty());
    }

    void whatEachRankBringsAndTakesIsDrawn_data()
    {
        QTest::addColumn<QByteArray>("operation");
        QTest::addColumn<QStringList>("gives");
        QTest::addColumn<QStringList>("gets");
        // Rank 0 is the root.
        const QString in = QStringLiteral("[2.0]");
        const QString out = QStringLiteral("[7.0]");
        QTest::newRow("broadcast")
            << QByteArray("broadcast") << QStringList{in, {}} << QStringList{out, out};
        QTest::newRow("gather") << QByteArray("gather") << QStringList{in, in}
                                << QStringList{out, {}};
        QTest::newRow("reduce") << QByteArray("reduce") << QStringList{in, in}
                                << QStringList{out, {}};
        for (const char* operation :
             {"scatter", "all_gather", "reduce_scatter", "all_to_all_single"})
            QTest::newRow(operation)
                << QByteArray(operation) << QStringList{in, in} << QStringList{out, out};
    }

    void whatEachRankBringsAndTakesIsDrawn()
    {
        QFETCH(const QByteArray, operation);
        QFETCH(const QStringList, gives);
        QFETCH(const QStringList, gets);
        QVERIFY(m_learn->launch());
        const CallSetting call{.operation = operation.toStdString(),
                               .peer = 0,
                               .inputs = {tensorOf("t", {"2.0"})},
                               .outputs = {tensorOf("u", {"7.0"})}};
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), callStep(0, 1, call),
                 callStep(1, 1, call), callStep(0, 1, call, LessonStep::Kind::Return),
                 callStep(1, 1, call, LessonStep::Kind::Return)});
        QTRY_COMPARE(m_page->player().size(), size_t(6));
        QCOMPARE(scene().collectives.size(), size_t(1));
        for (int rank = 0; rank < 2; ++rank) {
            const LessonScene::Collective::Part* part = scene().collectives.front().partOf(rank);
            QVERIFY(part != nullptr && part->isBack);
            QCOMPARE(part->gives, gives[rank]);
            QCOMPARE(part->takes, gets[rank]);
        }
    }

    void thePictureIsSavedAsPngAndSvg_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("png") << QStringLiteral("moment.png");
        QTest::newRow("svg") << QStringLiteral("moment.svg");
    }

    void thePictureIsSavedAsPngAndSvg()
    {
        QFETCH(const QString, name);
        QVERIFY(m_learn->deadlock());
        m_learn->actionOf("Save the picture…")->trigger();
        auto* dialog = m_page->findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        const QString path = m_folder.filePath(name);
        dialog->findChild<QLineEdit*>()->setText(path);
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->window.toast().text(),
                                  QStringLiteral("Saved ") + path, LearnWindow::Patience);
        QImageReader reader(path);
        const QImage image = reader.read();
        QVERIFY2(!image.isNull(), qPrintable(reader.errorString()));
        QVERIFY(image.width() >= m_page->findChild<LessonPicture*>()->width());
    }
};

QTEST_MAIN(tst_learn_picture)
#include "tst_learn_picture.moc"
