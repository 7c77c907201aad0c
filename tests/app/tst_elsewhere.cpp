#include "app/bridge/MachineBridge.h"
#include "app/jobs/ElsewhereCard.h"
#include "app/jobs/ForeignJobDialog.h"
#include "app/jobs/JobsList.h"
#include "app/jobs/JobsPage.h"
#include "app/model/ForeignJobModel.h"
#include "app/widget/Banner.h"
#include "app/widget/ElidedLabel.h"
#include "engine/attach/JobLook.h"
#include "engine/attach/StackComparison.h"
#include "engine/control/Codes.h"
#include "engine/diagnose/Codes.h"
#include "tests/app/CutTexts.h"
#include "tests/app/FakeMachines.h"
#include "tests/app/Window.h"
#include "tests/support/Patience.h"
#include "tests/support/TorchInterpreter.h"
#include "tests/support/TorchrunJob.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTreeView>
#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// What a machine would show; told from the test's thread, asked on another.
class FakeMachine : public ForeignJobs::Machine
{
public:
    struct State
    {
        std::mutex mutex{};
        std::vector<WatchedJob> jobs{};
        Result<std::vector<WatchedJob>> jobsOrTrouble() const
        {
            return trouble ? Result<std::vector<WatchedJob>>(tl::unexpected(*trouble)) : jobs;
        }
        SeenJob seen{};
        std::optional<Error> trouble{}; ///< The machine isn't reached.
        int finds = 0;
        int looks = 0;
        bool isCancelled = false;
        std::vector<std::string> ended{};
        Result<void> answer{};
        QThread* thread = nullptr;
    };

    explicit FakeMachine(std::shared_ptr<State> state) : m_state(std::move(state)) {}

    Result<std::vector<WatchedJob>> find() override
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->thread = QThread::currentThread();
        ++m_state->finds;
        return m_state->jobsOrTrouble();
    }
    Result<JobFindings> look(const NamedJob&) override
    {
        const std::scoped_lock lock(m_state->mutex);
        ++m_state->looks;
        return findingsOf(m_state->seen);
    }
    Result<void> end(const NamedJob& job) override
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->ended.push_back(job.name);
        return m_state->answer;
    }
    void cancel() override
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->isCancelled = true;
    }

private:
    std::shared_ptr<State> m_state;
};

WatchedJob torchrunJob()
{
    using State = ForeignRankUse::State;
    WatchedJob watched{.job = {.launcher = ForeignJob::Launcher::Torchrun,
                               .name = "train.py",
                               .user = "ada",
                               .store = "127.0.0.1:29500",
                               .worldSize = 3,
                               .started = {.pid = 4711, .startTime = 9},
                               .startedNs = 1'700'000'000'000'000'000}};
    for (int rank = 0; rank < 3; ++rank) {
        watched.job.ranks.push_back({.rank = rank,
                                     .process = {.pid = 4720 + rank, .startTime = 10},
                                     .command = "python train.py --epochs 10"});
        watched.ranks.push_back({.rank = rank,
                                 .state = rank == 2 ? State::Stopped : State::Running,
                                 .cpuShare = 0.5,
                                 .residentBytes = 256LL << 20});
    }
    return watched;
}

diagnose::Stack stackIn(const std::string& function, int line, bool isInCollective)
{
    diagnose::Stack stack;
    if (isInCollective)
        stack.frames.push_back(
            {.function = "all_reduce",
             .file = "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py",
             .line = 2500});
    stack.frames.push_back({.function = function, .file = "/home/ada/train.py", .line = line});
    return stack;
}

/// Ranks 0 and 2 wait for rank 1.
SeenJob seenJob()
{
    SeenJob seen{.spanNs = 2'000'000'000};
    for (int rank = 0; rank < 3; ++rank) {
        SeenRank one{.memoryBytes = 256LL << 20};
        one.view.rank = rank;
        one.view.process.pid = 4720 + rank;
        one.view.process.state = diagnose::ProcessView::State::Alive;
        one.view.process.stack = rank == 1 ? stackIn("load", 12, false) : stackIn("step", 88, true);
        one.threads = {{.name = "MainThread", .frames = {}}};
        seen.ranks.push_back(std::move(one));
    }
    return seen;
}

} // namespace

