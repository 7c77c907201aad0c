#include "app/learn/FaultQuestion.h"
#include "app/learn/LessonListModel.h"
#include "app/learn/LessonRunText.h"
#include "app/learn/LessonTrust.h"
#include "app/widget/Banner.h"
#include "app/widget/Toast.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Pack.h"
#include "tests/app/LearnTest.h"
#include "tests/lesson/Steps.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QSemaphore>
#include <QThreadPool>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;
using ringmaster::test::callStep;
using ringmaster::test::lineStep;
using ringmaster::test::tensorOf;

namespace {

LessonStep faultStep(int rank, const char* name, std::int64_t milliseconds)
{
    return {.globalRank = rank,
            .kind = LessonStep::Kind::Fault,
            .atNs = milliseconds * 1'000'000,
            .text = name};
}

LessonStep errorStep(int rank, const char* text, std::int64_t milliseconds = 0)
{
    LessonStep error = lineStep(rank, 4);
    error.kind = LessonStep::Kind::Error;
    error.atNs = milliseconds * 1'000'000;
    error.text = text;
    return error;
}

} // namespace

/// What the learner reads when something goes wrong: on purpose, in the program, in a lesson's
/// file.
class tst_learn_trouble : public LearnTest
{
    Q_OBJECT

private Q_SLOTS:
    void aFaultAsksFirstAndThenGoesToItsRank()
    {
        QVERIFY(startFault("Kill the worker (SIGKILL)"));
        const size_t before = sentFaults();
        // Not answered, not made.
        auto* question = m_page->findChild<FaultQuestion*>();
        QTest::keyClick(question, Qt::Key_Return);
        QVERIFY(question->isVisible());
        m_dashboard->cluster.settle();
        QCOMPARE(sentFaults(), before);
        QVERIFY(m_learn->predictFault("The run fails", "The agent"));
        QTRY_COMPARE(sentFaults(), before + 1);
        const auto sent = std::get<InjectFault>(m_dashboard->cluster.commands().back().second);
        QCOMPARE(sent.kind, InjectFault::Kind::Kill);
        QCOMPARE(sent.globalRank, 1);
        publish({faultStep(1, "kill", 0), WorkerExited{.globalRank = 1, .status = {.signal = 9}}});
        m_learn->endRun(RunState::Failed);
        const auto isJudged = [this] { return banner().contains(QStringLiteral("both times")); };
        QTRY_VERIFY2(isJudged(), qPrintable(banner()));
        QVERIFY2(banner().contains(QStringLiteral("✓ The run fails.")), qPrintable(banner()));
        QVERIFY2(banner().contains(QStringLiteral("✓ The agent: it sees a process end.")),
                 qPrintable(banner()));
        QVERIFY2(banner().contains(QStringLiteral("Rank 1 was killed.")), qPrintable(banner()));
        QVERIFY(m_page->player().isAtEnd());
    }

    void aWrongPredictionLeadsToTheStepThatContradictsIt()
    {
        QVERIFY(startFault("Pause the worker (SIGSTOP)"));
        QVERIFY(m_learn->predictFault("The program runs to its end", "The diagnosis"));
        publish({faultStep(1, "pause", 0),
                 callStep(0, 1, {.operation = "all_reduce", .inputs = {tensorOf("t", {"2.0"})}}),
                 Verdict{.id = 1, .guilty = {1}, .statement = {}}, faultStep(1, "resume", 9),
                 lineStep(1, 10)});
        QTRY_COMPARE(m_page->player().size(), size_t(6));
        QVERIFY2(banner().isEmpty(), qPrintable(banner()));
        m_learn->endRun(RunState::Succeeded);
        const auto isJudged = [this] {
            return banner().contains(QStringLiteral("One of your two predictions was right."));
        };
        QTRY_VERIFY2(isJudged(), qPrintable(banner()));
        QVERIFY2(banner().contains(QStringLiteral(
                     "✗ The others wait for rank 1 until it is let go on. You said: The program")),
                 qPrintable(banner()));
        QVERIFY2(banner().contains(QStringLiteral("✓ The diagnosis")), qPrintable(banner()));
        // With which rank 0 came to wait for rank 1.
        QCOMPARE(m_page->player().position(), size_t(3));
        QCOMPARE(scene().ranks[0].standing, LessonScene::Standing::Blocked);
    }

