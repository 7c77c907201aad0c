#include "app/jobs/WorkerTiles.h"
#include "app/main/SideBar.h"
#include "app/model/EventTableModel.h"
#include "app/model/EventText.h"
#include "app/model/RunListModel.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/Banner.h"
#include "app/widget/Pill.h"
#include "engine/diagnose/Codes.h"
#include "engine/event/Codes.h"
#include "tests/app/JobTest.h"

#include <QAbstractButton>
#include <QDir>
#include <QFileDialog>
#include <QListView>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::app;

/// What the diagnosis says of a job, from its events to the banner.
class tst_job_verdicts : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        JobTest::init();
        m_run = m_dashboard->scenario.restartedAndRunning();
        open(m_run);
    }

    void waitingIsANeutralLineUntilItIsOver()
    {
        m_dashboard->scenario.waits(m_run);
        QTRY_VERIFY2(banner().text().startsWith(QStringLiteral("Waiting. Ranks 0-1 and 3-7 have")),
                     qPrintable(banner().text()));
        QCOMPARE(banner().severity(), Notice::Severity::Info);
        QVERIFY(!details().isVisible());
        QTest::mouseClick(button("Show evidence"), Qt::LeftButton);
        QVERIFY(details().isVisible());
        QVERIFY2(details().toPlainText().contains(QStringLiteral("Rank 2 computes")),
                 qPrintable(details().toPlainText()));
        m_dashboard->scenario.waitIsOver(m_run);
        QTRY_VERIFY2(isAboutThePast(), qPrintable(banner().text()));
    }

    void aHangTakesTheWaitsPlaceAndSaysWhatHelps()
    {
        m_dashboard->scenario.waits(m_run);
        m_dashboard->scenario.hangs(m_run);
        QTRY_VERIFY2(banner().text().startsWith(QStringLiteral("The job hangs. Ranks 0-1 and 3-7")),
                     qPrintable(banner().text()));
        QCOMPARE(banner().severity(), Notice::Severity::Error);
        QCOMPARE(banner().shape(), Glyph::Diamond);
        QVERIFY(banner().text().contains(QStringLiteral("ringmaster signal 2 SIGCONT")));
        QCOMPARE(page().run().snapshot().verdicts.size(), size_t{1});
        m_dashboard->scenario.waitIsOver(m_run);
        QTRY_VERIFY2(isAboutThePast(), qPrintable(banner().text()));
    }

    void whatFilesToldOfAHangIsWhatTheBannerSays()
    {
        m_dashboard->scenario.hangs(m_run);
        m_dashboard->cluster.publish(
            m_run, Scenario::ago(0),
            RunStateChanged{RunState::Lost, {code::ImportedEndUnknown, {}, {}}, 0});
        QTRY_VERIFY2(banner().text().startsWith(
                         QStringLiteral("It hung when this was recorded. Ranks 0-1 and 3-7")),
                     qPrintable(banner().text()));
        QCOMPARE(badge().word(), QStringLiteral("Recorded"));
        const auto tile = [this](int rank) {
            return tiles().model()->index(rank, 0).data(WorkerTableModel::WordRole).toString();
        };
        QCOMPARE(tile(2), QStringLiteral("Stopped"));
        QCOMPARE(tile(0), QStringLiteral("Waiting"));
    }

    void filesThatTellOfNoTroubleAreNoLostAgent()
    {
        m_dashboard->scenario.waitIsOver(m_run);
        m_dashboard->cluster.publish(
            m_run, Scenario::ago(0),
            RunStateChanged{RunState::Lost, {code::ImportedEndUnknown, {}, {}}, 0});
        QTRY_VERIFY2(banner().text().startsWith(QStringLiteral("Opened from files. How the job")),
                     qPrintable(banner().text()));
        QCOMPARE(banner().severity(), Notice::Severity::Info);
    }

    void aHangIsOneWordEverywhere()
    {
        const auto tile = [this](int rank) {
            return tiles().model()->index(rank, 0).data(WorkerTableModel::WordRole).toString();
        };
        QCOMPARE(badge().word(), QStringLiteral("Running"));
        m_dashboard->scenario.hangs(m_run);
        // For 6 s and as long as this takes, not since the job began.
        QTRY_VERIFY2(badge().word().startsWith(QStringLiteral("Hanging 0:")),
                     qPrintable(badge().word()));
        QCOMPARE(m_dashboard->window.windowTitle(),
                 QStringLiteral("Hanging – %1 – Ringmaster")
                     .arg(QString::fromStdString(m_dashboard->bridge.find(m_run)->name)));
        QCOMPARE(tile(2), QStringLiteral("Stopped"));
        QCOMPARE(tile(0), QStringLiteral("Waiting"));
        QTRY_VERIFY2(sideBarLine().startsWith(QStringLiteral("Hanging 0:")),
                     qPrintable(sideBarLine()));
        QTRY_VERIFY(chip("Stopped 1") != nullptr && chip("Stopped 1")->isVisible());
        QVERIFY(chip("Waiting 7") != nullptr && chip("Waiting 7")->isVisible());
        QCOMPARE(lastSpan(2).health, Health::Stopped);
        m_dashboard->scenario.waitIsOver(m_run);
        QTRY_COMPARE(badge().word(), QStringLiteral("Running"));
        QCOMPARE(tile(2), QStringLiteral("Running"));
        QVERIFY(m_dashboard->window.windowTitle().startsWith(QStringLiteral("Running – ")));
        QCOMPARE(lastSpan(2).health, Health::Running);
        // What it was in stays to be seen.
        QCOMPARE(lastSpan(2, 1).health, Health::Stopped);
        QVERIFY(!lastSpan(2, 1).isOpen);
        QCOMPARE(lastSpan(0, 1).health, Health::Waiting);
    }

    void aStoppedRankIsLetGoOnByAButton()
    {
        m_dashboard->scenario.waits(m_run);
        QTRY_VERIFY(banner().text().startsWith(QStringLiteral("Waiting.")));
        QVERIFY(button("Continue rank 2") == nullptr);
        m_dashboard->scenario.hangs(m_run);
        QTRY_VERIFY(button("Continue rank 2") != nullptr && button("Continue rank 2")->isVisible());
        QTest::mouseClick(button("Continue rank 2"), Qt::LeftButton);
        QTRY_VERIFY(!m_dashboard->cluster.commands().empty());
        const SignalWorker wanted{.globalRank = 2, .signal = SIGCONT};
        QVERIFY(std::get<SignalWorker>(m_dashboard->cluster.commands().front().second) == wanted);
        m_dashboard->scenario.waitIsOver(m_run);
        QTRY_VERIFY(button("Continue rank 2") == nullptr ||
                    !button("Continue rank 2")->isVisible());
    }

    void whatNamesRanksCanBecomeALesson()
    {
        m_dashboard->scenario.waits(m_run);
        QTRY_VERIFY(banner().text().startsWith(QStringLiteral("Waiting.")));
        QAction* make = nullptr;
        for (QAction* action : m_dashboard->window.findChildren<QAction*>()) {
            if (action->text() == QStringLiteral("Make a lesson of it…"))
                make = action;
        }
        QVERIFY(make != nullptr && !make->isEnabled());
        m_dashboard->scenario.hangs(m_run);
        QTRY_VERIFY(make->isEnabled());
        make->trigger();
        auto* dialog = page().findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        QSignalSpy told(&page(), &JobPage::toastRequested);
        const QTemporaryDir folder;
        Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("a.ringlesson")));
        dialog->close();
        // The made-up run is in no folder.
        QTRY_COMPARE(told.count(), 1);
        QVERIFY2(told.front().front().toString().contains(QString::fromStdString(m_run)),
                 qPrintable(told.front().front().toString()));
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void secondsGoOn()
    {
        m_dashboard->scenario.waits(m_run);
        const auto seconds = [this] {
            static const QRegularExpression waited(
                QStringLiteral("(?:has|have) waited ([0-9.]+) s"));
            return waited.match(banner().text()).captured(1).toDouble();
        };
        QTRY_VERIFY(seconds() >= 6);
        const double first = seconds();
        QTRY_VERIFY2(seconds() > first, qPrintable(banner().text()));
    }

    void evidenceHasTheStack()
    {
        m_dashboard->scenario.hangs(m_run);
        QTRY_VERIFY(button("Show evidence") != nullptr && button("Show evidence")->isVisible());
        QTest::mouseClick(button("Show evidence"), Qt::LeftButton);
        QVERIFY2(details().toPlainText().contains(QStringLiteral("train.py line 88")) &&
                     details().toPlainText().contains(QStringLiteral("    Thread 1")),
                 qPrintable(details().toPlainText()));
    }

    void anEndSaysItsOwnReasonFirst()
    {
        m_dashboard->cluster.publish(m_run, Scenario::ago(0),
                                     RunStateChanged{RunState::Stopped, {code::None}, 130});
        QTRY_VERIFY2(banner().text().startsWith(QStringLiteral("Stopped by you.")),
                     qPrintable(banner().text()));
        QVERIFY2(banner().text().contains(QStringLiteral("Restarted before, after attempt 1: ")),
                 qPrintable(banner().text()));
        QVERIFY2(!banner().text().contains(QStringLiteral("First cause")),
                 qPrintable(banner().text()));
        QCOMPARE(banner().severity(), Notice::Severity::Info);
        QCOMPARE(banner().shape(), Glyph::Square);
        QCOMPARE(badge().word(), QStringLiteral("Stopped by you"));
    }

    void aStopDuringAHangSaysBoth()
    {
        m_dashboard->scenario.hangs(m_run);
        m_dashboard->cluster.publish(m_run, Scenario::ago(0),
                                     RunStateChanged{RunState::Stopped, {code::None}, 130});
        QTRY_VERIFY2(banner().text().startsWith(QStringLiteral("Stopped by you. Ranks 0-1 and")),
                     qPrintable(banner().text()));
        QCOMPARE(banner().severity(), Notice::Severity::Info);
        QCOMPARE(banner().shape(), Glyph::Square);
    }

    void theListHasVerdicts()
    {
        const auto described = [](Verdict::Kind kind, bool isStanding) {
            return describeEvent(Event{.body = Verdict{.kind = kind,
                                                       .isStanding = isStanding,
                                                       .guilty = {2},
                                                       .statement = {code::HangDead, {}, {}}}});
        };
        QCOMPARE(described(Verdict::Kind::Waiting, true).kind, QStringLiteral("Waiting"));
        QVERIFY(described(Verdict::Kind::Waiting, true).severity == Notice::Severity::Info);
        QCOMPARE(described(Verdict::Kind::Hang, true).kind, QStringLiteral("Verdict"));
        QCOMPARE(described(Verdict::Kind::Hang, true).globalRank, 2);
        QVERIFY(described(Verdict::Kind::Hang, true).severity == Notice::Severity::Error);
        QVERIFY(described(Verdict::Kind::Straggler, true).severity == Notice::Severity::Warning);
        QVERIFY(described(Verdict::Kind::Hang, false).severity == Notice::Severity::Info);
    }

    void theBannerSpeaksJapanese()
    {
        m_dashboard->language.choose(Language::Choice::Japanese);
        m_dashboard->scenario.waits(m_run);
        QTRY_VERIFY2(banner().text().contains(QString::fromUtf8("ランク 2 を待っています")),
                     qPrintable(banner().text()));
        m_dashboard->scenario.hangs(m_run);
        QTRY_VERIFY2(banner().text().startsWith(QString::fromUtf8("ジョブがハングしています。")),
                     qPrintable(banner().text()));
        static const QRegularExpression english(QStringLiteral("[a-z]{3,} [a-z0-9]+"));
        // A stack is as Python writes it, a command as the shell takes it.
        QString own = banner().text().section(QStringLiteral("\n    Thread"), 0, 0);
        own.remove(QRegularExpression(QStringLiteral("`[^`]*`")));
        QVERIFY2(!english.match(own).hasMatch(), qPrintable(own));
        QVERIFY(button("根拠を表示") != nullptr);
    }

