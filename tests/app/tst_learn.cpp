#include "app/learn/FaultQuestion.h"
#include "app/learn/LearnHead.h"
#include "app/learn/LearnPage.h"
#include "app/learn/LessonHtml.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/MomentPanel.h"
#include "app/learn/ProgramEditor.h"
#include "app/learn/ProgramOutput.h"
#include "app/learn/QuestionPanel.h"
#include "app/learn/SceneTableModel.h"
#include "app/main/Pages.h"
#include "app/widget/Banner.h"
#include "app/widget/Toast.h"
#include "engine/base/Paths.h"
#include "engine/lesson/Pack.h"
#include "tests/app/CutTexts.h"
#include "tests/app/LearnTest.h"
#include "tests/app/PageOf.h"
#include "tests/lesson/Steps.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QListView>
#include <QScrollBar>
#include <QSlider>
#include <QtTest>

#include <chrono>
#include <filesystem>

using namespace ringmaster;
using namespace ringmaster::app;
using ringmaster::test::lineStep;

/// The Learn page over made-up steps: what moves what, and what is asked.
class tst_learn : public LearnTest
{
    Q_OBJECT

private Q_SLOTS:
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
        QVERIFY(m_learn->launch());
        const JobSpec spec = m_dashboard->cluster.launched().back();
        QFile program(QString::fromStdString(spec.roles.front().program));
        QVERIFY(program.open(QIODevice::ReadOnly));
        QCOMPARE(program.readAll(), QByteArray("print(1)\n"));
        QCOMPARE(spec.roles.front().workers.number, 2);
    }

    /// Ranks that another dashboard has started may not have loaded theirs yet.
    void eachLaunchHasAProgramOfItsOwn()
    {
        const std::filesystem::path old = stateFolder() / "lessons" / "deadlock-old";
        std::filesystem::create_directories(old);
        std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now() -
                                                  std::chrono::hours(24 * 31));
        editor()->setPlainText(QStringLiteral("print(1)\n"));
        QVERIFY(m_learn->launch());
        m_learn->endRun();
        QTRY_VERIFY(button("Run") != nullptr);
        editor()->setPlainText(QStringLiteral("print(2)\n"));
        QTest::mouseClick(button("Run"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->cluster.launched().size(), size_t(2),
                                  LearnWindow::Patience);
        QStringList texts;
        for (const JobSpec& spec : m_dashboard->cluster.launched()) {
            QFile program(QString::fromStdString(spec.roles.front().program));
            QVERIFY(program.open(QIODevice::ReadOnly));
            texts << QString::fromLatin1(program.readAll());
            QCOMPARE(QFileInfo(program).fileName(), QStringLiteral("deadlock.py"));
        }
        QCOMPARE(texts, (QStringList{QStringLiteral("print(1)\n"), QStringLiteral("print(2)\n")}));
        QVERIFY(!std::filesystem::exists(old));
    }

    void atTheEndAStepMovesTheProcessesAndInThePastTheRecording()
    {
        // The slider keeps its length, whatever is said beside it.
        const auto* slider = m_page->findChild<QSlider*>();
        const int length = slider->width();
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9), lineStep(0, 10)});
        QTRY_COMPARE(m_page->player().size(), size_t(3));
        // The page has sent it to the first line by itself.
        m_dashboard->cluster.settle();
        const size_t moves = m_dashboard->cluster.commands().size();
        press(Qt::Key_Left);
        press(Qt::Key_Left);
        QCOMPARE(m_page->player().position(), size_t(0));
        QVERIFY(label("the past"));
        press(Qt::Key_End);
        QVERIFY(label("live"));
        QCoreApplication::sendPostedEvents();
        QCOMPARE(slider->width(), length);
        press(Qt::Key_Left);
        press(Qt::Key_Left);
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
        QVERIFY(m_learn->launch());
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

    void whatTheProgramPrintsStandsBeneathIt()
    {
        auto* output = m_page->findChild<ProgramOutput*>();
        QVERIFY(m_learn->launch());
        QVERIFY(!output->isVisible());
        m_dashboard->cluster.print(LearnWindow::Run, Moment{}, 1, "met the others\n");
        QTRY_VERIFY_WITH_TIMEOUT(output->isVisible(), LearnWindow::Patience);
        QCOMPARE(output->model()->index(0, 0).data().toString(), QStringLiteral("met the others"));
        QCOMPARE(output->model()->index(0, 0).data(LogModel::RankRole).toInt(), 1);
        // Of another run nothing is there.
        m_learn->endRun();
        QTRY_VERIFY(m_learn->button("Run") != nullptr);
        m_page->chooseLesson("send-recv");
        QTRY_VERIFY(!output->isVisible());
    }

    void textsHaveBoldAndCode()
    {
        lesson::Pack pack;
        pack.text.english = "Of **two ranks**, `dist.send(a ** 2, b)` isn't a < b.\nA ` alone.";
        const QString html = lessonHtml(pack, {}, "en");
        QVERIFY2(html.contains(QStringLiteral("Of <b>two ranks</b>, <code>dist.send(a ** 2, "
                                              "b)</code> isn't a &lt; b.<br>A ` alone.")),
                 qPrintable(html));
    }

    void eachRankHasItsPointerAtItsLine()
    {
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 12)});
        QTRY_COMPARE(editor()->pointers(), (std::vector<int>{9, 12}));
        press(Qt::Key_Left);
        QTRY_COMPARE(editor()->pointers(), (std::vector<int>{9, 0}));
    }

    /// Also when there is less room for the program afterwards.
    void theActorsLineStaysInSight()
    {
        QVERIFY(m_learn->launch());
        const int last = editor()->document()->blockCount();
        const auto isInSight = [&] {
            const QTextBlock block = editor()->document()->findBlockByNumber(last - 1);
            return editor()->viewport()->rect().contains(
                editor()->cursorRect(QTextCursor(block)).center());
        };
        m_dashboard->window.resize(1280, 1400);
        QTRY_VERIFY(isInSight());
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, last)});
        QTRY_COMPARE(editor()->pointers(), (std::vector<int>{9, last}));
        m_dashboard->window.resize(1280, 700);
        QTRY_VERIFY(isInSight());
    }

    void anErrorStandsAtItsLineOnItsRank()
    {
        QVERIFY(m_learn->launch());
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
        QVERIFY(m_learn->launch());
        LessonStep error = lineStep(0, 2);
        error.kind = LessonStep::Kind::Error;
        error.text = "ModuleNotFoundError: No module named 'torch'";
        publish({attemptOf(2), lineStep(0, 2), error});
        QTRY_VERIFY(m_page->findChild<Banner*>()->isVisible());
        QVERIFY(m_page->findChild<Banner*>()->text().contains(QStringLiteral("pip install torch")));
    }

    void aPredictionIsJudgedWhenTheRunGetsThere()
    {
        QVERIFY(m_learn->launch());
        auto* panel = m_page->findChild<QuestionPanel*>();
        QTest::mouseClick(button("No"), Qt::LeftButton);
        QTRY_VERIFY(panel->isPredicted(0));
        m_learn->deadlockSteps();
        QTRY_COMPARE(m_page->player().size(), size_t(4));
        m_learn->endRun();
        QTRY_VERIFY(panel->isAnswered(0));
        QVERIFY(label("Not so"));
        QTRY_VERIFY(scene().findings.front().startsWith(QStringLiteral("Deadlock")));
    }

    void aRightAnswerIsKept()
    {
        QVERIFY(m_learn->launch());
        QTest::mouseClick(button("Yes"), Qt::LeftButton);
        m_learn->deadlockSteps();
        m_learn->endRun();
        QTRY_VERIFY(m_page->findChild<QuestionPanel*>()->isAnswered(0));
        QVERIFY(label("Right"));
        QTRY_VERIFY(lesson::Progress::load().isAnswered("deadlock", 0));
        const LessonListModel& lessons = m_page->lessons();
        const QModelIndex row = lessons.index(lessons.rowOf("deadlock"));
        QTRY_VERIFY2(row.data().toString().startsWith(QStringLiteral("▸")) &&
                         row.data().toString().endsWith(QStringLiteral("1/2")),
                     qPrintable(row.data().toString()));
        QVERIFY(row.data(Qt::ToolTipRole)
                    .toString()
                    .endsWith(QStringLiteral("1 of 2 questions right")));
    }

    /// Another dashboard, or `ringmaster lesson run`.
    void whatAnotherHasAnsweredMeanwhileStaysAndIsShown()
    {
        lesson::Progress elsewhere;
        const auto saved = elsewhere.change([](lesson::Progress& progress) {
            progress.ran("send-recv");
            progress.answered("send-recv", 0, true);
        });
        QVERIFY(saved.has_value());
        const size_t attempts = elsewhere.attempts("deadlock");
        QVERIFY(m_learn->launch());
        QTest::mouseClick(button("Yes"), Qt::LeftButton);
        m_learn->deadlockSteps();
        m_learn->endRun();
        QTRY_COMPARE(lesson::Progress::load().attempts("deadlock"), attempts + 1);
        QVERIFY(lesson::Progress::load().isAnswered("send-recv", 0));
        const LessonListModel& lessons = m_page->lessons();
        const QModelIndex row = lessons.index(lessons.rowOf("send-recv"));
        QTRY_VERIFY2(row.data().toString().contains(QStringLiteral("  1/")),
                     qPrintable(row.data().toString()));
    }

    void aRecordedRunOpensWithoutRunningAnything_data()
    {
        QTest::addColumn<std::string>("run");
        QTest::newRow("of this machine") << std::string("recorded");
        QTest::newRow("of a watched machine") << std::string("gpu1:recorded");
    }

    void aRecordedRunOpensWithoutRunningAnything()
    {
        QFETCH(std::string, run);
        const size_t launches = m_dashboard->cluster.launched().size();
        openRecorded("# as it ran\n",
                     {attemptOf(2), lineStep(0, 9), lineStep(1, 9), lineStep(0, 10)}, run);
        QVERIFY(m_page->isVisible());
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

    /// The lessons are read in the background, which takes its time.
    void aRunThatIsOpenedBeforeTheLessonsAreThereStays()
    {
        m_learn.reset();
        LearnWindow learn;
        Window& dashboard = learn.dashboard();
        RunSummary summary;
        summary.id = "recorded";
        summary.name = "deadlock";
        summary.state = RunState::Stopped;
        summary.purpose = RunPurpose::Lesson;
        dashboard.cluster.setRun(summary);
        QTRY_VERIFY(dashboard.bridge.find("recorded") != nullptr);
        dashboard.window.show();
        dashboard.window.showRun(QStringLiteral("recorded"));
        auto& page = pageOf<LearnPage>(dashboard.window);
        QTRY_VERIFY_WITH_TIMEOUT(page.lessons().rowCount() > 0, LearnWindow::Patience);
        // What it says comes later still.
        const auto text = lesson::packText(*lesson::findPack("deadlock"));
        QVERIFY(text.has_value());
        learn.publishTo("recorded", {LessonStarted{.pack = *text,
                                                   .program = "deadlock.py",
                                                   .source = "# as it ran\n",
                                                   .backend = "gloo",
                                                   .ranks = 2,
                                                   .isHeld = true},
                                     attemptOf(2), lineStep(0, 1), lineStep(1, 1)});
        QTRY_COMPARE(page.findChild<ProgramEditor*>()->toPlainText(),
                     QStringLiteral("# as it ran\n"));
        QTRY_COMPARE(page.player().size(), size_t(2));
    }

    void aLessonThatIsOpenedBeforeTheOthersStays()
    {
        const auto lessonOf = [](const char* name, const char* source) {
            Lesson made;
            made.pack.name = name;
            made.pack.source = source;
            return made;
        };
        LessonListModel lessons;
        const QAbstractItemModelTester tester(
            &lessons, QAbstractItemModelTester::FailureReportingMode::QtTest);
        lessons.add(lessonOf("mine", "1"));
        lessons.add(lessonOf("deadlock", "2"));
        lessons.setLessons({lessonOf("send-recv", "3"), lessonOf("deadlock", "4")});
        QCOMPARE(lessons.rowCount(), 3);
        QVERIFY(lessons.rowOf("mine") >= 0 && lessons.rowOf("send-recv") >= 0);
        QCOMPARE(lessons.lessonAt(lessons.rowOf("deadlock")).pack.source, std::string("2"));
    }

    void whatTheLearnerHasChangedIsThereAgain()
    {
        const QString own = editor()->toPlainText();
        const QString changed = QStringLiteral("# mine\n") + own;
        const auto leaveAndReturn = [this] {
            m_page->chooseLesson("send-recv");
            QVERIFY(!editor()->toPlainText().startsWith(QStringLiteral("# mine")));
            m_page->chooseLesson("deadlock");
        };
        editor()->moveCursor(QTextCursor::Start);
        editor()->insertPlainText(QStringLiteral("# mine\n"));
        leaveAndReturn();
        QCOMPARE(editor()->toPlainText(), changed);
        openRecorded("# as it ran\n", {attemptOf(2), lineStep(0, 9), lineStep(1, 9)});
        QTRY_COMPARE(editor()->toPlainText(), QStringLiteral("# as it ran\n"));
        editor()->insertPlainText(QStringLiteral("# tried\n"));
        leaveAndReturn();
        QCOMPARE(editor()->toPlainText(), changed);
        QTest::mouseClick(button("Reset"), Qt::LeftButton);
        QCOMPARE(editor()->toPlainText(), own);
        editor()->undo();
        QCOMPARE(editor()->toPlainText(), changed);
        QTest::mouseClick(button("Reset"), Qt::LeftButton);
        leaveAndReturn();
        QCOMPARE(editor()->toPlainText(), own);
    }

    void aRecordedRunAsksItsQuestions()
    {
        openRecorded(editor()->toPlainText().toStdString(),
                     m_learn->deadlockOf(m_learn->sendLine()));
        QTRY_COMPARE(m_page->player().size(), size_t(4));
        auto* panel = m_page->findChild<QuestionPanel*>();
        QTRY_VERIFY(button("Ask me"));
        QTest::mouseClick(button("Ask me"), Qt::LeftButton);
        QTRY_VERIFY(m_page->player().position() < 3);
        QTest::mouseClick(button("Yes"), Qt::LeftButton);
        QTRY_VERIFY(panel->isAnswered(0));
        QVERIFY(label("Right"));
        m_dashboard->cluster.settle();
        QVERIFY(m_dashboard->cluster.commands().empty());
    }

    void theWholeScreenIsForTheLessonAndBack()
    {
        QVERIFY(m_learn->deadlock());
        auto* picture = m_page->findChild<LessonPicture*>();
        const double before = picture->boxOf(0).height();
        press(Qt::Key_F11);
        QTRY_VERIFY(m_dashboard->window.isFullScreen());
        QTRY_VERIFY(picture->boxOf(0).height() > before);
        // Nothing is empty: the picture and the program have all of the width.
        auto* moment = m_page->findChild<MomentPanel*>();
        const auto isFull = [&] {
            const QRect left(moment->mapTo(m_page, QPoint()), moment->size());
            const QRect right(editor()->mapTo(m_page, QPoint()), editor()->size());
            const QRect both = left.united(right);
            return both.left() < 60 && both.right() > m_page->width() - 60;
        };
        QTRY_VERIFY(isFull());
        QCOMPARE(editor()->document()->defaultFont().pixelSize(), 18);
        press(Qt::Key_F11);
        QTRY_VERIFY(!m_dashboard->window.isFullScreen());
    }

    void aStartedLessonFitsTheSmallestWindow_data()
    {
        QTest::addColumn<int>("language");
        QTest::newRow("en") << static_cast<int>(Language::Choice::English);
        QTest::newRow("ja") << static_cast<int>(Language::Choice::Japanese);
    }

    void aStartedLessonFitsTheSmallestWindow()
    {
        QFETCH(const int, language);
        QVERIFY(m_learn->deadlock());
        m_dashboard->language.choose(static_cast<Language::Choice>(language));
        m_dashboard->window.resize(1024, 690);
        QTRY_COMPARE(m_dashboard->window.size(), QSize(1024, 690));
        const auto cut = [this] { return cutTexts(*m_page, GivingWay::Allowed).join(u'\n'); };
        QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut()));
        // No line of the program goes on where one would have to scroll to it.
        const ProgramEditor& editor = m_learn->editor();
        QCOMPARE(editor.horizontalScrollBar()->maximum(), 0);
        QVERIFY2(editor.viewport()->width() > 150,
                 qPrintable(QString::number(editor.viewport()->width())));
        // Also of the lesson with the longest name.
        for (int row = 0; row < m_page->lessons().rowCount(); ++row) {
            m_page->chooseLesson(m_page->lessons().lessonAt(row).pack.name);
            QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut()));
            QVERIFY2(m_dashboard->window.width() == 1024, qPrintable(cut()));
        }
        m_dashboard->language.choose(Language::Choice::English);
    }

    void aLargeWindowShowsTheProgramsLinesWhole()
    {
        m_page->chooseLesson("deadlock");
        m_dashboard->window.resize(2560, 1440);
        QTRY_COMPARE(m_dashboard->window.size(), QSize(2560, 1440));
        QTRY_COMPARE(m_learn->editor().horizontalScrollBar()->maximum(), 0);
        QVERIFY(m_learn->editor().lineWrapMode() == QPlainTextEdit::NoWrap);
    }

    /// Where there is room the lesson stands beside what runs it, as wide as its name.
    void theChosenLessonsNameIsWhole()
    {
        m_dashboard->language.choose(Language::Choice::English);
        auto* head = m_page->findChild<LearnHead*>();
        QComboBox* lessons = nullptr;
        for (QComboBox* box : head->findChildren<QComboBox*>())
            if (box->accessibleName() == LearnHead::tr("Lesson to learn"))
                lessons = box;
        QVERIFY(lessons != nullptr);
        const QWidget* run = m_learn->button("Run");
        const auto isBeside = [&] {
            return lessons->isVisible() && lessons->y() + lessons->height() > run->y();
        };
        m_page->chooseLesson("deadlock");
        m_dashboard->window.resize(1200, 700);
        QTRY_VERIFY(isBeside());
        QVERIFY(roomIn(*lessons) >= textWidthOf(*lessons));
        QVERIFY(lessons->view()->minimumWidth() >= lessons->view()->sizeHintForColumn(0));
    }

    void playingGoesAtTheSpeedThatIsChosen()
    {
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9)});
        QTRY_COMPARE(m_page->player().size(), size_t(2));
        auto* speed = m_dashboard->find<QComboBox>(QStringLiteral("Speed"));
        speed->setCurrentIndex(speed->findText(QStringLiteral("8 steps/s")));
        press(Qt::Key_Space);
        QTRY_COMPARE(lastMove(), (MoveLesson{.move = MoveLesson::Move::Play, .stepsASecond = 8}));
        speed->setCurrentIndex(speed->findText(QStringLiteral("20 steps/s")));
        QTRY_COMPARE(lastMove().stepsASecond, 20.0);
    }

    void playingStopsAtAQuestionOnce()
    {
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9)});
        QTRY_COMPARE(m_page->player().size(), size_t(2));
        press(Qt::Key_Space);
        QTRY_COMPARE(lastMove().move, MoveLesson::Move::Play);
        const int line = m_learn->sendLine();
        publish({lineStep(0, line)});
        QTRY_COMPARE(lastMove().move, MoveLesson::Move::Hold);
        QVERIFY(!m_page->player().isPlaying());
        press(Qt::Key_Space);
        QTRY_COMPARE(lastMove().move, MoveLesson::Move::Play);
        publish({lineStep(1, line)});
        QTRY_COMPARE(m_page->player().size(), size_t(4));
        QVERIFY(m_page->player().isPlaying());
    }

    void anOrderIsRepeated()
    {
        QVERIFY(m_learn->launch());
        // Rank 1 was let go first, then rank 0 twice.
        const int line = m_page->player().run()->startLine();
        publish({attemptOf(2), lineStep(0, line), lineStep(1, line), lineStep(1, line + 1),
                 lineStep(0, line + 1), lineStep(0, line + 2)});
        m_learn->endRun();
        QTRY_VERIFY(m_learn->button("Run") != nullptr);
        const size_t before = m_dashboard->cluster.launched().size();
        QTRY_VERIFY(m_learn->actionOf("Run again in the same order")->isEnabled());
        const std::vector<int> order = m_page->player().run()->recording().order(line);
        QCOMPARE(order, (std::vector<int>{1, 0, 0}));
        m_learn->actionOf("Run again in the same order")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->cluster.launched().size(), before + 1,
                                  LearnWindow::Patience);
    }

    void aLessonIsTakenByTheKeyboardAlone()
    {
        // Chosen in the list of all.
        tabTo("Lesson to learn");
        type(Qt::Key_Up);
        QVERIFY(!editor()->toPlainText().contains(QStringLiteral("def exchange(")));
        type(Qt::Key_Down);
        QVERIFY(editor()->toPlainText().contains(QStringLiteral("def exchange(")));
        // Run, predicted, stepped: all ranks, one, until one blocks.
        const size_t launches = m_dashboard->cluster.launched().size();
        type(Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->cluster.launched().size(), launches + 1,
                                  LearnWindow::Patience);
        m_learn->begin();
        type(Qt::Key_A);
        type(Qt::Key_Space);
        auto* panel = m_page->findChild<QuestionPanel*>();
        QTRY_VERIFY(panel->isPredicted(0));
        publish({attemptOf(2), lineStep(0, 9), lineStep(1, 9)});
        QTRY_COMPARE(m_page->player().size(), size_t(2));
        type(Qt::Key_Right);
        const auto isStep = [this] { return lastMove().move == MoveLesson::Move::Step; };
        QTRY_VERIFY2(isStep(), qPrintable(focused()));
        type(Qt::Key_1);
        QTRY_COMPARE(lastMove(), (MoveLesson{.move = MoveLesson::Move::Step, .ranks = {1}}));
        type(Qt::Key_B);
        QTRY_COMPARE(lastMove().move, MoveLesson::Move::ToBlocked);
        // Broken, once the question before it is answered.
        m_learn->faultOf("Pause the worker (SIGSTOP)", 1)->trigger();
        auto* question = m_page->findChild<FaultQuestion*>();
        QVERIFY(question != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(question->isActiveWindow(), LearnWindow::Patience);
        for (const Qt::Key key :
             {Qt::Key_Space, Qt::Key_Down, Qt::Key_Tab, Qt::Key_Space, Qt::Key_Return})
            QTest::keyClick(question->focusWidget(), key);
        const auto isBroken = [this] {
            const auto commands = m_dashboard->cluster.commands();
            return std::ranges::any_of(commands, [](const auto& sent) {
                const auto* fault = std::get_if<InjectFault>(&sent.second);
                return fault != nullptr && fault->kind == InjectFault::Kind::Pause &&
                       fault->globalRank == 1;
            });
        };
        QTRY_VERIFY2(isBroken(), qPrintable(focused()));
        // Looked at, and the answer revealed.
        m_dashboard->window.activateWindow();
        m_learn->deadlockSteps();
        QTRY_COMPARE(m_page->player().size(), size_t(6));
        type(Qt::Key_Home);
        QCOMPARE(m_page->player().position(), size_t(0));
        m_learn->endRun();
        QTRY_VERIFY(panel->isAnswered(0));
        type(Qt::Key_Home);
        type(Qt::Key_A);
        type(Qt::Key_Space);
        QTRY_COMPARE(m_page->player().position(), size_t(5));
    }

    void nothingIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280") << QSize(1280, 800);
        QTest::newRow("1600") << QSize(1600, 1000);
        QTest::newRow("full screen, large type") << QSize();
    }

    /// Right after the language has changed, too, either way: not a turn of the event loop later.
    void nothingIsCut()
    {
        QFETCH(const QSize, size);
        QVERIFY(m_learn->deadlock());
        const auto cut = [this] { return cutTexts(*m_page).join(u'\n'); };
        if (size.isValid())
            m_dashboard->window.resize(size);
        else
            press(Qt::Key_F11);
        QTRY_COMPARE(m_dashboard->window.isFullScreen(), !size.isValid());
        QTRY_VERIFY(!size.isValid() || m_dashboard->window.size() == size);
        QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut()));
        using Choice = Language::Choice;
        for (const Choice language : {Choice::Japanese, Choice::English, Choice::Japanese}) {
            m_dashboard->language.choose(language);
            QVERIFY2(cut().isEmpty(), qPrintable(cut()));
            press(Qt::Key_Left);
            QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut()));
        }
        for (const Choice language : {Choice::English, Choice::Japanese}) {
            for (int row = 0; row < m_page->lessons().rowCount(); ++row) {
                m_page->chooseLesson(m_page->lessons().lessonAt(row).pack.name);
                QTRY_VERIFY2(cut().isEmpty(), qPrintable(cut()));
            }
            m_dashboard->language.choose(language);
            QVERIFY2(cut().isEmpty(), qPrintable(cut()));
        }
    }

