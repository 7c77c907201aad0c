#include "app/jobs/EvidencePanel.h"
#include "app/jobs/LogPanel.h"
#include "tests/app/JobTest.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QPixmap>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

/// Where the ranks of a job stand, asked for and kept, on the job's page.
class tst_evidence_panel : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void aButtonShowsWhereTheRanksStandNow()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->scenario.stacks(run);
        open(run);
        QVERIFY(!panel().isVisible());
        QTest::mouseClick(button("Show stacks", page()), Qt::LeftButton);
        QVERIFY(panel().isVisible());
        QTRY_COMPARE(texts(),
                     (QStringList{QStringLiteral("Ranks 0, 1, 3-7"), QStringLiteral("Rank 2")}));
        const QModelIndex fold = tree().model()->index(0, 0);
        QVERIFY(tree().isExpanded(fold));
        QVERIFY2(fold.siblingAtColumn(1).data().toString().startsWith(
                     QStringLiteral("In all_reduce #412")),
                 qPrintable(fold.siblingAtColumn(1).data().toString()));
        // The main thread is open, and of its calls the innermost of the user's own stands out.
        const QModelIndex thread = tree().model()->index(0, 0, fold);
        QVERIFY(tree().isExpanded(thread));
        QCOMPARE(thread.siblingAtColumn(1).data().toString(), QStringLiteral("read by py-spy"));
        const QModelIndex call = tree().model()->index(1, 0, thread);
        QCOMPARE(call.data().toString(), QStringLiteral("step"));
        QCOMPARE(call.siblingAtColumn(1).data().toString(),
                 QStringLiteral("/home/mika/jobs/mnist/train.py:88"));
        QVERIFY(call.data(Qt::FontRole).value<QFont>().bold());
        QVERIFY(!call.siblingAtRow(0).data(Qt::FontRole).value<QFont>().bold());
        const QModelIndex process = tree().model()->index(1, 0, fold);
        QCOMPARE(process.siblingAtColumn(1).data().toString(),
                 QStringLiteral("waiting, in futex, in the kernel: futex_do_wait"));

        showTab("Log");
        QVERIFY(!panel().isVisible());
        QVERIFY(page().findChild<LogPanel*>()->isVisible());
    }

    void whatWasKeptIsShownOfAFinishedRun()
    {
        const std::string run = m_dashboard->scenario.failed();
        m_dashboard->scenario.evidence(run);
        open(run);
        showTab("Evidence");
        QTRY_COMPARE(texts(),
                     (QStringList{QStringLiteral("Ranks 0, 1, 3-7"), QStringLiteral("Rank 2")}));
        QVERIFY(!button("Show stacks", panel())->isVisible());
        QVERIFY(!panel().findChild<QComboBox*>()->isVisible());
    }

    /// The newest is shown, the others can be chosen.
    void eachAttemptHasItsOwn()
    {
        const std::string run = m_dashboard->scenario.failed();
        m_dashboard->scenario.evidence(run);
        m_dashboard->scenario.evidence(run, 1);
        open(run);
        showTab("Evidence");
        auto* choice = panel().findChild<QComboBox*>();
        QTRY_COMPARE(choice->count(), 2);
        QVERIFY(choice->isVisible());
        QVERIFY2(choice->itemText(0).startsWith(QStringLiteral("Attempt 2, ")) &&
                     choice->itemText(0).endsWith(QStringLiteral(": Stopped by the user.")),
                 qPrintable(choice->itemText(0)));
        QCOMPARE(choice->currentIndex(), 0);
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Down);
        QVERIFY(choice->currentText().startsWith(QStringLiteral("Attempt 1, ")));
        QCOMPARE(texts(),
                 (QStringList{QStringLiteral("Ranks 0, 1, 3-7"), QStringLiteral("Rank 2")}));
    }

    void allOfItCanBeCopied()
    {
        const std::string run = m_dashboard->scenario.failed();
        m_dashboard->scenario.evidence(run);
        open(run);
        showTab("Evidence");
        QTRY_VERIFY(button("Copy", panel())->isEnabled());
        QTest::mouseClick(button("Copy", panel()), Qt::LeftButton);
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(
            copied.contains(QStringLiteral("Rank 2")) &&
                copied.contains(QStringLiteral("    step\t/home/mika/jobs/mnist/train.py:88\n")),
            qPrintable(copied));
    }

    void withoutAnyItSaysWhatWillBeHere()
    {
        open(m_dashboard->scenario.finished());
        showTab("Evidence");
        QVERIFY(panel().isVisible() && !tree().isVisible());
        QVERIFY(!button("Copy", panel())->isEnabled());
    }

    void nobodyIsRunning()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        QTest::mouseClick(button("Show stacks", page()), Qt::LeftButton);
        const auto isSaid = [this] {
            for (const QLabel* label : panel().findChildren<QLabel*>()) {
                if (label->isVisible() &&
                    label->text() == QStringLiteral("No rank is running now."))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(isSaid());
    }

    void theKeyboardGoesThroughIt()
    {
        const std::string run = m_dashboard->scenario.failed();
        m_dashboard->scenario.evidence(run);
        open(run);
        page().findChild<LogPanel*>()->findChild<QTabBar*>()->setFocus();
        QTest::keyClick(m_dashboard->window.focusWidget(), Qt::Key_Right);
        QTest::keyClick(m_dashboard->window.focusWidget(), Qt::Key_Right);
        QTRY_VERIFY(tree().isVisible());
        QCOMPARE(tree().accessibleName(),
                 QStringLiteral("Where the ranks stood, equal stacks once"));
        tree().setFocus();
        tree().setCurrentIndex(tree().model()->index(0, 0));
        QTest::keyClick(&tree(), Qt::Key_Left);
        QVERIFY(!tree().isExpanded(tree().model()->index(0, 0)));
        QTest::keyClick(&tree(), Qt::Key_Down);
        QCOMPARE(tree().currentIndex().data().toString(), QStringLiteral("Rank 2"));
        QTest::keyClick(&tree(), Qt::Key_Tab);
        QVERIFY(!tree().hasFocus());
    }

    void itSpeaksJapanese()
    {
        m_dashboard->language.choose(Language::Choice::Japanese);
        const std::string run = m_dashboard->scenario.failed();
        m_dashboard->scenario.evidence(run);
        open(run);
        showTab("根拠");
        QTRY_COMPARE(texts(), (QStringList{QString::fromUtf8("ランク 0, 1, 3-7"),
                                           QString::fromUtf8("ランク 2")}));
        m_dashboard->language.choose(Language::Choice::English);
        QTRY_COMPARE(texts().last(), QStringLiteral("Rank 2"));
    }

    void pictures_data()
    {
        QTest::addColumn<int>("theme");
        QTest::addColumn<int>("language");
        QTest::newRow("light-en") << static_cast<int>(Theme::Mode::Light)
                                  << static_cast<int>(Language::Choice::English);
        QTest::newRow("dark-ja") << static_cast<int>(Theme::Mode::Dark)
                                 << static_cast<int>(Language::Choice::Japanese);
    }
    /// For a person to look at.
    void pictures()
    {
        QFETCH(int, theme);
        QFETCH(int, language);
        m_dashboard->theme.setMode(static_cast<Theme::Mode>(theme));
        m_dashboard->language.choose(static_cast<Language::Choice>(language));
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->scenario.collectives(run);
        m_dashboard->scenario.stacks(run);
        open(run);
        m_dashboard->scenario.hangs(run);
        m_dashboard->window.resize(1440, 900);
        const bool isEnglish = language == static_cast<int>(Language::Choice::English);
        button(isEnglish ? "Show stacks" : "スタックを表示", page())->click();
        QTRY_COMPARE(texts().size(), 2);
        const QString folder = QStringLiteral(RINGMASTER_BUILD_DIR "/screenshots");
        QVERIFY(QDir().mkpath(folder));
        const QString file = folder + QStringLiteral("/evidence-") +
                             QString::fromUtf8(QTest::currentDataTag()) + QStringLiteral(".png");
        QVERIFY(m_dashboard->window.grab().save(file));
    }

private:
    EvidencePanel& panel() { return *page().findChild<EvidencePanel*>(); }
    QTreeView& tree() { return *panel().findChild<QTreeView*>(); }

    void showTab(const char* text)
    {
        for (QTabBar* tabs : page().findChildren<QTabBar*>()) {
            for (int tab = 0; tabs->isVisible() && tab < tabs->count(); ++tab) {
                if (tabs->tabText(tab) != QString::fromUtf8(text))
                    continue;
                QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
                return;
            }
        }
        QFAIL(text);
    }

    /// The one that is visible, else any.
    static QToolButton* button(const char* text, const QWidget& of)
    {
        QToolButton* found = nullptr;
        for (QToolButton* button : of.findChildren<QToolButton*>()) {
            if (button->text() == QString::fromUtf8(text) &&
                (found == nullptr || !found->isVisible()))
                found = button;
        }
        return found;
    }

    QStringList texts()
    {
        QStringList texts;
        for (int row = 0; row < tree().model()->rowCount(); ++row)
            texts += tree().model()->index(row, 0).data().toString();
        return texts;
    }
};

QTEST_MAIN(tst_evidence_panel)
#include "tst_evidence_panel.moc"
