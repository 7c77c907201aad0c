#include "app/learn/LearnPage.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/MemoryView.h"
#include "app/learn/ProgramEditor.h"
#include "app/widget/Banner.h"
#include "engine/base/ProcessInfo.h"
#include "engine/lesson/Questions.h"
#include "engine/record/RunFolder.h"
#include "tests/app/CutTexts.h"
#include "tests/app/PageOf.h"
#include "tests/app/RealDashboard.h"
#include "tests/support/Patience.h"
#include "tests/support/TorchInterpreter.h"

#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// torch takes its time to be imported on a machine that has more to do.

} // namespace

/// Real lessons on real workers, with nothing but the mouse and the keyboard.
class tst_learn_lesson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_python = ringmaster::test::torchInterpreter();
        if (m_python.isEmpty())
            QSKIP("no interpreter with torch");
    }

    void init()
    {
        m_dashboard = std::make_unique<RealDashboard>(m_runtime.path());
        m_command = m_dashboard->sharedCommand();
        m_dashboard->window.resize(1280, 800);
        m_dashboard->window.show();
        QVERIFY(QTest::qWaitForWindowActive(&m_dashboard->window, PatienceForTorch));
        QTest::keyClick(&m_dashboard->window, Qt::Key_3, Qt::ControlModifier);
        m_page = &pageOf<LearnPage>(m_dashboard->window);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->lessons().rowCount() > 0, PatienceForTorch);
        player().setStepTime(std::chrono::milliseconds(0));
    }

    void cleanup()
    {
        // The folders go, too: whatever the test was in the middle of ends before.
        if (m_page != nullptr && player().run() != nullptr)
            player().run()->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(m_agent), PatienceForTorch);
        if (!m_token.isEmpty())
            QTRY_COMPARE_WITH_TIMEOUT(processesWith(m_token), 0, PatienceForTorch);
        m_page = nullptr;
        m_dashboard.reset();
        m_command.reset();
    }

    void sendAndRecvAreSteppedFromTheFirstLineToTheLast()
    {
        start("send-recv", 2);
        save("learn-held");
        const size_t before = player().size();
        press(Qt::Key_Right);
        QTRY_VERIFY_WITH_TIMEOUT(player().size() > before, PatienceForTorch);
        press(Qt::Key_B);
        QTRY_VERIFY_WITH_TIMEOUT(standing(1) == LessonScene::Standing::Blocked, PatienceForTorch);
        save("learn-blocked");
        press(Qt::Key_Left);
        QVERIFY(!player().isAtEnd());
        save("learn-past");
        press(Qt::Key_E);
        QTRY_COMPARE_WITH_TIMEOUT(player().run()->phase(), LessonRun::Phase::Over,
                                  PatienceForTorch);
        const lesson::Recording& recording = player().run()->recording();
        QCOMPARE(lesson::outcomeOf(recording), std::optional(lesson::Outcome::Succeeds));
        const auto received = recording.firstStep([](const lesson::State& state) {
            const lesson::Cell* tensor = state.rank(1).find("tensor");
            return tensor != nullptr && tensor->value.elements == std::vector<std::string>{"14.0"};
        });
        QVERIFY(received.has_value());
        player().go(*received);
        save("learn-over");
    }

    void aDeadlockIsShownAsTheCircleThatItIs()
    {
        start("deadlock", 4);
        press(Qt::Key_E);
        const auto isFound = [this] { return !scene().findings.isEmpty(); };
        QTRY_VERIFY_WITH_TIMEOUT(isFound(), PatienceForTorch);
        QVERIFY(scene().findings.front().startsWith(QStringLiteral("Deadlock")));
        QCOMPARE(std::ranges::count(scene().links, LessonScene::Link::Kind::Cycle,
                                    &LessonScene::Link::kind),
                 4);
        save("learn-deadlock");
    }

    void theRingsChunksAreDrawn()
    {
        start("ring-all-reduce", 4);
        press(Qt::Key_E);
        QTRY_COMPARE_WITH_TIMEOUT(player().run()->phase(), LessonRun::Phase::Over,
                                  PatienceForTorch);
        const lesson::Recording& recording = player().run()->recording();
        if (recording.latest().ringOperations().empty())
            QSKIP("the ring backend isn't built");
        const auto& arrivals = recording.latest().ringOperations().back().arrivals;
        QCOMPARE(arrivals.size(), size_t(2 * 3 * 4));
        player().go(arrivals[6].step);
        QVERIFY(std::ranges::count(scene().links, LessonScene::Link::Kind::Chunk,
                                   &LessonScene::Link::kind) > 0);
        save("learn-ring");
    }

    void whatEachRankHoldsIsDrawnAsBars()
    {
        start("fully-sharded-data-parallel", 2);
        press(Qt::Key_E);
        QTRY_COMPARE_WITH_TIMEOUT(player().run()->phase(), LessonRun::Phase::Over,
                                  PatienceForTorch);
        auto* bars = m_page->findChild<MemoryView*>();
        // Two layers of four weights: half of them and of their momentum are kept, 32 bytes; a
        // layer's weights and their gradient come and go.
        size_t most = 0;
        for (size_t i = 0; i < player().size(); ++i) {
            const lesson::RankState& rank = player().run()->recording().stateAt(i).rank(0);
            const lesson::Cell* gradient = rank.find("gradient");
            if (gradient != nullptr && gradient->value.kind == LessonValue::Kind::Tensor)
                most = i;
        }
        player().go(most);
        QTRY_VERIFY(bars->isVisible());
        QCOMPARE(bars->shown().size(), size_t(2));
        QCOMPARE(bars->shown()[0].most, std::uint64_t(32 + 16 + 16));
        QVERIFY(bars->placeOf(0, 0).width() > 0);
        QVERIFY(bars->rect().contains(bars->placeOf(0, 0).toRect()));
        save("learn-memory");
        // What isn't held any more has left its trace.
        player().go(player().size() - 1);
        const MemoryBars::Bar& last = bars->shown()[0];
        QVERIFY(last.bytes() < last.most);
        const QRectF end = bars->placeOf(0, last.parts.size() - 1);
        const QImage image = bars->grab().toImage();
        const auto colorAt = [&](double x) {
            return image.pixelColor(static_cast<int>(x), static_cast<int>(end.top()) + 1);
        };
        QVERIFY(colorAt(end.right() + 3) != colorAt(bars->width() - 1));
    }

    void aWorkerDiesAndTheWholeGroupIsStartedAgain()
    {
        start("worker-dies", 3);
        press(Qt::Key_E);
        const auto isAgain = [this] { return player().state().attempt() == 1; };
        QTRY_VERIFY_WITH_TIMEOUT(isAgain(), PatienceForTorch);
        // On a busy machine that moment passes between two looks.
        const auto isTold = [this] {
            for (const LessonRun::Act& act : player().run()->acts()) {
                const auto* started = std::get_if<AttemptStarted>(&act.event.body);
                if (started != nullptr && started->attempt == 1)
                    player().go(std::min(act.step, player().size() - 1));
            }
            return scene().notes.join(u'\n').contains(QStringLiteral("Agent: Attempt 2"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), PatienceForTorch);
        save("learn-restart");
        press(Qt::Key_E);
        QTRY_COMPARE_WITH_TIMEOUT(player().run()->phase(), LessonRun::Phase::Over,
                                  PatienceForTorch);
        QCOMPARE(lesson::outcomeOf(player().run()->recording()),
                 std::optional(lesson::Outcome::Succeeds));
    }

    void stragglersArriveLateAndTakeNoLonger()
    {
        const auto pack = lesson::loadPack(*lesson::findPack("stragglers"));
        QVERIFY(pack.has_value());
        // Rank 1 is the slow one, also where another isn't scheduled for a second.
        QString program = QString::fromStdString(pack->source);
        program.replace(QStringLiteral("time.sleep(0.5)"),
                        QStringLiteral("time.sleep(0.5); time.sleep(2.5)"));
        start("stragglers", 4, program);
        press(Qt::Key_E);
        QTRY_COMPARE_WITH_TIMEOUT(player().run()->phase(), LessonRun::Phase::Over,
                                  PatienceForTorch);
        const lesson::Recording& recording = player().run()->recording();
        QCOMPARE(lesson::outcomeOf(recording), std::optional(lesson::Outcome::Succeeds));
        // Of the three collectives, rank 1 is the last to come to each.
        std::map<int, std::vector<int>> arrivals;
        for (size_t i = 0; i < recording.size(); ++i) {
            const LessonStep& step = recording.step(i);
            if (step.kind == LessonStep::Kind::Call && step.call.operation == "all_reduce")
                arrivals[recording.stateAt(i).rank(step.globalRank).line].push_back(
                    step.globalRank);
        }
        QCOMPARE(arrivals.size(), size_t(1));
        const std::vector<int>& order = arrivals.begin()->second;
        QCOMPARE(order.size(), size_t(12));
        for (const size_t last : {3U, 7U, 11U})
            QCOMPARE(order[last], 1);
        save("learn-stragglers");
    }

    void whatAProgramDoesWrongIsToldAndNothingIsLeft_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("told");
        const auto add = [](const char* name, const char* program, const char* told) {
            QTest::newRow(name) << QString::fromLatin1(program) << QString::fromLatin1(told);
        };
        add("ends at once", "", "");
        add("a missing module", "x = 1\nimport no_such_module\n",
            "failed in line 2: ModuleNotFoundError");
        add("a GPU that isn't there", "import torch\nt = torch.zeros(1, device='cuda:7')\n",
            "failed in line 2: ");
        add("exits", "import sys\nsys.exit(3)\n", "failed in line 2: SystemExit: 3");
        add("starts processes that stay",
            "import subprocess\n"
            "for _ in range(3):\n"
            "    subprocess.Popen(['sleep', '600'], start_new_session=True)\n",
            "");
        add("loops and prints for ever", "x = 0\nwhile True:\n    x += 1\n    print('x' * 200)\n",
            "The program was stopped.");
    }

    void whatAProgramDoesWrongIsToldAndNothingIsLeft()
    {
        QFETCH(const QString, program);
        QFETCH(const QString, told);
        const auto isOver = [this] { return player().run()->phase() == LessonRun::Phase::Over; };
        run("send-recv", 2, program);
        QTRY_VERIFY_WITH_TIMEOUT(isOver() || player().canMove(), PatienceForTorch);
        press(Qt::Key_E);
        // A loop is stopped after 20,000 steps: most of a minute where processors are shared.
        QTRY_VERIFY_WITH_TIMEOUT(isOver(), 5 * PatienceForTorch);
        QVERIFY2(said().contains(told), qPrintable(said()));
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(m_token), 0, PatienceForTorch);
    }

    void aLoopThatIsNoStepIsStoppedByHand()
    {
        run("send-recv", 2,
            QStringLiteral("import itertools\nx = sum(itertools.repeat(0))\ny = 1\n"));
        QTRY_VERIFY_WITH_TIMEOUT(player().run() != nullptr && player().canMove(), PatienceForTorch);
        press(Qt::Key_E);
        const auto isBusy = [this] { return player().state().rank(0).line == 2; };
        QTRY_VERIFY_WITH_TIMEOUT(isBusy(), PatienceForTorch);
        click("Stop");
        QTRY_COMPARE_WITH_TIMEOUT(player().run()->phase(), LessonRun::Phase::Over,
                                  PatienceForTorch);
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(m_token), 0, PatienceForTorch);
    }

    void eightRanksRunHoweverFewTheProcessors()
    {
        start("all-reduce", 8);
        press(Qt::Key_E);
        QTRY_COMPARE_WITH_TIMEOUT(player().run()->phase(), LessonRun::Phase::Over,
                                  PatienceForTorch);
        const lesson::Recording& recording = player().run()->recording();
        QCOMPARE(lesson::outcomeOf(recording), std::optional(lesson::Outcome::Succeeds));
        QCOMPARE(scene().ranks.size(), size_t(8));
        save("learn-eight");
    }

    /// One in CI, or those that RINGMASTER_LESSON_PICTURES names: "all", or a lesson. With a
    /// picture where the last question is answered.
    void aLessonIsSeenToItsEnd_data()
    {
        QTest::addColumn<QByteArray>("lesson");
        const QByteArray wanted = qgetenv("RINGMASTER_LESSON_PICTURES");
        for (const std::filesystem::path& pack : lesson::ownPacks()) {
            const QByteArray name = QByteArray::fromStdString(pack.stem());
            if (wanted.isEmpty() ? name == "pipeline" : wanted == "all" || wanted == name)
                QTest::newRow(name.constData()) << name;
        }
    }

    void aLessonIsSeenToItsEnd()
    {
        QFETCH(const QByteArray, lesson);
        const auto pack = lesson::loadPack(*lesson::findPack(lesson.toStdString()));
        QVERIFY(pack.has_value());
        start(lesson.constData(), pack->ranks);
        press(Qt::Key_E);
        const auto outcome = [this] {
            return player().run() == nullptr ? std::nullopt
                                             : lesson::outcomeOf(player().run()->recording());
        };
        QTRY_COMPARE_WITH_TIMEOUT(outcome(), std::optional(pack->expect), PatienceForTorch);
        size_t shown = 0;
        for (const lesson::Question& question : pack->questions) {
            const auto asked = [&] { return lesson::ask(question, player().run()->recording()); };
            // Which message an open receive takes is asked where the reader has let both go.
            if (question.kind == lesson::Question::Kind::Sender)
                continue;
            QTRY_VERIFY2_WITH_TIMEOUT(asked().has_value(), question.at.c_str(), PatienceForTorch);
            shown = std::max(shown, asked()->answeredAt);
        }
        player().go(shown);
        QCOMPARE(scene().ranks.size(), static_cast<size_t>(pack->ranks));
        QTRY_VERIFY2(cutTexts(*m_page).isEmpty(), qPrintable(cutTexts(*m_page).join(u'\n')));
        save(("lesson-" + lesson).constData());
    }

    void aWindowThatIsClosedInTheMiddleOfAStepEndsItsWorkers()
    {
        start("send-recv", 2, QStringLiteral("import time\ntime.sleep(600)\n"));
        press(Qt::Key_Right);
        press(Qt::Key_Right);
        const auto isAsleep = [this] { return standing(0) == LessonScene::Standing::Busy; };
        QTRY_VERIFY_WITH_TIMEOUT(isAsleep(), PatienceForTorch);
        QVERIFY(processesWith(m_token) > 0);
        const std::string id = player().run()->run();
        m_page = nullptr;
        m_dashboard.reset();
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(m_token), 0, PatienceForTorch);
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(m_agent), PatienceForTorch);
        const auto folder = RunFolder::find(m_command->runsFolder().toStdString(), id);
        QVERIFY(folder.has_value());
        QCOMPARE(folder->summary().state, RunState::Stopped);
    }