/// Jobs on this machine that something else started: in the list of jobs, and looked at.
class tst_elsewhere : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useTemporarySettings(); }

    void init()
    {
        m_state = std::make_shared<FakeMachine::State>();
        m_dashboard = std::make_unique<Window>();
        m_dashboard->language.choose(Language::Choice::English);
    }

    void cleanup() { m_dashboard.reset(); }

    void whereNothingElseRunsNothingIsSaid()
    {
        show();
        QTRY_VERIFY(finds() >= 1);
        QCoreApplication::processEvents();
        QVERIFY(!table()->isVisible());
    }

    void aJobOfTorchrunIsListed()
    {
        m_state->jobs = {torchrunJob()};
        show();
        QTRY_VERIFY(table()->isVisible());
        QStringList cells;
        for (int column = 0; column < table()->model()->columnCount(); ++column) {
            if (column != ForeignJobModel::Since)
                cells << table()->model()->index(0, column).data().toString();
        }
        QCOMPARE(cells.join(u'|'), QStringLiteral("train.py|torchrun, process 4711|2 Running · 1 "
                                                  "Stopped|3|150 %|768 MiB|"
                                                  "python train.py --epochs 10"));
        QThread* const asked = valueOf(&FakeMachine::State::thread);
        QVERIFY(asked != nullptr && asked != thread());
        QVERIFY(lookButton()->isEnabled());
        QTRY_VERIFY(cutTexts(m_dashboard->window, GivingWay::Allowed).isEmpty());
    }

    void ofAJobOnSeveralMachinesAPartIsHere()
    {
        m_state->jobs = {torchrunJob()};
        m_state->jobs[0].job.worldSize = 8;
        show();
        QTRY_VERIFY(table()->isVisible());
        QCOMPARE(table()->model()->index(0, ForeignJobModel::Ranks).data().toString(),
                 QStringLiteral("3 of 8"));
    }

    void onlyTheListOfJobsAsks()
    {
        m_state->jobs = {torchrunJob()};
        show();
        QTRY_VERIFY(finds() >= 2);
        m_dashboard->scenario.finished();
        m_dashboard->cluster.settle();
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{1});
        m_dashboard->window.showRun(QString::fromStdString(m_dashboard->bridge.runs().front().id));
        QTRY_VERIFY(!table()->isVisible());
        const auto* jobs = m_dashboard->window.findChild<ForeignJobs*>();
        QTRY_VERIFY(!jobs->isSearching()); // One may be under way.
        const int before = finds();
        m_dashboard->window.jobsPage().showList();
        QTRY_VERIFY(finds() > before);
    }

    void itsStacksSayWhoDiffersAsTheCommandDoes()
    {
        m_state->jobs = {torchrunJob()};
        m_state->seen = seenJob();
        show();
        QTRY_VERIFY(lookButton()->isVisible() && lookButton()->isEnabled());
        QTest::mouseClick(lookButton(), Qt::LeftButton);
        QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
        const auto* words = dialog()->findChild<Banner*>();
        const QString statement =
            QString::fromStdString(describe(compareStacks(seenJob()).statement));
        QCOMPARE(statement, QStringLiteral("Ranks 0 and 2 are in all_reduce; rank 1 is not."));
        QTRY_VERIFY2(words->text().startsWith(statement), qPrintable(words->text()));
        QCOMPARE(words->severity(), Notice::Severity::Warning);
        const auto* ranks = dialog()->findChild<QTableWidget*>();
        QCOMPARE(ranks->rowCount(), 3);
        QCOMPARE(ranks->item(0, 6)->text(), QStringLiteral("all_reduce, train.py:88"));
        QCOMPARE(ranks->item(1, 6)->text(), QStringLiteral("train.py:12"));
        QVERIFY(ranks->isColumnHidden(5)); // no GPU
        QVERIFY(dialog()->findChild<QTreeView*>()->model()->rowCount() > 0);
        // It is looked at, and nothing else.
        QVERIFY(ended().empty());
        QTest::mouseClick(button("Look again"), Qt::LeftButton);
        QTRY_COMPARE(valueOf(&FakeMachine::State::looks), 2);
        QTRY_VERIFY(button("Look again")->isEnabled());
        // What came is laid out with the next events.
        QTRY_VERIFY(cutTexts(*dialog(), GivingWay::Allowed).isEmpty());
    }

    void theGpusThatItsRanksHoldAreShown()
    {
        m_state->jobs = {torchrunJob()};
        m_state->seen = seenJob();
        m_state->seen.ranks[1].devices = {{.index = 1, .usedBytes = 3LL << 30, .utilisation = 0.75},
                                          {.index = 2, .usedBytes = -1}};
        show();
        QTRY_VERIFY(lookButton()->isVisible() && lookButton()->isEnabled());
        QTest::mouseClick(lookButton(), Qt::LeftButton);
        QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
        const auto* ranks = dialog()->findChild<QTableWidget*>();
        QTRY_VERIFY(!ranks->isColumnHidden(5));
        QCOMPARE(ranks->item(0, 5)->text(), QStringLiteral("–"));
        QCOMPARE(ranks->item(1, 5)->text(), QStringLiteral("GPU 1: 3 GiB, 75 % busy; GPU 2: ?"));
    }

    void whatItsRanksHaveRecordedComesFirst()
    {
        m_state->jobs = {torchrunJob()};
        m_state->seen = seenJob();
        for (SeenRank& rank : m_state->seen.ranks)
            rank.isRecorded = rank.view.rank != 2;
        m_state->seen.verdicts = {{.kind = Verdict::Kind::Waiting,
                                   .guilty = {1},
                                   .statement = {code::RanksWait,
                                                 {{"ranks", "0"},
                                                  {"seconds", "14"},
                                                  {"operation", "all_reduce"},
                                                  {"number", "31"},
                                                  {"what", "float32, 4 elements"},
                                                  {"group", "default"},
                                                  {"absent", "1"}},
                                                 {}}}};
        show();
        QTRY_VERIFY(lookButton()->isVisible() && lookButton()->isEnabled());
        QTest::mouseClick(lookButton(), Qt::LeftButton);
        QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
        const auto* words = dialog()->findChild<Banner*>();
        QTRY_VERIFY2(
            words->text().startsWith(QStringLiteral("Rank 0 has waited 14 s in all_reduce #31")),
            qPrintable(words->text()));
        QCOMPARE(words->severity(), Notice::Severity::Warning);
        QVERIFY(std::ranges::any_of(dialog()->findChildren<QLabel*>(), [](const QLabel* label) {
            return label->text() ==
                   QStringLiteral("This is recorded as far as its ranks tell of their operations "
                                  "(RINGMASTER_HOOK=1); rank 2 doesn't.");
        }));
    }

    void nothingIsEndedBeforeTheQuestionIsAnswered()
    {
        m_state->jobs = {torchrunJob()};
        m_state->seen = seenJob();
        show();
        QTRY_VERIFY(lookButton()->isVisible());
        QTest::mouseClick(lookButton(), Qt::LeftButton);
        QTRY_VERIFY(dialog() != nullptr && button("End the job…")->isEnabled());
        const auto question = [this] {
            return dialog()->findChild<QMessageBox*>(QStringLiteral("confirmEnd"));
        };
        QTest::mouseClick(button("End the job…"), Qt::LeftButton);
        QTRY_VERIFY(question() != nullptr);
        QVERIFY2(
            question()->informativeText().contains(QStringLiteral("Process 4711 gets SIGTERM")),
            qPrintable(question()->informativeText()));
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(question() == nullptr);
        QVERIFY(ended().empty());
        QTest::mouseClick(button("End the job…"), Qt::LeftButton);
        QTRY_VERIFY(question() != nullptr);
        for (QAbstractButton* each : question()->buttons()) {
            if (question()->buttonRole(each) == QMessageBox::DestructiveRole)
                QTest::mouseClick(each, Qt::LeftButton);
        }
        QTRY_COMPARE(ended(), std::vector<std::string>{"train.py"});
        // And then it is gone.
        {
            const std::scoped_lock lock(m_state->mutex);
            m_state->jobs.clear();
        }
        QTRY_VERIFY(!table()->isVisible());
        QVERIFY(!button("Look again")->isEnabled());
        QVERIFY(!button("End the job…")->isEnabled());
    }

    void aClosedWindowWaitsForNothing()
    {
        show();
        QTRY_VERIFY(finds() >= 1);
        m_dashboard.reset();
        QVERIFY(valueOf(&FakeMachine::State::isCancelled));
    }

    void aMachineThatIsNotReachedKeepsWhatItHad()
    {
        m_state->jobs = {torchrunJob()};
        m_state->seen = seenJob();
        m_dashboard->window.findChild<JobsList*>()->watchMachine(
            std::make_unique<FakeMachine>(m_state), QStringLiteral("gpu1"));
        m_dashboard->window.show();
        QTRY_VERIFY(lookButton()->isVisible() && lookButton()->isEnabled());
        QTest::mouseClick(lookButton(), Qt::LeftButton);
        QTRY_VERIFY(dialog() != nullptr && button("Look again")->isEnabled());
        const auto says = [this](const char* text) {
            return std::ranges::any_of(m_dashboard->window.findChildren<ElidedLabel*>(),
                                       [text](const ElidedLabel* label) {
                                           return label->text() == QString::fromUtf8(text);
                                       });
        };
        QCOMPARE(m_dashboard->window.findChild<ElsewhereCard*>()->title(),
                 QStringLiteral("Running elsewhere on gpu1"));
        {
            const std::scoped_lock lock(m_state->mutex);
            m_state->trouble = Error{{code::MachineNotConnected, {{"host", "gpu1"}}, {}}, {}};
        }
        QTRY_VERIFY(says("as they were: gpu1 isn't reached now"));
        QVERIFY(table()->isVisible());
        QVERIFY(button("End the job…")->isEnabled()); // it may run on
        {
            const std::scoped_lock lock(m_state->mutex);
            m_state->trouble.reset();
            m_state->jobs.clear();
        }
        QTRY_VERIFY(!table()->isVisible());
        QVERIFY(!button("End the job…")->isEnabled());
    }

    void machinesComeAndGo()
    {
        FakeMachines machines;
        MachineBridge bridge(machines);
        machines.jobs["gpu1"] = {torchrunJob()};
        m_dashboard->window.jobsPage().setMachines(bridge);
        bridge.setWatched({QStringLiteral("gpu1"), QStringLiteral("gpu2")});
        m_dashboard->window.show();
        QTRY_VERIFY(lookButton() != nullptr && lookButton()->isVisible());
        QTest::mouseClick(lookButton(), Qt::LeftButton);
        QTRY_VERIFY(dialog() != nullptr && button("Look again")->isEnabled());
        const auto* words = dialog()->findChild<Banner*>();
        QTRY_VERIFY2(words->text().contains(QStringLiteral("gpu1")), qPrintable(words->text()));
        QCOMPARE(words->severity(), Notice::Severity::Error);
        bridge.setWatched({});
        QTRY_VERIFY(table() == nullptr);
        QVERIFY(dialog() == nullptr);
        m_dashboard.reset(); // before what it shows
    }

    /// The real one, with the real torchrun.
    void aRealJobOfTorchrunIsFoundLookedAtAndEnded()
    {
        const QString python = ringmaster::test::torchInterpreter();
        if (python.isEmpty())
            QSKIP("no interpreter with torch");
        ringmaster::test::TorchrunJob job(python, QStringLiteral("elsewhere.py"),
                                          ringmaster::test::HangingProgram);
        QTRY_VERIFY2_WITH_TIMEOUT(job.output().contains("all there"),
                                  job.process().readAllStandardError().constData(), 300'000);

        m_dashboard->window.jobsPage().watchMachine(thisMachine());
        m_dashboard->window.show();
        // Other tests have jobs on this machine, too.
        const QString startedBy = QStringLiteral("torchrun, process %1").arg(job.launcher());
        const auto rowOf = [&] {
            for (int row = 0; row < table()->model()->rowCount(); ++row) {
                if (table()->model()->index(row, ForeignJobModel::StartedBy).data() == startedBy)
                    return row;
            }
            return -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(rowOf() >= 0, PatienceForJobs);
        const auto cell = [&](int column) {
            return table()->model()->index(rowOf(), column).data().toString();
        };
        QCOMPARE(cell(ForeignJobModel::Name), QStringLiteral("elsewhere.py"));
        QCOMPARE(cell(ForeignJobModel::Ranks), QStringLiteral("3"));
        QCOMPARE(cell(ForeignJobModel::State), QStringLiteral("Running"));
        QTRY_VERIFY_WITH_TIMEOUT(cell(ForeignJobModel::Cpu).endsWith(QLatin1Char('%')),
                                 PatienceForJobs);
        QVERIFY2(cell(ForeignJobModel::Memory).contains(QStringLiteral("iB")),
                 qPrintable(cell(ForeignJobModel::Memory)));

        table()->selectRow(rowOf());
        QTest::mouseClick(lookButton(), Qt::LeftButton);
        const auto* words = dialog()->findChild<Banner*>();
        const QString wanted = QStringLiteral("Ranks 1 and 2 are in all_reduce; rank 0 is not.");
        // They may still be on their way into it.
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                if (words->text().startsWith(wanted))
                    return true;
                dialog()->look();
                return false;
            }(),
            PatienceForJobs);
        QVERIFY2(words->text().contains(QStringLiteral("elsewhere.py line 6")),
                 qPrintable(words->text()));
        QCOMPARE(job.process().state(), QProcess::Running);

        button("End the job…")->click();
        auto* question = dialog()->findChild<QMessageBox*>(QStringLiteral("confirmEnd"));
        QVERIFY(question != nullptr);
        for (QAbstractButton* each : question->buttons()) {
            if (question->buttonRole(each) == QMessageBox::DestructiveRole)
                each->click();
        }
        QVERIFY(job.process().waitForFinished(PatienceForJobs));
        QTRY_VERIFY_WITH_TIMEOUT(rowOf() < 0, PatienceForJobs);
    }

