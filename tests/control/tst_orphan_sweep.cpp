#include "engine/base/Codes.h"
#include "engine/base/Files.h"
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