private:
    LessonPlayer& player() { return m_page->player(); }
    const LessonScene& scene() { return m_page->findChild<LessonPicture*>()->scene(); }

    LessonScene::Standing standing(size_t rank)
    {
        return rank < scene().ranks.size() ? scene().ranks[rank].standing
                                           : LessonScene::Standing::Starting;
    }

    template <class W>
    W* field(const char* name)
    {
        for (W* widget : m_page->findChildren<W*>()) {
            if (widget->accessibleName() == QLatin1String(name))
                return widget;
        }
        return nullptr;
    }

    /// Presses Run; without `program` it is the lesson's own.
    void run(const char* lesson, int ranks, const std::optional<QString>& program = std::nullopt)
    {
        m_page->chooseLesson(lesson);
        if (program)
            m_page->findChild<ProgramEditor*>()->setPlainText(*program);
        field<QComboBox>("Interpreter")->setEditText(m_python);
        field<QSpinBox>("Ranks")->setValue(ranks);
        click("Run");
        const auto hasRun = [this] { return player().run() && !player().run()->run().empty(); };
        QTRY_VERIFY_WITH_TIMEOUT(hasRun(), PatienceForTorch);
        const std::string& id = player().run()->run();
        m_token = QByteArray("RINGMASTER_RUN=") + id.c_str();
        const auto agent = RunFolder::find(m_command->runsFolder().toStdString(), id)
                               .and_then([](const RunFolder& folder) { return folder.agent(); });
        QVERIFY(agent.has_value());
        m_agent = agent->process;
    }

    /// Until every rank is held before its first line.
    void start(const char* lesson, int ranks, const std::optional<QString>& program = std::nullopt)
    {
        run(lesson, ranks, program);
        QTRY_VERIFY_WITH_TIMEOUT(player().canMove() && player().run()->arrived() == ranks,
                                 PatienceForTorch);
    }

    void click(const char* text)
    {
        for (QPushButton* button : m_page->findChildren<QPushButton*>()) {
            if (button->isVisible() && button->text() == QLatin1String(text))
                return QTest::mouseClick(button, Qt::LeftButton);
        }
    }

    /// In the banner and among the findings.
    QString said()
    {
        auto* banner = m_page->findChild<Banner*>();
        return (banner->isVisible() ? banner->text() : QString()) + u'\n' +
               scene().findings.join(u'\n');
    }

    void press(Qt::Key key)
    {
        m_page->findChild<LessonPicture*>()->setFocus();
        QTest::keyClick(&m_dashboard->window, key);
    }

    /// Light and dark, English and Japanese.
    void save(const char* name)
    {
        const QDir folder(QStringLiteral(RINGMASTER_BUILD_DIR "/screenshots"));
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        const auto picture = [&](const char* suffix) {
            QCoreApplication::processEvents();
            return m_dashboard->window.grab().save(folder.filePath(
                QStringLiteral("%1-%2.png").arg(QLatin1String(name), QLatin1String(suffix))));
        };
        m_dashboard->theme.setMode(Theme::Mode::Light);
        QVERIFY(picture("light"));
        m_dashboard->theme.setMode(Theme::Mode::Dark);
        m_dashboard->language.choose(Language::Choice::Japanese);
        QVERIFY(picture("dark-ja"));
        m_dashboard->theme.setMode(Theme::Mode::Light);
        m_dashboard->language.choose(Language::Choice::English);
    }

    QString m_python;
    QTemporaryDir m_runtime; ///< Shared, so that torch is imported once.
    QByteArray m_token;
    ProcessIdentity m_agent; ///< Of the latest run.
    /// The dashboard's: as long as it is there, its folders are.
    std::shared_ptr<const Ringmaster> m_command;
    std::unique_ptr<RealDashboard> m_dashboard;
    LearnPage* m_page = nullptr;
};

QTEST_MAIN(tst_learn_lesson)
#include "tst_learn_lesson.moc"