private:
    Banner& banner() { return *page().findChild<Banner*>(); }
    StatusBadge& badge() { return *page().findChild<StatusBadge*>(); }
    WorkerTiles& tiles() { return *page().findChild<WorkerTiles*>(); }

    FilterChip* chip(const char* text)
    {
        for (FilterChip* chip : page().findChildren<FilterChip*>()) {
            if (chip->text() == QString::fromUtf8(text))
                return chip;
        }
        return nullptr;
    }

    QString sideBarLine()
    {
        const QAbstractItemModel* runs =
            m_dashboard->window.findChild<SideBar*>()->findChild<QListView*>()->model();
        return runs->index(0, 0).data(RunListModel::LineRole).toString();
    }

    /// The last span of a rank, or one before it.
    StateSpan lastSpan(int rank, size_t before = 0)
    {
        const auto& lane = page().run().history().lane(rank);
        return *page().run().history().span(lane[lane.size() - 1 - before]);
    }

    QPlainTextEdit& details() { return *banner().findChild<QPlainTextEdit*>(); }

    bool isAboutThePast()
    {
        return banner().text().startsWith(QStringLiteral("Restarted after attempt 1."));
    }

    QAbstractButton* button(const char* text)
    {
        for (QAbstractButton* button : banner().findChildren<QAbstractButton*>()) {
            if (button->text() == QString::fromUtf8(text))
                return button;
        }
        return nullptr;
    }

    std::string m_run;
};

QTEST_MAIN(tst_job_verdicts)
#include "tst_job_verdicts.moc"
