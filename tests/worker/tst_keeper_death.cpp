#include "WorkerFixture.h"
#include "engine/base/ChildCommand.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"
#include "engine/worker/Codes.h"
#include "engine/worker/Descendants.h"
#include "engine/worker/Subreaper.h"
#include "engine/worker/Survivors.h"

#include <QProcess>
#include <QtTest>

#include <csignal>

#include <sys/syscall.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

pid_t guardOf(pid_t owner, pid_t keeper)
{
    for (const ProcessRow& row : descendantsOf(owner))
        if (row.pid == keeper)
            return row.parent;
    return -1;
}

} // namespace

/// Whoever is killed: nothing is left behind.
class tst_keeper_death : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(becomeSubreaper().has_value()); }

    void cleanup()
    {
        while (sweepDescendants() > 0)
            continue;
    }

    void sweepsWhatAKilledKeeperLeaves()
    {
        const std::string token = randomToken(12);
        KeeperBench bench;
        QVERIFY(bench.keeper
                    .start(listOf(launchOf(0, {"children"}, token),
                                  launchOf(1, {"ignore-term"}, token)))
                    .has_value());
        QVERIFY(bench.until([&] { return processesOf(token).size() == 5; }));
        ::kill(bench.keeper.pid(), SIGKILL);
        QVERIFY(bench.until([&] { return bench.host.death.has_value(); }));
        QCOMPARE(bench.host.death->code, code::KeeperDied);
        QCOMPARE(bench.host.death->detail, std::string("SIGKILL"));
        QCOMPARE(processesOf(token).size(), size_t{0});
        // The next group gets a new keeper.
        QVERIFY(bench.keeper.start(listOf(launchOf(0, {"exit", "0"}))).has_value());
        QVERIFY(bench.until([&] { return bench.host.exits.size() == 1; }));
    }

    void aKeeperThatDiesBetweenTwoGroupsIsReplaced_data()
    {
        QTest::addColumn<bool>("isGuardAwaited");
        QTest::newRow("while its guard still ends") << false;
        QTest::newRow("when its guard has ended") << true;
    }

    void aKeeperThatDiesBetweenTwoGroupsIsReplaced()
    {
        QFETCH(const bool, isGuardAwaited);
        KeeperBench bench;
        QVERIFY(bench.keeper.start(listOf(launchOf(0, {"exit", "0"}))).has_value());
        QVERIFY(bench.until([&] { return bench.host.exits.size() == 1; }));
        QVERIFY(bench.endAll());
        bench.host.exits.clear();
        const pid_t keeper = bench.keeper.pid();
        const pid_t guard = guardOf(::getpid(), keeper);
        QVERIFY(guard > 0);
        // It goes on when the agent has heard of its keeper's end.
        ::kill(guard, SIGSTOP);
        QTRY_COMPARE(stateOf(guard), 'T');
        ::kill(keeper, SIGKILL);
        QTRY_COMPARE(stateOf(keeper), 'Z');
        QVERIFY(bench.until(
            [&] { return isGuardAwaited ? stateOf(guard) == 0 : stateOf(guard) != 'T'; }));
        QVERIFY(bench.keeper.start(listOf(launchOf(0, {"exit", "3"}))).has_value());
        QVERIFY(bench.until([&] { return bench.host.exits.contains(0); }));
        QCOMPARE(bench.host.exits[0].code, 3);
        QVERIFY(bench.until([&] { return stateOf(guard) == 0; }));
        QVERIFY(bench.endAll());
        QCOMPARE(bench.host.timesDied, 0);
    }

    /// Also where its own end is seen before that of its socket.
    void theDeathOfAKeeperIsToldOnce()
    {
        KeeperBench bench;
        QVERIFY(bench.keeper.start(listOf(launchOf(0, {"exit", "0"}))).has_value());
        QVERIFY(bench.until([&] { return bench.host.exits.size() == 1; }));
        const pid_t pid = bench.keeper.pid();
        const pid_t guard = guardOf(::getpid(), pid);
        QVERIFY(guard > 0);
        const FileDescriptor process = pidfdOf(pid);
        FileDescriptor held(static_cast<int>(
            ::syscall(SYS_pidfd_getfd, process.get(), keeper::SocketDescriptor, 0)));
        if (!held.isOpen())
            QSKIP("another process's descriptors can't be had here");
        for (const pid_t one : {guard, pid}) {
            ::kill(one, SIGKILL);
            QTRY_COMPARE(stateOf(one), 'Z');
        }
        held.close();
        QVERIFY(bench.until([&] { return bench.host.timesDied > 0; }));
        QCOMPARE(bench.host.timesDied, 1);
    }

    void endsAWorkerWhoseFirstThreadHasEnded_data()
    {
        QTest::addColumn<bool>("isKeeperKilled");
        QTest::newRow("by the keeper") << false;
        QTest::newRow("by the sweep of what a keeper left") << true;
    }

    void endsAWorkerWhoseFirstThreadHasEnded()
    {
        QFETCH(bool, isKeeperKilled);
        const std::string token = randomToken(12);
        WorkerLaunch launch = launchOf(0, {}, token);
        launch.arguments = {RINGMASTER_BUILD_DIR "/tests/two_threads"};
        KeeperBench bench;
        QVERIFY(bench.keeper.start(listOf(std::move(launch))).has_value());
        QVERIFY(bench.until([&] { return bench.host.pids.size() == 1; }));
        const pid_t worker = bench.host.pids[0];
        QVERIFY(bench.until([&] { return statOf(worker).starts_with(" Z"); }));
        QCOMPARE(bench.host.exits.size(), size_t{0});
        const std::vector<Message> survivors = describeSurvivors(::getpid());
        QVERIFY(std::ranges::any_of(survivors, [worker](const Message& survivor) {
            return survivor.parameters.at("pid") == std::to_string(worker);
        }));
        if (isKeeperKilled) {
            ::kill(bench.keeper.pid(), SIGKILL);
            QVERIFY(bench.until([&] { return bench.host.death.has_value(); }));
            QVERIFY(!bench.keeper.isSweepGivenUp());
        } else {
            QVERIFY(bench.endAll());
        }
        QVERIFY(processesOf(token).empty());
    }

    void sweepsNothingThatTheAgentHasStartedItself()
    {
        const std::string token = randomToken(12);
        const QTemporaryDir folder;
        QFile go(folder.filePath("go"));
        KeeperBench bench;
        QVERIFY(bench.keeper.start(listOf(launchOf(0, {"children"}, token))).has_value());
        QVERIFY(bench.until([&] { return processesOf(token).size() == 4; }));
        std::optional<ChildCommand::Outcome> outcome;
        const auto command = ChildCommand::start(
            bench.loop,
            {.arguments = {"/bin/sh", "-c",
                           "while ! test -e \"$0\"; do sleep 0.02; done; echo done",
                           go.fileName().toStdString()},
             .patience = std::chrono::minutes(10)},
            [&](const ChildCommand::Outcome& end) { outcome = end; });
        QVERIFY(command.has_value());
        const pid_t keeper = bench.keeper.pid();
        ::kill(guardOf(::getpid(), keeper), SIGKILL);
        ::kill(keeper, SIGKILL);
        QVERIFY(bench.until([&] { return bench.host.death.has_value(); }));
        QCOMPARE(processesOf(token).size(), size_t{0});
        QVERIFY(bench.keeper.survivors().empty());
        QVERIFY(!outcome);
        QVERIFY(go.open(QIODevice::WriteOnly));
        QVERIFY(bench.until([&] { return outcome.has_value(); }));
        QCOMPARE(outcome->exitCode, 0);
        QCOMPARE(outcome->output, std::string("done\n"));
        QVERIFY(ChildProcess::all().empty());
    }

    void leavesNothingWhenTheAgentIsKilled()
    {
        const std::string token = QString::number(::getpid()).toStdString() + randomToken(8);
        QProcess owner;
        owner.start(RINGMASTER_BUILD_DIR "/tests/keeper_owner", {QString::fromStdString(token)});
        QVERIFY(owner.waitForReadyRead());
        QVERIFY(owner.readAllStandardOutput().startsWith("ready"));
        QTRY_COMPARE(processesOf(token).size(), size_t{5});
        owner.kill();
        QVERIFY(owner.waitForFinished());
        QTRY_COMPARE(processesOf(token).size(), size_t{0});
    }

    void leavesNothingWhenItIsDestroyed()
    {
        const std::string token = randomToken(12);
        {
            KeeperBench bench;
            QVERIFY(bench.keeper.start(listOf(launchOf(0, {"children"}, token))).has_value());
            QVERIFY(bench.until([&] { return processesOf(token).size() == 4; }));
        }
        // It waits two seconds for its keeper, which ends them all however long that takes.
        QTRY_COMPARE(processesOf(token).size(), size_t{0});
    }

    void aGuardSweepsWhereTheAgentDoesNothing()
    {
        const std::string token = QString::number(::getpid()).toStdString() + randomToken(8);
        QProcess owner;
        owner.start(RINGMASTER_BUILD_DIR "/tests/keeper_owner", {QString::fromStdString(token)});
        QVERIFY(owner.waitForReadyRead());
        const int keeper = owner.readAllStandardOutput().trimmed().split(' ').value(1).toInt();
        QVERIFY(keeper > 0);
        ::kill(static_cast<pid_t>(owner.processId()), SIGSTOP);
        ::kill(keeper, SIGKILL);
        QTRY_COMPARE(processesOf(token).size(), size_t{0});
        owner.kill();
        QVERIFY(owner.waitForFinished());
    }

    void endsAWorkerWhoseKeeperDiesEvenIfNobodySweeps()
    {
        const std::string token = QString::number(::getpid()).toStdString() + randomToken(8);
        QProcess owner;
        owner.start(RINGMASTER_BUILD_DIR "/tests/keeper_owner", {QString::fromStdString(token)});
        QVERIFY(owner.waitForReadyRead());
        const int keeper = owner.readAllStandardOutput().trimmed().split(' ').value(1).toInt();
        QVERIFY(keeper > 0);
        // A stopped agent sweeps nothing: what ends the two workers is their parent-death signal.
        ::kill(static_cast<pid_t>(owner.processId()), SIGSTOP);
        ::kill(guardOf(static_cast<pid_t>(owner.processId()), keeper), SIGKILL);
        ::kill(keeper, SIGKILL);
        QTRY_COMPARE(processesOf(token).size(), size_t{3});
        ::kill(static_cast<pid_t>(owner.processId()), SIGCONT);
        QTRY_COMPARE(processesOf(token).size(), size_t{0});
        owner.kill();
        QVERIFY(owner.waitForFinished());
    }
};

QTEST_GUILESS_MAIN(tst_keeper_death)
#include "tst_keeper_death.moc"