private:
    void show()
    {
        m_dashboard->window.jobsPage().watchMachine(std::make_unique<FakeMachine>(m_state));
        m_dashboard->window.show();
    }

    /// Of what another thread writes.
    template <class T>
    T valueOf(T FakeMachine::State::*member) const
    {
        const std::scoped_lock lock(m_state->mutex);
        return (*m_state).*member;
    }

    int finds() const { return valueOf(&FakeMachine::State::finds); }
    std::vector<std::string> ended() const { return valueOf(&FakeMachine::State::ended); }

    QTableView* table() const
    {
        return m_dashboard->find<QTableView>(QStringLiteral("Jobs that something else started"));
    }

    QPushButton* button(const char* text) const { return buttonIn(dialog(), text); }
    QPushButton* lookButton() const
    {
        return buttonIn(&m_dashboard->window.jobsPage(), "Look at its stacks");
    }

    static QPushButton* buttonIn(const QWidget* widget, const char* text)
    {
        for (QPushButton* each : widget->findChildren<QPushButton*>()) {
            if (each->text() == QString::fromUtf8(text))
                return each;
        }
        return nullptr;
    }

    ForeignJobDialog* dialog() const { return m_dashboard->window.findChild<ForeignJobDialog*>(); }

    std::shared_ptr<FakeMachine::State> m_state;
    std::unique_ptr<Window> m_dashboard;
};

QTEST_MAIN(tst_elsewhere)
#include "tst_elsewhere.moc"
