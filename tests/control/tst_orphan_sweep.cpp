#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"
#include "engine/control/OrphanSweep.h"
#include "engine/record/RunFileWriter.h"
#include "engine/record/RunFolder.h"
#include "tests/support/FrozenGroup.h"

#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

/// The podman that PATH has meanwhile: it writes down what it is asked.
class FakePodman
{
public:
    explicit FakePodman(int exitCode)
    {
        const std::string script = "#!/bin/sh\necho \"$@\" >>'" + file("asked") + "'\nexit " +
                                   std::to_string(exitCode) + "\n";
        m_isThere = writeFileAtomically(file("podman"), script, 0700).has_value();
        qputenv("PATH", m_folder.path().toUtf8() + ':' + m_path);
    }
    ~FakePodman() { qputenv("PATH", m_path); }
    FakePodman(const FakePodman&) = delete;
    FakePodman& operator=(const FakePodman&) = delete;

    std::string asked() const
    {
        return m_isThere ? readFile(file("asked")).value_or("") : "podman can't be made";
    }
    static std::string removalOf(const std::string& run)
    {
        return "rm --force --time=0 --filter=label=ringmaster=" + run + "\n";
    }

private:
    std::string file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    const QTemporaryDir m_folder;
    const QByteArray m_path = qgetenv("PATH");
    bool m_isThere = false;
};

