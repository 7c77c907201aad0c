#include "app/learn/LearnPage.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/ProgramEditor.h"
#include "app/learn/QuestionPanel.h"
#include "app/learn/SceneTableModel.h"
#include "app/main/Pages.h"
#include "app/widget/Banner.h"
#include "app/widget/Toast.h"
#include "engine/lesson/Pack.h"
#include "tests/app/Window.h"
#include "tests/lesson/Steps.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;
using ringmaster::test::callStep;
using ringmaster::test::lineStep;
using ringmaster::test::tensorOf;

namespace {

constexpr auto Run = "launched";
constexpr int Patience = 60'000;

AttemptStarted attemptOf(int ranks)
{
    AttemptStarted attempt{.worldSize = ranks};
    for (int rank = 0; rank < ranks; ++rank)
        attempt.workers.push_back({.localRank = rank, .globalRank = rank});
    return attempt;
}

} // namespace

/// The Learn page over made-up steps: what it shows of a moment, and what moves what.
class tst_learn : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        useTemporarySettings();
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_state.path()));
    }

    void init()
    {
        m_dashboard = std::make_unique<Window>(pages());
        m_dashboard->language.choose(Language::Choice::English);
        m_dashboard->window.resize(1280, 800);
        m_dashboard->window.show();
        m_page = m_dashboard->window.findChild<LearnPage*>();
        QVERIFY(QTest::qWaitForWindowActive(&m_dashboard->window));
        QTest::keyClick(&m_dashboard->window, Qt::Key_3, Qt::ControlModifier);
        QTRY_VERIFY(m_page->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(m_page->lessons().rowCount() > 0, Patience);
        m_page->chooseLesson("deadlock");
    }

    void cleanup() { m_dashboard.reset(); }

    void theLessonsAreListedInEitherOrder()
    {
        auto* list = m_dashboard->find<QListView>(QStringLiteral("Lessons"));
        const QAbstractItemModelTester tester(
            list->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const LessonListModel& lessons = m_page->lessons();
        QCOMPARE(lessons.lessonAt(0).pack.name, std::string("process-rank-world-size"));
        QTest::mouseClick(button("Collectives first"), Qt::LeftButton);
        QVERIFY(lessons.rowOf("all-reduce") < lessons.rowOf("send-recv"));
        QCOMPARE(list->currentIndex().row(), lessons.rowOf("deadlock"));
    }

    void runLaunchesTheProgramAsItIsInTheEditor()
    {
        editor()->setPlainText(QStringLiteral("print(1)\n"));
        launch();
        const JobSpec spec = m_dashboard->cluster.launched().back();
        QFile program(QString::fromStdString(spec.roles.front().program));
        QVERIFY(program.open(QIODevice::ReadOnly));
        QCOMPARE(program.readAll(), QByteArray("print(1)\n"));
        QCOMPARE(spec.roles.front().workers.number, 2);
    }

    void atTheEndAStepMovesTheProcessesAndInThePastTheRecording()
    {
        launch();
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), lineStep(0, 10)});
        QTRY_COMPARE(m_page->player().size(), size_t(3));
        const size_t moves = m_dashboard->cluster.commands().size();
        press(Qt::Key_Left);
        press(Qt::Key_Left);
        QCOMPARE(m_page->player().position(), size_t(0));
        QVERIFY(label("the past"));
        press(Qt::Key_Right);
        QCOMPARE(m_page->player().position(), size_t(1));
        m_dashboard->cluster.settle();
        QCOMPARE(m_dashboard->cluster.commands().size(), moves);
        press(Qt::Key_End);
        press(Qt::Key_Right);
        press(Qt::Key_1);
        QTRY_COMPARE(m_dashboard->cluster.commands().size(), moves + 2);
        const auto all = std::get<MoveLesson>(m_dashboard->cluster.commands()[moves].second);
        QCOMPARE(all, (MoveLesson{.move = MoveLesson::Move::Step}));
        const auto one = std::get<MoveLesson>(m_dashboard->cluster.commands()[moves + 1].second);
        QCOMPARE(one, (MoveLesson{.move = MoveLesson::Move::Step, .ranks = {1}}));
    }

    void spacePlaysAndPausesAndTheKeysGoToTheEnds()
    {
        launch();
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), lineStep(0, 10)});
        QTRY_COMPARE(m_page->player().size(), size_t(3));
        press(Qt::Key_Space);
        QTRY_COMPARE(lastMove().move, MoveLesson::Move::Play);
        press(Qt::Key_Space);
        QTRY_COMPARE(lastMove().move, MoveLesson::Move::Hold);
        press(Qt::Key_B);
        QTRY_COMPARE(lastMove().move, MoveLesson::Move::ToBlocked);
        press(Qt::Key_Home);
        QCOMPARE(m_page->player().position(), size_t(0));
        press(Qt::Key_E);
        QTRY_COMPARE(lastMove().move, MoveLesson::Move::ToEnd);
    }

    void eachRankHasItsPointerAtItsLine()
    {
        launch();
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 12)});
        QTRY_COMPARE(editor()->pointers(), (std::vector<int>{9, 12}));
        press(Qt::Key_Left);
        QTRY_COMPARE(editor()->pointers(), (std::vector<int>{9, 0}));
    }

    void aMessageIsShownWithItsBytesAndValues()
    {
        launch();
        publish({attemptOf(2), lineStep(0, 9, {tensorOf("outgoing", {"2.0", "3.0"})}),
                 lineStep(1, 9),
                 callStep(0, 1,
                          {.operation = "send",
                           .peer = 1,
                           .inputs = {tensorOf("outgoing", {"2.0", "3.0"})}})});
        QTRY_COMPARE(scene().links.size(), size_t(2));
        const LessonScene::Link& message = scene().links.front();
        QCOMPARE(message.kind, LessonScene::Link::Kind::Offered);
        QCOMPARE(message.value, QStringLiteral("[2.0, 3.0]"));
        QCOMPARE(message.bytes, quint64(8));
        QCOMPARE(scene().ranks[0].standing, LessonScene::Standing::Blocked);
        QCOMPARE(scene().ranks[0].values.front().elements,
                 (QStringList{QStringLiteral("2.0"), QStringLiteral("3.0")}));
        QVERIFY(tableHas(QStringLiteral("[2.0, 3.0]")));
    }

    void aCircleOfWaitsIsMarkedWithItsLines()
    {
        deadlock();
        QTRY_VERIFY(!scene().findings.isEmpty());
        QVERIFY2(scene().findings.front().startsWith(QStringLiteral("Deadlock: rank 0")),
                 qPrintable(scene().findings.front()));
        QVERIFY(scene().findings.front().contains(QStringLiteral("line %1").arg(sendLine())));
        QCOMPARE(std::ranges::count(scene().links, LessonScene::Link::Kind::Cycle,
                                    &LessonScene::Link::kind),
                 2);
        QCOMPARE(editor()->troubles().size(), size_t(2));
        QCOMPARE(editor()->troubles().front().line, sendLine());
    }

    void aCollectiveShowsWhoHasCome()
    {
        launch();
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9),
                 callStep(0, 1,
                          {.operation = "all_reduce",
                           .inputs = {tensorOf("t", {"2.0"})},
                           .outputs = {tensorOf("t", {})},
                           .reduction = "SUM"})});
        QTRY_COMPARE(scene().meetings.size(), size_t(1));
        QCOMPARE(scene().meetings.front().entered, std::vector<int>{0});
        QVERIFY(scene().meetings.front().state.startsWith(QStringLiteral("1 of 2 entered")));
        QVERIFY2(scene().origin.contains(QStringLiteral("isn't measured")),
                 qPrintable(scene().origin));
    }

    void theRingsChunksAreThoseThatTheBackendTold()
    {
        launch();
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
                       .after = {"5.0"}};
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), chunk});
        QTRY_COMPARE(m_page->player().size(), size_t(3));
        const auto link = std::ranges::find(scene().links, LessonScene::Link::Kind::Chunk,
                                            &LessonScene::Link::kind);
        QVERIFY(link != scene().links.end());
        QCOMPARE(link->value, QStringLiteral("[5.0], before [3.0]"));
        QCOMPARE(link->bytes, quint64(4));
        QCOMPARE(scene().ranks[1].values.front().elements,
                 (QStringList{QStringLiteral("·"), QStringLiteral("5.0")}));
        QCOMPARE(scene().ranks[0].values.front().elements,
                 (QStringList{QStringLiteral("·"), QStringLiteral("·")}));
    }

    void anErrorStandsAtItsLineOnItsRank()
    {
        launch();
        LessonStep error = lineStep(1, 11);
        error.kind = LessonStep::Kind::Error;
        error.text = "ValueError: no";
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), error});
        QTRY_COMPARE(editor()->troubles().size(), size_t(1));
        QCOMPARE(editor()->troubles().front().line, 11);
        QCOMPARE(editor()->troubles().front().rank, 1);
        QCOMPARE(scene().ranks[1].standing, LessonScene::Standing::Failed);
    }

    void withoutTorchThePageSaysWhatToDo()
    {
        launch();
        LessonStep error = lineStep(0, 2);
        error.kind = LessonStep::Kind::Error;
        error.text = "ModuleNotFoundError: No module named 'torch'";
        publish({attemptOf(2), lineStep(0, 2), error});
        QTRY_VERIFY(m_page->findChild<Banner*>()->isVisible());
        QVERIFY(m_page->findChild<Banner*>()->text().contains(QStringLiteral("pip install torch")));
    }

    void aPredictionIsJudgedWhenTheRunGetsThere()
    {
        launch();
        auto* panel = m_page->findChild<QuestionPanel*>();
        QTest::mouseClick(button("No"), Qt::LeftButton);
        QTRY_VERIFY(panel->isPredicted(0));
        deadlockSteps();
        QTRY_COMPARE(m_page->player().size(), size_t(4));
        endRun();
        QTRY_VERIFY(panel->isAnswered(0));
        QVERIFY(label("Not so"));
        QTRY_VERIFY(scene().findings.front().startsWith(QStringLiteral("Deadlock")));
    }

    void aRightAnswerIsKept()
    {
        launch();
        QTest::mouseClick(button("Yes"), Qt::LeftButton);
        deadlockSteps();
        endRun();
        QTRY_VERIFY(m_page->findChild<QuestionPanel*>()->isAnswered(0));
        QVERIFY(label("Right"));
        QTRY_VERIFY(lesson::Progress::load().isAnswered("deadlock", 0));
    }

    void aFaultAsksFirstAndThenGoesToItsRank()
    {
        launch();
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9)});
        QTRY_COMPARE(m_page->player().size(), size_t(2));
        QAction* fault = faultOf("Kill the worker (SIGKILL)", 1);
        QVERIFY(fault != nullptr);
        const size_t before = m_dashboard->cluster.commands().size();
        fault->trigger();
        auto* question = m_page->findChild<QMessageBox*>(QStringLiteral("predictFault"));
        QVERIFY(question != nullptr);
        m_dashboard->cluster.settle();
        QCOMPARE(m_dashboard->cluster.commands().size(), before);
        for (QAbstractButton* choice : question->buttons()) {
            if (choice->text() == QLatin1String("The program fails"))
                QTest::mouseClick(choice, Qt::LeftButton);
        }
        QTRY_COMPARE(m_dashboard->cluster.commands().size(), before + 1);
        const auto sent = std::get<InjectFault>(m_dashboard->cluster.commands().back().second);
        QCOMPARE(sent.kind, InjectFault::Kind::Kill);
        QCOMPARE(sent.globalRank, 1);
        publish({WorkerExited{.globalRank = 1, .status = {.signal = 9}},
                 RunStateChanged{.state = RunState::Failed}});
        m_dashboard->cluster.endRun(Run);
        QTRY_COMPARE(m_dashboard->window.toast().text(),
                     QStringLiteral("As you said: the program fails."));
    }

    void aRecordedRunOpensWithoutRunningAnything()
    {
        const size_t launches = m_dashboard->cluster.launched().size();
        const auto text = lesson::packText(*lesson::findPack("deadlock"));
        QVERIFY(text.has_value());
        RunSummary summary;
        summary.id = "recorded";
        summary.name = "deadlock";
        summary.state = RunState::Stopped;
        m_dashboard->cluster.setRun(summary);
        publishTo("recorded", {LessonStarted{.pack = *text,
                                             .program = "deadlock.py",
                                             .source = "# as it ran\n",
                                             .backend = "gloo",
                                             .ranks = 2,
                                             .isHeld = true},
                               attemptOf(2), lineStep(0, 9), lineStep(1, 9), lineStep(0, 10)});
        m_dashboard->cluster.endRun("recorded");
        QTRY_VERIFY(m_dashboard->bridge.find("recorded") != nullptr);
        m_page->chooseLesson("send-recv");
        m_dashboard->window.showRun(QStringLiteral("recorded"));
        QTRY_COMPARE(editor()->toPlainText(), QStringLiteral("# as it ran\n"));
        QTRY_COMPARE(m_page->player().size(), size_t(3));
        press(Qt::Key_Left);
        QCOMPARE(m_page->player().position(), size_t(1));
        press(Qt::Key_End);
        press(Qt::Key_Right);
        m_dashboard->cluster.settle();
        QCOMPARE(m_dashboard->cluster.launched().size(), launches);
        QVERIFY(m_dashboard->cluster.commands().empty());
    }

    void thePictureAndItsTablesHaveOneSelection()
    {
        launch();
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
        deadlock();
        QTRY_VERIFY(!scene().findings.isEmpty());
        scenes.show(scene());
        QVERIFY(scenes.rowCount() > 4);
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

private:
    ProgramEditor* editor() { return m_page->findChild<ProgramEditor*>(); }
    const LessonScene& scene() { return m_page->findChild<LessonPicture*>()->scene(); }

    QAbstractButton* button(const char* text)
    {
        for (QAbstractButton* button : m_page->findChildren<QAbstractButton*>()) {
            if (button->isVisible() && button->text() == QLatin1String(text))
                return button;
        }
        return nullptr;
    }

    QAction* faultOf(const char* kind, int rank)
    {
        for (QToolButton* button : m_page->findChildren<QToolButton*>()) {
            if (button->menu() == nullptr || !button->text().startsWith(QStringLiteral("Inject")))
                continue;
            Q_EMIT button->menu()->aboutToShow();
            for (QAction* action : button->menu()->actions()) {
                if (action->text() == QLatin1String(kind))
                    return action->menu()->actions().at(rank);
            }
        }
        return nullptr;
    }

    bool label(const char* part)
    {
        for (const QLabel* label : m_page->findChildren<QLabel*>()) {
            if (label->isVisible() && label->text().contains(QLatin1String(part)))
                return true;
        }
        return false;
    }

    bool tableHas(const QString& text)
    {
        auto* model =
            m_dashboard->find<QTableView>(QStringLiteral("The ranks, as a table"))->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, SceneTableModel::Value).data().toString() == text)
                return true;
        }
        return false;
    }

    void press(Qt::Key key)
    {
        m_page->findChild<LessonPicture*>()->setFocus();
        QTest::keyClick(&m_dashboard->window, key);
    }

    MoveLesson lastMove()
    {
        const auto commands = m_dashboard->cluster.commands();
        return commands.empty() ? MoveLesson{} : std::get<MoveLesson>(commands.back().second);
    }

    /// A run that has begun: its agent is there.
    void launch()
    {
        const size_t before = m_dashboard->cluster.launched().size();
        QTest::mouseClick(button("Run"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->cluster.launched().size(), before + 1, Patience);
        publish({LessonStarted{.source = editor()->toPlainText().toStdString(),
                               .backend = "gloo",
                               .ranks = 2,
                               .isHeld = true}});
        QTRY_VERIFY(m_page->player().run()->recording().started().has_value());
    }

    void publish(const std::vector<EventBody>& bodies) { publishTo(Run, bodies); }

    void publishTo(const char* run, const std::vector<EventBody>& bodies)
    {
        for (const EventBody& body : bodies)
            m_dashboard->cluster.publish(run, Moment{}, body);
    }

    void deadlock()
    {
        launch();
        deadlockSteps();
    }

    int sendLine() { return lesson::lineWith(editor()->toPlainText().toStdString(), "dist.send("); }

    /// Both ranks send, and nobody receives.
    void deadlockSteps()
    {
        const int line = sendLine();
        const auto send = [&](int rank) {
            return callStep(rank, 1,
                            {.operation = "send",
                             .peer = 1 - rank,
                             .inputs = {tensorOf("outgoing", {"2.0", "2.0"})}},
                            LessonStep::Kind::Call, line);
        };
        publish({attemptOf(2), lineStep(0, line), lineStep(1, line), send(0), send(1)});
    }

    void endRun()
    {
        publish({RunStateChanged{.state = RunState::Stopped}});
        m_dashboard->cluster.endRun(Run);
    }

    QTemporaryDir m_state;
    std::unique_ptr<Window> m_dashboard;
    LearnPage* m_page = nullptr;
};

QTEST_MAIN(tst_learn)
#include "tst_learn.moc"
