#include "app/jobs/LessonExport.h"
#include "app/learn/LaneView.h"
#include "app/learn/MomentPanel.h"
#include "app/learn/QuestionPanel.h"
#include "app/widget/Toast.h"
#include "engine/lesson/ClassSheet.h"
#include "engine/lesson/Progress.h"
#include "tests/app/CutTexts.h"
#include "tests/app/LearnTest.h"
#include "tests/lesson/RecordedHang.h"

#include <QAction>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QThreadPool>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

/// A lesson of a recorded job on the Learn page: nothing runs, and only what was recorded is shown.
class tst_learn_recorded : public LearnTest
{
    Q_OBJECT

private Q_SLOTS:
    void opensAtItsBeginningAndRunsNothing()
    {
        m_dashboard->window.resize(1600, 900);
        open();
        QCOMPARE(m_page->player().size(), size_t(8));
        QCOMPARE(m_page->player().position(), size_t(0));
        QVERIFY(button("Run") == nullptr);
        QVERIFY(button("Inject fault ▾") == nullptr);
        for (const QSpinBox* box : m_page->findChildren<QSpinBox*>())
            QVERIFY(!box->isVisible());
        QVERIFY(m_learn->says("recorded, nothing runs: 6 ranks"));
        press(Qt::Key_Return, Qt::ControlModifier);
        m_dashboard->cluster.settle();
        QVERIFY(m_dashboard->cluster.launched().empty());
        QVERIFY2(m_learn->says("weren't recorded, and so aren't shown"), "where it comes from");
    }

    void showsTheRanksThatItHasAndWhoTheyWaitFor()
    {
        open();
        QCOMPARE(ranksShown(), (std::vector<int>{0, 2, 5}));
        QCOMPARE(scene().ranks[1].state, QStringLiteral("Running"));
        press(Qt::Key_End);
        QCOMPARE(scene().ranks[0].state, QStringLiteral("Blocked"));
        QCOMPARE(scene().ranks[1].state, QStringLiteral("Running"));
        // Where it computes, nobody has told.
        QCOMPARE(scene().ranks[1].line, 0);
        QCOMPARE(scene().collectives.back().members, (std::vector<int>{0, 2, 5}));
        QVERIFY(scene().collectives.back().name.contains(QStringLiteral("#128")));
        std::vector<std::pair<int, int>> waits;
        for (const LessonScene::Link& link : scene().links)
            waits.emplace_back(link.from, link.to);
        QCOMPARE(waits, (std::vector<std::pair<int, int>>{{0, 2}, {5, 2}}));
        const auto* lanes = m_page->findChild<LaneView*>();
        QVERIFY(lanes->laneOf(5).top() > lanes->laneOf(2).top());
        QVERIFY(lanes->laneOf(5).bottom() <= lanes->sizeHint().height());
        auto* picture = m_page->findChild<LessonPicture*>();
        for (const int rank : {0, 2, 5, 0}) {
            QTest::keyClick(picture, Qt::Key_Down);
            QCOMPARE(picture->selectedRank(), rank);
        }
        save(QStringLiteral("learn-recorded"));
    }

    void theVerdictIsSaidAtTheEnd()
    {
        open();
        QVERIFY(!m_learn->says("which does nothing"));
        press(Qt::Key_End);
        QVERIFY2(m_learn->says("Ranks 0 and 5 have waited 6.2 s in all_reduce #128"),
                 qPrintable(scene().findings.join(u'\n')));
        QVERIFY(m_learn->says("Rank 2 sleeps."));
    }

    void theLinesHaveTheirOwnNumbers()
    {
        open();
        QVERIFY(editor()->isReadOnly());
        QCOMPARE(editor()->toPlainText(),
                 QStringLiteral("# train.py\nfor step in range(9):\n    reduce()"));
        QCOMPARE(editor()->numberOf(1), 0);
        QCOMPARE(editor()->numberOf(3), 31);
        // Rank 0 has called in line 31, which is the third one here.
        QCOMPARE(editor()->pointers().at(0), 3);
        press(Qt::Key_End);
        QCOMPARE(editor()->pointers(), (std::vector<int>{3, 0, 0, 0, 0, 3}));
        QVERIFY(button("Reset") == nullptr);
        // A lesson with a program has its own again.
        m_page->chooseLesson("deadlock");
        QVERIFY(!editor()->isReadOnly());
        QCOMPARE(editor()->numberOf(3), 3);
        QVERIFY(button("Run") != nullptr);
    }