private:
    /// A finished run of "deadlock" from elsewhere, shown over another lesson.
    void openRecorded(const std::string& source, const std::vector<EventBody>& steps,
                      const std::string& run = "recorded")
    {
        const auto text = lesson::packText(*lesson::findPack("deadlock"));
        QVERIFY(text.has_value());
        RunSummary summary;
        summary.id = run;
        summary.name = "deadlock";
        summary.state = RunState::Stopped;
        summary.purpose = RunPurpose::Lesson;
        m_dashboard->cluster.setRun(summary);
        m_learn->publishTo(run, {LessonStarted{.pack = *text,
                                               .program = "deadlock.py",
                                               .source = source,
                                               .backend = "gloo",
                                               .ranks = 2,
                                               .isHeld = true}});
        m_learn->publishTo(run, steps);
        m_dashboard->cluster.endRun(run);
        QTRY_VERIFY(m_dashboard->bridge.find(run) != nullptr);
        m_page->chooseLesson("send-recv");
        m_dashboard->window.showRun(QString::fromStdString(run));
    }

    /// What has the focus, for whoever reads why a key went wrong.
    static QString focused()
    {
        const QWidget* widget = QApplication::focusWidget();
        return widget == nullptr ? QStringLiteral("nothing")
                                 : QString::fromLatin1(widget->metaObject()->className()) + u' ' +
                                       widget->accessibleName();
    }

    /// To whatever has the focus.
    void type(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::focusWidget() != nullptr, LearnWindow::Patience);
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }

    void tabTo(const char* name)
    {
        constexpr int MostTabs = 60;
        for (int tab = 0; tab < MostTabs; ++tab) {
            QWidget* focused = QApplication::focusWidget();
            if (focused != nullptr && focused->accessibleName() == QLatin1String(name))
                return;
            QTest::keyClick(focused == nullptr ? &m_dashboard->window : focused, Qt::Key_Tab);
        }
        QFAIL(name);
    }

    bool label(const char* part) { return m_learn->says(part); }
    void press(Qt::Key key) { m_learn->press(key); }
    MoveLesson lastMove() { return m_learn->lastMove(); }
};

QTEST_MAIN(tst_learn)
#include "tst_learn.moc"