/// A run whose agent is gone, or still there, and one process with the run's token.
class SweptRun
{
public:
    explicit SweptRun(const std::filesystem::path& runs, bool isAgentAlive = false)
    {
        AgentRecord agent = AgentRecord::current("/nowhere");
        if (!isAgentAlive)
            agent.process.startTime += 1; // another process had the number
        const auto folder = RunFolder::create(runs, "job", agent, SystemClock().now());
        if (!folder)
            return;
        m_path = folder->path();
        m_summary = {.id = folder->id(), .state = RunState::Lost};
        m_summary.endedAt.wallNs = 1; // long ago
        QProcessEnvironment environment;
        environment.insert("RINGMASTER_RUN", QString::fromStdString(folder->id()));
        m_process.setProcessEnvironment(environment);
        startProcess();
    }
    ~SweptRun()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    /// Another one, once the last has ended.
    bool startProcess()
    {
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(60'000))
            return false;
        m_process.start("/bin/sleep", {"600"});
        return m_process.waitForStarted(60'000);
    }
    /// In place of it. The answer: the numbers that the script prints in its first line.
    QList<pid_t> startScript(const QString& script)
    {
        m_process.kill();
        m_process.waitForFinished(60'000);
        m_process.start("/bin/sh", {"-c", script});
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(60'000))
                return {};
        }
        QList<pid_t> pids;
        for (const QByteArray& number : m_process.readLine().trimmed().split(' '))
            pids += number.toInt();
        return pids;
    }
    /// A minute ago it may have been running.
    void endJustNow() { m_summary.endedAt = SystemClock().now(); }
    /// Another agent had it, and is gone as well.
    bool beTakenOver(const RunCatalog& catalog) const
    {
        AgentRecord agent = AgentRecord::current("/nowhere");
        agent.process.startTime += 2;
        const auto folder = catalog.find(m_summary.id);
        return folder && folder->setAgent(agent).has_value();
    }

    /// The run file says with which job it was started.
    bool record(const std::string& jobFile) const
    {
        auto writer = RunFileWriter::open(m_path / "run.ringrun", {.run = m_summary.id});
        if (!writer)
            return false;
        (*writer)->append({.id = {m_summary.id, "agent", 1},
                           .runSequence = 1,
                           .body = RunStarted{.jobFile = jobFile}});
        return (*writer)->finish().has_value();
    }

    /// The run file says that this was a worker.
    bool recordWorker(pid_t pid) const
    {
        auto writer = RunFileWriter::open(m_path / "run.ringrun", {.run = m_summary.id});
        if (!writer)
            return false;
        AttemptStarted attempt;
        attempt.workers.emplace_back();
        std::uint64_t sequence = 0;
        for (const EventBody& body :
             {EventBody(RunStarted{}), EventBody(attempt),
              EventBody(WorkerStateChanged{.pid = pid, .state = WorkerState::Healthy})}) {
            ++sequence;
            (*writer)->append(
                {.id = {m_summary.id, "0", sequence}, .runSequence = sequence, .body = body});
        }
        return (*writer)->finish().has_value();
    }

    const RunSummary& summary() const { return m_summary; }
    const std::filesystem::path& path() const { return m_path; }
    pid_t pid() const { return static_cast<pid_t>(m_process.processId()); }
    bool lives()
    {
        QCoreApplication::processEvents();
        return m_process.state() == QProcess::Running &&
               isAlive(identityOf(pid()).value_or(ProcessIdentity{}));
    }

private:
    std::filesystem::path m_path;
    RunSummary m_summary;
    QProcess m_process;
};

} // namespace

class tst_orphan_sweep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsWhatLostRunsHaveLeftInOneWalk()
    {
        SweptRun first(runs());
        SweptRun second(runs());
        const OrphanSweep swept =
            sweepOrphans(m_catalog, {first.summary(), second.summary()}, std::chrono::seconds(60));
        QCOMPARE(swept.ended, 2);
        QVERIFY(swept.left.empty());
        QVERIFY(!first.lives() && !second.lives());
    }

    /// A program may start others with an environment of its own.
    void whatDescendsFromThemEndsToo()
    {
        SweptRun run(runs());
        const QList<pid_t> pids =
            run.startScript("/usr/bin/env -i /bin/sh -c"
                            " '/bin/sleep 600 >/dev/null & echo $$ $!; wait' & wait");
        QCOMPARE(pids.size(), 2);
        const ProcessIdentity child = identityOf(pids[0]).value();
        const ProcessIdentity grandchild = identityOf(pids[1]).value();
        QCOMPARE(endedOf(run), 3);
        QVERIFY(!run.lives() && !isAlive(child) && !isAlive(grandchild));
    }

    /// Its own agent or keeper ends what is left of it.
    void aRunThatAWorkerHasStartedIsNotEndedWithIt()
    {
        SweptRun run(runs());
        const QList<pid_t> pids = run.startScript(
            "/usr/bin/env RINGMASTER_RUN=another /bin/sh -c"
            " '/usr/bin/env -i /bin/sleep 600 >/dev/null & echo $$ $!; wait' & wait");
        QCOMPARE(pids.size(), 2);
        QTRY_VERIFY(isSleep(pids[1]));
        const ProcessIdentity keeper = identityOf(pids[0]).value();
        const ProcessIdentity worker = identityOf(pids[1]).value();
        const auto end = qScopeGuard([&] {
            for (const ProcessIdentity& process : {keeper, worker})
                (void)signalProcess(process, SIGKILL);
        });
        QCOMPARE(endedOf(run), 1);
        QVERIFY(!run.lives() && isAlive(keeper) && isAlive(worker));
    }

    void whoSharesAWorkersSessionWithThemEndsToo_data()
    {
        QTest::addColumn<bool>("isWorkers");
        QTest::newRow("a worker's") << true;
        QTest::newRow("another one, maybe a user's") << false;
    }

    /// Their parent has ended, and one of them has no token.
    void whoSharesAWorkersSessionWithThemEndsToo()
    {
        QFETCH(const bool, isWorkers);
        SweptRun run(runs());
        const QList<pid_t> pids =
            run.startScript("exec /usr/bin/setsid /bin/sh -c '/bin/sleep 600 >/dev/null & a=$!;"
                            " /usr/bin/env -i /bin/sleep 600 >/dev/null & echo $$ $a $!'");
        QCOMPARE(pids.size(), 3);
        QTRY_VERIFY(isSleep(pids[2]));
        const ProcessIdentity found = identityOf(pids[1]).value();
        const ProcessIdentity other = identityOf(pids[2]).value();
        const auto end = qScopeGuard([&] { (void)signalProcess(other, SIGKILL); });
        QVERIFY(run.recordWorker(isWorkers ? pids[0] : pids[0] + 1));
        QTRY_VERIFY(!run.lives());
        QCOMPARE(endedOf(run), isWorkers ? 2 : 1);
        QVERIFY(!isAlive(found));
        QCOMPARE(isAlive(other), !isWorkers);
    }

    void leavesACopyOfARunAlone()
    {
        SweptRun run(runs());
        QVERIFY(writeFileAtomically(run.path() / "imported", "").has_value());
        QCOMPARE(sweepOrphans(m_catalog, {run.summary()}).ended, 0);
        QVERIFY(run.lives());
    }

    void leavesARunAloneThatNobodyHereHasStarted()
    {
        SweptRun run(runs());
        QVERIFY(std::filesystem::remove(run.path() / "agent.json"));
        QCOMPARE(sweepOrphans(m_catalog, {run.summary()}).ended, 0);
        QVERIFY(run.lives());
    }

    void leavesARunAloneWhoseAgentLives()
    {
        SweptRun run(runs(), true);
        QCOMPARE(sweepOrphans(m_catalog, {run.summary()}).ended, 0);
        QVERIFY(run.lives());
    }

    void countsWhatHasEndedAndNamesWhatHasnt()
    {
        FrozenGroup group;
        if (!group.isUsable())
            QSKIP("freezer cgroups can't be made here");
        SweptRun ending(runs());
        SweptRun frozen(runs());
        QVERIFY(group.freeze({frozen.pid()}));
        const OrphanSweep swept =
            sweepOrphans(m_catalog, {ending.summary(), frozen.summary()}, std::chrono::seconds(5));
        QCOMPARE(swept.ended, 1);
        QCOMPARE(swept.left.size(), size_t{1});
        const Message& left = swept.left.front();
        QVERIFY2(left.code == code::SurvivorFrozen, describe(left).c_str());
        QCOMPARE(left.parameters.at("pid"), std::to_string(frozen.pid()));
        group.thaw();
        QTRY_VERIFY(!frozen.lives());
    }

    void areLookedForOnceWhereNoneIsLeft()
    {
        SweptRun run(runs());
        // Only who finds none may say that none is left.
        QCOMPARE(endedOf(run), 1);
        QVERIFY(run.startProcess());
        QCOMPARE(endedOf(run), 1);
        QVERIFY(!run.lives());
        QCOMPARE(endedOf(run), 0);
        QVERIFY(run.startProcess());
        QCOMPARE(endedOf(run), 0);
        QVERIFY(run.lives());
        QVERIFY(run.beTakenOver(m_catalog));
        QCOMPARE(endedOf(run), 1);
    }

    /// docker's daemon may start a container that an agent has asked for when it was killed.
    void areLookedForAgainWhereTheRunWasJustLost()
    {
        SweptRun run(runs());
        run.endJustNow();
        QCOMPARE(endedOf(run), 1);
        QVERIFY(!run.lives());
        QCOMPARE(endedOf(run), 0);
        QVERIFY(run.startProcess());
        QCOMPARE(endedOf(run), 1);
    }

    void areEndedBeforeTheRunIsRemoved()
    {
        SweptRun run(runs());
        QVERIFY(removeRun(m_catalog, run.summary().id).has_value());
        QVERIFY(!std::filesystem::exists(run.path()));
        QVERIFY(!run.lives());
        QVERIFY(!removeRun(m_catalog, run.summary().id).has_value());
    }

    void areEndedBeforeOldRunsArePruned()
    {
        const QTemporaryDir folder;
        const RunCatalog catalog(folder.path().toStdString());
        SweptRun run(folder.path().toStdString());
        QVERIFY(pruneRuns(catalog, {.runs = 1}).empty());
        QVERIFY(run.lives());
        QCOMPARE(pruneRuns(catalog, {.runs = 0}).size(), size_t{1});
        QVERIFY(!std::filesystem::exists(run.path()));
        QVERIFY(!run.lives());
    }

    /// podman still knows a container whose monitor was killed with its processes.
    void hasPodmanRemoveItsContainersOnce()
    {
        const FakePodman podman(0);
        const SweptRun inContainers(runs());
        const SweptRun elsewhere(runs());
        const std::string role = "[[role]]\nprogram = 'train.py'\n";
        QVERIFY(inContainers.record(role + "image = 'some:1'\n[container]\nengine = 'podman'\n"));
        QVERIFY(elsewhere.record(role));
        // Who looks at what is newly lost, and has no time, leaves it to the next.
        for (const std::chrono::milliseconds patience : {0ms, 60'000ms, 60'000ms})
            (void)sweepOrphans(m_catalog, {inContainers.summary(), elsewhere.summary()}, patience);
        QCOMPARE(podman.asked(), FakePodman::removalOf(inContainers.summary().id));
    }

    void asksPodmanAgainThatHasFailed()
    {
        const FakePodman podman(125);
        const SweptRun run(runs());
        QVERIFY(run.record("[[role]]\nprogram = 'train.py'\nimage = 'some:1'\n"));
        for (int times = 0; times < 2; ++times)
            (void)sweepOrphans(m_catalog, {run.summary()});
        const std::string once = FakePodman::removalOf(run.summary().id);
        QCOMPARE(podman.asked(), once + once);
    }

private:
    /// It has become that, with the environment that it was given.
    static bool isSleep(pid_t pid)
    {
        return readFile("/proc/" + std::to_string(pid) + "/comm").value_or("") == "sleep\n";
    }
    std::filesystem::path runs() const { return m_folder.path().toStdString(); }
    int endedOf(const SweptRun& run) const
    {
        return sweepOrphans(m_catalog, {run.summary()}, std::chrono::seconds(60)).ended;
    }

    const QTemporaryDir m_folder;
    const RunCatalog m_catalog{runs()};
};

QTEST_GUILESS_MAIN(tst_orphan_sweep)
#include "tst_orphan_sweep.moc"