    void theRecordingMarksTheAnswer()
    {
        open();
        QTest::mouseClick(button("Ask me"), Qt::LeftButton);
        QCOMPARE(m_page->player().position(), size_t(5));
        QTRY_VERIFY(button("rank 0") != nullptr && button("rank 2") != nullptr);
        QTest::mouseClick(button("rank 0"), Qt::LeftButton);
        QTRY_VERIFY(m_learn->says("It is rank 2: see step 8"));
        QCOMPARE(m_page->player().position(), size_t(7));
        QTRY_COMPARE(lesson::Progress::load().attempts("run-x7k2"), size_t(1));
        QCOMPARE(lesson::Progress::load().right("run-x7k2"), size_t(0));
    }

    void whatTheFileSaysIsNoMarkup()
    {
        lesson::Pack pack = test::pack();
        pack.recording->verdict.evidence.front().parameters["rank"] = "<img src='/etc/passwd'>";
        open(pack);
        press(Qt::Key_End);
        const auto labels = m_page->findChild<MomentPanel*>()->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().contains(QStringLiteral("<img")) &&
                   label->textFormat() == Qt::PlainText;
        }));
    }

    void answersAreHandedIn()
    {
        open();
        m_learn->actionOf("Save my answers…")->trigger();
        auto* name = m_page->findChild<QInputDialog*>(QStringLiteral("learner"));
        QVERIFY(name != nullptr);
        name->setTextValue(QStringLiteral(" Ada  Lovelace "));
        name->accept();
        QTRY_VERIFY(m_page->findChild<QFileDialog*>() != nullptr);
        const QString path = m_folder.filePath(QStringLiteral("ada.json"));
        Q_EMIT m_page->findChild<QFileDialog*>()->fileSelected(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->window.toast().text(),
                                  QStringLiteral("Saved ") + path, LearnWindow::Patience);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto answers = lesson::parseAnswers(file.readAll().toStdString());
        QVERIFY(answers.has_value());
        QCOMPARE(answers->learner, std::string("Ada Lovelace"));
        const auto recorded = std::ranges::find(answers->lessons, std::string("run-x7k2"),
                                                &lesson::LearnerAnswers::OfLesson::lesson);
        QVERIFY(recorded != answers->lessons.end());
        QCOMPARE(recorded->questions, size_t(1));
    }

    /// Another job may be looked at meanwhile.
    void whileOneIsMadeItsPageMayGo()
    {
        QWidget window;
        auto page = std::make_unique<QWidget>(&window);
        auto* made = new LessonExport(page.get());
        made->chooseFile("none");
        auto* dialog = page->findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        Q_EMIT dialog->fileSelected(m_folder.filePath(QStringLiteral("none.ringlesson")));
        page.reset();
        QVERIFY(window.findChild<QThreadPool*>() != nullptr);
        QTRY_VERIFY(window.findChild<QThreadPool*>() == nullptr);
    }

private:
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        m_learn->press(key, modifiers);
    }

    void open(const lesson::Pack& pack = test::pack())
    {
        const QString path = m_folder.filePath(QStringLiteral("made.ringlesson"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(lesson::packTextOf(pack)));
        file.close();
        m_learn->actionOf("Open a lesson…")->trigger();
        auto* dialog = m_page->findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        Q_EMIT dialog->fileSelected(path);
        dialog->close();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->player().size() > 0, LearnWindow::Patience);
        // The dialog had the keyboard.
        m_dashboard->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_dashboard->window, LearnWindow::Patience));
    }

    std::vector<int> ranksShown()
    {
        std::vector<int> ranks;
        for (const LessonScene::Rank& rank : scene().ranks)
            ranks.push_back(rank.rank);
        return ranks;
    }
};

QTEST_MAIN(tst_learn_recorded)
#include "tst_learn_recorded.moc"