    void aFaultWhoseQuestionIsLeftIsNotMade()
    {
        QVERIFY(startFault("Delay its next call by 3 s"));
        auto* question = m_page->findChild<FaultQuestion*>();
        QVERIFY(question != nullptr);
        const size_t before = sentFaults();
        QTest::keyClick(question, Qt::Key_Escape);
        m_dashboard->cluster.settle();
        QCOMPARE(sentFaults(), before);
    }

    void whatCameOfAFaultIsTold_data()
    {
        QTest::addColumn<QByteArray>("fault");
        QTest::addColumn<QString>("what");
        for (const auto& [fault, what] :
             {std::pair{"kill", "Rank 1 was killed."}, std::pair{"pause", "Rank 1 was paused."},
              std::pair{"delay", "A call of rank 1 was delayed."},
              std::pair{"shape", "Rank 1 gave a wrong shape."},
              std::pair{"type", "Rank 1 gave a wrong type."},
              std::pair{"data", "A bit of the tensor of rank 1 was flipped."}})
            QTest::newRow(fault) << QByteArray(fault) << QString::fromLatin1(what);
    }

    void whatCameOfAFaultIsTold()
    {
        QFETCH(const QByteArray, fault);
        QFETCH(const QString, what);
        QVERIFY(m_learn->launch());
        m_learn->publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9),
                          faultStep(1, fault.constData(), 10),
                          errorStep(0, "RuntimeError: Connection closed by peer", 35)});
        QTRY_VERIFY_WITH_TIMEOUT(!findings().isEmpty(), LearnWindow::Patience);
        QVERIFY2(findings().startsWith(what), qPrintable(findings()));
        QVERIFY2(findings().contains(QStringLiteral("Noticed after 25 ms by rank 0: RuntimeError")),
                 qPrintable(findings()));
        m_learn->endRun(RunState::Failed);
        QTRY_VERIFY2(findings().contains(QStringLiteral("Not recovered: the run failed")),
                     qPrintable(findings()));
        // In the past nobody had noticed yet.
        m_learn->page().player().go(2);
        QVERIFY2(findings().contains(QStringLiteral("Nobody has noticed.")),
                 qPrintable(findings()));
    }

    void whatTheAgentDoesWhenAWorkerDiesIsTold()
    {
        QVERIFY(m_learn->launch());
        m_learn->publish(
            {attemptOf(2), lineStep(0, 9), lineStep(1, 9),
             WorkerExited{.globalRank = 1, .status = {.code = 1}},
             WorkerExited{.globalRank = 0, .status = {.signal = 15}, .endedByAgent = true},
             GroupRestarting{.budgetBefore = 1, .budgetAfter = 0}});
        const auto told = [this] {
            return (m_learn->scene().findings + m_learn->scene().notes).join(u'\n');
        };
        QTRY_VERIFY2(told().contains(QStringLiteral("Agent: Restarting the worker group")),
                     qPrintable(told()));
        QVERIFY2(told().contains(QStringLiteral("Agent: rank 1, exit code 1")), qPrintable(told()));
        AttemptStarted second = attemptOf(2);
        second.attempt = 1;
        LessonStep again = lineStep(0, 1);
        again.attempt = 1;
        m_learn->publish({second, again});
        QTRY_VERIFY2(told().contains(QStringLiteral("Agent: Attempt 2 started")),
                     qPrintable(told()));
        m_learn->page().player().go(0);
        QVERIFY2(!told().contains(QStringLiteral("Agent")), qPrintable(told()));
    }

    void aPausedRankIsShownAsSuch()
    {
        QVERIFY(m_learn->launch());
        m_learn->publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), faultStep(1, "pause", 10)});
        QTRY_COMPARE(m_learn->page().player().size(), size_t(3));
        QCOMPARE(m_learn->scene().ranks[1].standing, LessonScene::Standing::Paused);
        m_learn->publish({faultStep(1, "resume", 20)});
        QTRY_COMPARE(m_learn->page().player().size(), size_t(4));
        QVERIFY(m_learn->scene().ranks[1].standing != LessonScene::Standing::Paused);
    }

    void whereACorruptedChunkGoesIsDrawn()
    {
        QVERIFY(m_learn->launch());
        const auto chunk = [](LessonStep::Kind kind, int step, int from, int to) {
            LessonStep told{.globalRank = to, .kind = kind, .atNs = step, .text = "data"};
            told.chunk = {.operation = "all_reduce",
                          .algorithm = "ring",
                          .sequence = 1,
                          .step = step,
                          .chunk = 0,
                          .from = from,
                          .to = to,
                          .bytes = 4,
                          .before = {"3.0"},
                          .after = {"11.0"}};
            return told;
        };
        using Kind = LessonStep::Kind;
        m_learn->publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), chunk(Kind::Fault, 0, 0, 1),
                          chunk(Kind::Chunk, 0, 0, 1), chunk(Kind::Chunk, 1, 1, 0)});
        QTRY_COMPARE(m_learn->page().player().size(), size_t(5));
        QCOMPARE(m_learn->scene().links.front().kind, LessonScene::Link::Kind::Corrupted);
        for (const LessonScene::Rank& rank : m_learn->scene().ranks) {
            QCOMPARE(rank.values.front().warning, QStringLiteral("corrupted"));
            QCOMPARE(rank.values.front().wrong, std::vector<int>{0});
        }
        QVERIFY(m_learn->tableHas(QStringLiteral("▲ corrupted")));
        QVERIFY2(findings().startsWith(
                     QStringLiteral("A bit of chunk 0 was flipped on its way from rank 0 to")),
                 qPrintable(findings()));
    }

    void whatAProgramDiesOfStandsThere_data()
    {
        QTest::addColumn<QByteArray>("error");
        for (const char* error :
             {"ModuleNotFoundError: No module named 'no_such_module'",
              "RuntimeError: Found no NVIDIA driver on your system", "SyntaxError: invalid syntax"})
            QTest::newRow(error) << QByteArray(error);
    }

    void whatAProgramDiesOfStandsThere()
    {
        QFETCH(const QByteArray, error);
        QVERIFY(m_learn->launch());
        m_learn->publish({attemptOf(2), lineStep(0, 2), errorStep(0, error.constData())});
        QTRY_VERIFY(!findings().isEmpty());
        QCOMPARE(findings(),
                 QStringLiteral("Rank 0 failed in line 4: ") + QString::fromUtf8(error));
        QCOMPARE(m_learn->editor().troubles().front().line, 4);
    }

    void aProgramThatLoopsForEverWasStoppedAndWhy()
    {
        QVERIFY(m_learn->launch());
        m_learn->publish({attemptOf(1), lineStep(0, 1),
                          Notice{.severity = Notice::Severity::Error,
                                 .message = {code::LessonTooLong, {{"steps", "50000"}}, {}}},
                          RunStateChanged{.state = RunState::Stopped}});
        m_learn->dashboard().cluster.endRun(LearnWindow::Run);
        QTRY_VERIFY2(banner().contains(QStringLiteral("stopped after 50000 steps")),
                     qPrintable(banner()));
    }

    void aProgramThatEndsAtOnceLeavesNothingToSee()
    {
        QVERIFY(m_learn->launch());
        m_learn->publish({attemptOf(1)});
        m_learn->endRun(RunState::Succeeded);
        QTRY_VERIFY2(banner().contains(QStringLiteral("no line of it was reached")),
                     qPrintable(banner()));
    }

    void aProgramThatIsRefusedSaysWhy()
    {
        m_learn->dashboard().cluster.answerLaunchWith(fail(code::ProgramIsUtf16));
        QTest::mouseClick(m_learn->button("Run"), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(banner().contains(QStringLiteral("save it as UTF-8")),
                                  qPrintable(banner()), LearnWindow::Patience);
    }

    void aRecordedRunThatCantBeReadSaysWhy()
    {
        m_page->openRun("unreadable");
        m_dashboard->cluster.endRun("unreadable", fail(code::ProgramIsUtf16));
        const auto isTold = [this] {
            return banner().contains(QStringLiteral("This run can't be read.")) &&
                   banner().contains(QStringLiteral("save it as UTF-8"));
        };
        QTRY_VERIFY2(isTold(), qPrintable(banner()));
        QCOMPARE(statusText(m_page->player().run()),
                 QStringLiteral("recorded, nothing runs: its end isn't known"));
    }

    void aRunThatCantBeFollowedAnyMoreIsStopped()
    {
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9)});
        QTRY_COMPARE(m_page->player().size(), size_t(2));
        m_dashboard->cluster.endRun(LearnWindow::Run, fail(code::ProgramIsUtf16));
        const auto isStopped = [this] {
            return std::ranges::any_of(m_dashboard->cluster.commands(), [](const auto& command) {
                return std::holds_alternative<StopRun>(command.second);
            });
        };
        QTRY_VERIFY(isStopped());
        QVERIFY2(banner().contains(QStringLiteral("does not run")), qPrintable(banner()));
    }

    /// It may have to ask an interpreter, which takes its time.
    void aLessonThatIsLeftWhileItIsPreparedIsntWaitedFor()
    {
        QThreadPool files;
        files.setMaxThreadCount(1);
        QSemaphore isLeft;
        files.start([&isLeft] { isLeft.acquire(); });
        {
            const LessonRun run(m_dashboard->bridge, files,
                                {.pack = {.name = "left"}, .interpreter = "python3"}, nullptr);
            QCOMPARE(run.phase(), LessonRun::Phase::Preparing);
        }
        isLeft.release();
        files.waitForDone();
        QCoreApplication::sendPostedEvents(&m_dashboard->bridge);
        m_dashboard->cluster.settle();
        QVERIFY(m_dashboard->cluster.launched().empty());
    }

    void aLessonThatIsNoneSaysEverythingThatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no translation")
            << pack("ja = \"文\"\n", "") << QStringLiteral(": ja is missing");
        QTest::newRow("a question about no line")
            << pack() + "[[question]]\nkind = \"value\"\nat = \"gone\"\nvariable = \"t\"\n"
                        "[question.text]\nen = \"?\"\nja = \"？\"\n"
            << QStringLiteral("No line of the program has \"gone\"");
        QTest::newRow("a path outside")
            << pack("source = \"t = 1\"", "program = \"../outside.py\"")
            << QStringLiteral("../outside.py lies outside the lesson's folder");
        QTest::newRow("a program that is saved as UTF-16")
            << pack("source = \"t = 1\"", "program = \"utf16.py\"")
            << QStringLiteral("save it as UTF-8");
        QTest::newRow("no TOML") << QByteArray("format = = 1") << QStringLiteral("Not a lesson");
    }

    void aLessonThatIsNoneSaysEverythingThatIsWrong()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, said);
        QFile utf16(m_folder.filePath(QStringLiteral("utf16.py")));
        QVERIFY(utf16.open(QIODevice::WriteOnly));
        utf16.write("\xff\xfet\0 \0=\0 \0"
                    "1\0",
                    12);
        utf16.close();
        open(text);
        QTRY_VERIFY2_WITH_TIMEOUT(banner().contains(said), qPrintable(banner()),
                                  LearnWindow::Patience);
        QVERIFY(banner().contains(QStringLiteral("is no lesson")));
        QVERIFY(m_learn->dashboard().cluster.launched().empty());
    }

    void aLessonFromOutsideAsksOnceBeforeItRuns()
    {
        open(pack());
        const auto isOpen = [this] { return m_learn->page().lessons().rowOf("small") >= 0; };
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(), LearnWindow::Patience);
        QCOMPARE(m_learn->editor().toPlainText(), QStringLiteral("t = 1"));
        QTest::mouseClick(m_learn->button("Run"), Qt::LeftButton);
        QVERIFY(trustQuestion() != nullptr);
        QVERIFY(trustQuestion()->text().contains(QStringLiteral("with your rights")));
        QTest::keyClick(trustQuestion(), Qt::Key_Escape);
        QTRY_VERIFY(trustQuestion() == nullptr);
        m_learn->dashboard().cluster.settle();
        QVERIFY(m_learn->dashboard().cluster.launched().empty());
        QTest::mouseClick(m_learn->button("Run"), Qt::LeftButton);
        agree();
        QTRY_COMPARE_WITH_TIMEOUT(m_learn->dashboard().cluster.launched().size(), 1U,
                                  LearnWindow::Patience);
        m_learn->publish({attemptOf(2), lineStep(0, 1)});
        m_learn->endRun();
        QTRY_VERIFY_WITH_TIMEOUT(m_learn->button("Run") != nullptr, LearnWindow::Patience);
        QTest::mouseClick(m_learn->button("Run"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_learn->dashboard().cluster.launched().size(), 2U,
                                  LearnWindow::Patience);
        QVERIFY(trustQuestion() == nullptr);
    }

    /// Another one may have the name of one that was trusted.
    void trustIsOfAProgram()
    {
        QWidget page;
        LessonTrust trust(&page);
        Lesson lesson{.pack = {.name = "small", .source = "t = 1"}, .isOwn = false};
        int runs = 0;
        const auto ask = [&](const std::string& text) {
            trust.ask(lesson, {.text = text, .origin = lesson.pack.source}, [&runs] { ++runs; });
        };
        trust.trust(lesson);
        ask("t = 1");
        QCOMPARE(runs, 1);
        ask("t = 1 # changed by the learner");
        QCOMPARE(runs, 2);
        lesson.pack.source = "t = 2";
        ask("t = 2");
        QCOMPARE(runs, 2);
        QVERIFY(page.findChild<QMessageBox*>(QStringLiteral("trustLesson")) != nullptr);
    }

    void aRecordedProgramAsksBeforeItRuns_data()
    {
        QTest::addColumn<bool>("isInOrder");
        QTest::newRow("run") << false;
        QTest::newRow("run again in the same order") << true;
    }

    /// Also where the recording has the name of a lesson that came with Ringmaster.
    void aRecordedProgramAsksBeforeItRuns()
    {
        QFETCH(const bool, isInOrder);
        openRecorded("# not the lesson's\n");
        runRecorded(isInOrder);
        QVERIFY(trustQuestion() != nullptr);
        m_dashboard->cluster.settle();
        QVERIFY(m_dashboard->cluster.launched().empty());
        agree();
        QTRY_COMPARE(m_dashboard->cluster.launched().size(), 1U);
        QFile program(
            QString::fromStdString(m_dashboard->cluster.launched().front().roles.front().program));
        QVERIFY(program.open(QIODevice::ReadOnly));
        QCOMPARE(program.readAll(), QByteArray("# not the lesson's\n"));
    }

    /// Though it can be undone.
    void theLessonsOwnProgramInItsPlaceAsksNothing()
    {
        openRecorded("# not the lesson's\n");
        QTest::mouseClick(button("Reset"), Qt::LeftButton);
        runRecorded(false);
        QVERIFY(trustQuestion() == nullptr);
        QTRY_COMPARE(m_dashboard->cluster.launched().size(), 1U);
        QVERIFY(m_learn->begin());
        m_learn->endRun();
        QTRY_VERIFY(button("Run") != nullptr);
        editor()->undo();
        QCOMPARE(editor()->toPlainText(), QStringLiteral("# not the lesson's\n"));
        runRecorded(false);
        QVERIFY(trustQuestion() != nullptr);
    }

    void aQuestionThatIsOpenGoesWithItsProgram()
    {
        openRecorded("# not the lesson's\n");
        runRecorded(false);
        QVERIFY(trustQuestion() != nullptr);
        m_page->chooseLesson("send-recv");
        QTRY_VERIFY(trustQuestion() == nullptr);
    }

private:
    /// Two ranks at a line, and the question that comes before the fault.
    bool startFault(const char* kind)
    {
        if (!m_learn->launch())
            return false;
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9)});
        const auto isThere = [this] { return m_page->player().size() == 2; };
        if (!QTest::qWaitFor(isThere, LearnWindow::Patience))
            return false;
        m_learn->faultOf(kind, 1)->trigger();
        return m_page->findChild<FaultQuestion*>() != nullptr;
    }

    size_t sentFaults()
    {
        const auto commands = m_dashboard->cluster.commands();
        return static_cast<size_t>(std::ranges::count_if(commands, [](const auto& command) {
            return std::holds_alternative<InjectFault>(command.second);
        }));
    }

    static QByteArray pack(const QByteArray& from = {}, const QByteArray& to = {})
    {
        QByteArray text = "format = 1\nname = \"small\"\nsource = \"t = 1\"\n"
                          "[title]\nen = \"Small\"\nja = \"小\"\n"
                          "[text]\nen = \"Text\"\nja = \"文\"\n"
                          "[mistake]\nen = \"Wrong\"\nja = \"誤\"\n";
        return from.isEmpty() ? text : text.replace(from, to);
    }

    /// Of "deadlock", from elsewhere; it is over.
    void openRecorded(const char* source)
    {
        const auto text = lesson::packText(*lesson::findPack("deadlock"));
        QVERIFY(text.has_value());
        m_learn->publishTo("recorded", {LessonStarted{.pack = *text,
                                                      .program = "deadlock.py",
                                                      .source = source,
                                                      .backend = "gloo",
                                                      .ranks = 2,
                                                      .isHeld = true},
                                        attemptOf(2), lineStep(0, 1), lineStep(1, 1),
                                        RunStateChanged{.state = RunState::Stopped}});
        m_page->openRun("recorded");
        QTRY_COMPARE(editor()->toPlainText(), QString::fromUtf8(source));
        QTRY_COMPARE(m_page->player().size(), size_t(2));
    }

    void runRecorded(bool isInOrder)
    {
        if (isInOrder)
            m_learn->actionOf("Run again in the same order")->trigger();
        else
            QTest::mouseClick(button("Run"), Qt::LeftButton);
    }

    void agree()
    {
        for (QAbstractButton* button : trustQuestion()->buttons()) {
            if (button->text() == QLatin1String("Run it"))
                QTest::mouseClick(button, Qt::LeftButton);
        }
    }

    /// By the menu, as one would.
    void open(const QByteArray& text)
    {
        const QString path = m_folder.filePath(QStringLiteral("small.ringlesson"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
        file.close();
        m_learn->actionOf("Open a lesson…")->trigger();
        auto* dialog = m_learn->page().findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        Q_EMIT dialog->fileSelected(path);
        dialog->close();
    }

    QMessageBox* trustQuestion()
    {
        return m_learn->page().findChild<QMessageBox*>(QStringLiteral("trustLesson"));
    }

    QString findings()
    {
        const QStringList& found = m_learn->scene().findings;
        return found.value(0);
    }

    QString banner()
    {
        auto* banner = m_learn->page().findChild<Banner*>();
        return banner->isVisible() ? banner->text() : QString();
    }
};

QTEST_MAIN(tst_learn_trouble)
#include "tst_learn_trouble.moc"
