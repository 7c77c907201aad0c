#include "engine/base/Codes.h"
#include "engine/base/Paths.h"
#include "engine/base/ProcessInfo.h"
#include "engine/control/ByteChannel.h"
#include "engine/control/Codes.h"
#include "engine/control/LocalCluster.h"
#include "engine/control/WatchingCluster.h"
#include "engine/hosts/Codes.h"
#include "engine/record/Codes.h"
#include "engine/record/RunFolder.h"
#include "engine/record/RunLock.h"
#include "tests/control/Ask.h"

#include <QtTest>

#include <atomic>
#include <csignal>
#include <ctime>
#include <future>
#include <map>
#include <mutex>

#include <sys/stat.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// What a follower is told.
class RunListener
{
public:
    void follow(Cluster& cluster, const std::string& run, std::uint64_t from = 0)
    {
        m_subscription = cluster.follow(
            run, from,
            [this](const std::vector<Event>& events) {
                const std::lock_guard lock(m_mutex);
                m_events.insert(m_events.end(), events.begin(), events.end());
            },
            [this](const Result<void>& result) {
                const std::lock_guard lock(m_mutex);
                m_ended = result;
            });
    }

    std::vector<Event> events() const
    {
        const std::lock_guard lock(m_mutex);
        return m_events;
    }

    RunState state() const
    {
        RunSnapshot snapshot;
        for (const Event& event : events())
            snapshot.apply(event);
        return snapshot.state;
    }

    std::optional<Result<void>> ended() const
    {
        const std::lock_guard lock(m_mutex);
        return m_ended;
    }

    bool hasNoGap(std::uint64_t after = 0) const
    {
        for (const Event& event : events()) {
            if (event.runSequence != ++after)
                return false;
        }
        return true;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<Event> m_events;
    std::optional<Result<void>> m_ended;
    Subscription m_subscription;
};

} // namespace

/// Real agents, started as the dashboard starts them.
class tst_local_cluster : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        const QByteArray path = m_folder->path().toUtf8();
        QCOMPARE(::mkdir((path + "/runtime").constData(), 0700), 0);
        qputenv("XDG_RUNTIME_DIR", path + "/runtime");
        qputenv("XDG_STATE_HOME", path + "/state");
        qputenv("OMP_NUM_THREADS", "1");
        // Before there are threads that read the environment.
        qputenv("XDG_CONFIG_HOME", path + "/config");
        m_cluster = makeCluster();
    }

    void cleanup()
    {
        for (const RunSummary& run : m_cluster->runs()) {
            if (run.isLive)
                ask<void>([&](auto answer) {
                    m_cluster->send(run.id, StopRun{.now = true}, std::move(answer));
                });
        }
        // Nothing writes into the folder any more.
        const auto isLive = [this] {
            return std::ranges::any_of(m_cluster->runs(), &RunSummary::isLive);
        };
        QTRY_VERIFY(!isLive());
        m_cluster.reset();
    }

    void hostsAreKeptAndAskedThroughTheCommand()
    {
        HostRegistry& registry = m_cluster->hosts();
        const auto list = [&] {
            return ask<std::vector<Host>>([&](auto answer) { registry.list(std::move(answer)); });
        };
        const Host host{.name = "here",
                        .destination = "localhost",
                        .slots = 3,
                        .groups = {"lab", "big"},
                        .code = "/a folder",
                        .address = "10.0.0.1",
                        .environment = {{"A", "b=c \"d\""}, {"EMPTY", ""}}};
        QCOMPARE(list().value(), std::vector<Host>{});
        QVERIFY(ask<void>([&](auto answer) { registry.put(host, std::move(answer)); }));
        QCOMPARE(list().value(), std::vector<Host>{host});
        const auto reports = ask<std::vector<HostReport>>(
            [&](auto answer) { registry.check({"here"}, std::move(answer)); });
        QVERIFY(reports && reports->size() == 1 && reports->front().facts);
        QVERIFY(reports->front().facts->processors > 0);
        const auto unknown = ask<std::vector<PreflightFinding>>([&](auto answer) {
            registry.preflight({.hosts = {"@none"}, .folder = "/tmp"}, std::move(answer));
        });
        QVERIFY(!unknown && unknown.error().code == code::HostGroupUnknown);
        const auto invalid =
            ask<void>([&](auto answer) { registry.put({.name = "-oX"}, std::move(answer)); });
        QVERIFY(!invalid && invalid.error().code == code::HostNameInvalid);
        QVERIFY(ask<void>([&](auto answer) { registry.remove("here", std::move(answer)); }));
        const auto gone =
            ask<void>([&](auto answer) { registry.remove("here", std::move(answer)); });
        QVERIFY(!gone && gone.error().code == code::HostNotInBook);
    }

    void launchAnswersWithARunThatIsThere()
    {
        std::atomic<int> changes = 0;
        const auto subscription = m_cluster->onRunsChanged([&] { ++changes; });
        const std::string run = launched("sleep 600");
        QTRY_VERIFY(summaryOf(run) && summaryOf(run)->state == RunState::Running);
        QVERIFY(summaryOf(run)->isLive);
        QCOMPARE(summaryOf(run)->worldSize, 1);
        QTRY_VERIFY(changes > 0); // The list is there a moment before it is told.
    }

    void launchAnswersWithWhatTheAgentSaid()
    {
        JobSpec spec = shell("true");
        spec.roles.front().program = "/no/such/program";
        const auto refused = launch(spec);
        QVERIFY(refused.error().code == code::LaunchEnded);
        QVERIFY(refused.error().parameters.at("status") == "exit code 2");
        QVERIFY2(refused.error().detail.find("/no/such/program") != std::string::npos,
                 describe(refused.error()).c_str());
    }

    void runsWorkersInTheFolderThatWasAsked()
    {
        const std::string run = launched("pwd");
        QTRY_VERIFY(isOver(run));
        const auto page = log(run);
        QCOMPARE(page.chunks.at(0).bytes, m_folder->path().toStdString() + "\n");
    }

    void followsFromTheBeginningToTheEndWithoutAGap()
    {
        const std::string run = launched("sleep 0.3; exit 3");
        RunListener listener;
        listener.follow(*m_cluster, run);
        QTRY_VERIFY(listener.ended().has_value());
        QVERIFY(listener.ended()->has_value());
        QVERIFY(listener.hasNoGap());
        QVERIFY(listener.state() == RunState::Failed);
        QVERIFY(std::holds_alternative<RunStarted>(listener.events().front().body));

        RunListener later;
        later.follow(*m_cluster, run, 3);
        QTRY_VERIFY(later.ended().has_value());
        QVERIFY(later.hasNoGap(3));
        QCOMPARE(later.events().size() + 3, listener.events().size());
    }

    void twoRunsAtOnceDoNotDisturbEachOther()
    {
        const std::string first = launched("sleep 600");
        const std::string second = launched("sleep 600");
        QVERIFY(first != second);
        RunListener both[2];
        both[0].follow(*m_cluster, first);
        both[1].follow(*m_cluster, second);
        QTRY_VERIFY(both[0].state() == RunState::Running && both[1].state() == RunState::Running);
        QVERIFY(ask<void>([&](auto answer) {
                    m_cluster->send(first, StopRun{}, std::move(answer));
                }).has_value());
        QTRY_VERIFY(both[0].ended().has_value());
        QVERIFY(both[0].state() == RunState::Stopped);
        QVERIFY(both[1].state() == RunState::Running);
        QTRY_VERIFY(!summaryOf(first)->isLive);
        QVERIFY(summaryOf(second)->isLive);
    }

    void aKilledAgentIsLostWithoutOrphans()
    {
        const std::string run = launched("sleep 600");
        RunListener listener;
        listener.follow(*m_cluster, run);
        QTRY_VERIFY(listener.state() == RunState::Running);
        const auto started = std::get<RunStarted>(listener.events().front().body);
        QCOMPARE(::kill(started.agentPid, SIGKILL), 0);
        QTRY_VERIFY(listener.ended().has_value());
        const Result<void> ended = *listener.ended();
        QVERIFY2(ended.has_value(), ended ? "" : describe(ended.error()).c_str());
        QVERIFY(listener.state() == RunState::Lost);
        QVERIFY(listener.hasNoGap());
        QTRY_VERIFY(summaryOf(run)->state == RunState::Lost);
        QTRY_VERIFY(processesWithEnvironment("RINGMASTER_RUN", run).empty());
    }

    void goesOnWhereAnotherClusterBegan()
    {
        const std::string run = launched("sleep 600");
        QTRY_VERIFY(summaryOf(run) && summaryOf(run)->state == RunState::Running);
        m_cluster = makeCluster(); // the dashboard was closed and is opened again
        QTRY_VERIFY(summaryOf(run) && summaryOf(run)->isLive);
        RunListener listener;
        listener.follow(*m_cluster, run);
        QTRY_VERIFY(listener.state() == RunState::Running);
    }

    void pinsAndRemovesAndRefusesWhatRuns()
    {
        const std::string run = launched("sleep 600");
        QTRY_VERIFY(summaryOf(run) && summaryOf(run)->isLive);
        const auto remove = [&] {
            return ask<void>([&](auto answer) { m_cluster->remove(run, std::move(answer)); });
        };
        QVERIFY(remove().error().code == code::RunStillRunning);
        QVERIFY(ask<void>([&](auto answer) {
                    m_cluster->setPinned(run, true, std::move(answer));
                }).has_value());
        QTRY_VERIFY(summaryOf(run)->isPinned);
        QVERIFY(ask<void>([&](auto answer) {
                    m_cluster->setLabels(run, {.name = "mine", .tags = {"a"}}, std::move(answer));
                }).has_value());
        QTRY_COMPARE(summaryOf(run)->shownName(), std::string("mine"));
        // A run is live before its first events are in its file.
        Result<RunFigures> figures;
        QTRY_VERIFY((figures = ask<RunFigures>([&](auto answer) {
                         m_cluster->readFigures(run, std::move(answer));
                     })).has_value() &&
                    figures->lastSequence > 0);
        QVERIFY(ask<void>([&](auto answer) {
                    m_cluster->send(run, StopRun{.now = true}, std::move(answer));
                }).has_value());
        QTRY_VERIFY(!summaryOf(run)->isLive);
        // Its agent tells of the end a moment before its own.
        Result<RunFigures> over;
        QTRY_VERIFY(!(over = ask<RunFigures>([&](auto answer) {
                          m_cluster->readFigures(run, std::move(answer));
                      })).has_value());
        QVERIFY(over.error().code == code::RunNotRunning);
        const auto compared = ask<ComparedRun>(
            [&](auto answer) { m_cluster->readComparedRun(run, {}, std::move(answer)); });
        QVERIFY(compared.has_value());
        QCOMPARE(compared->name, std::string("mine"));
        const auto file = std::filesystem::path(m_folder->path().toStdString()) / "out.ringrun";
        const auto report = ask<ExportReport>(
            [&](auto answer) { m_cluster->exportRun(run, file, std::move(answer)); });
        QVERIFY(report.has_value() && report->events > 0 && std::filesystem::exists(file));
        QVERIFY(remove().has_value());
        QTRY_VERIFY(!summaryOf(run));
        const auto refused =
            ask<void>([&](auto answer) { m_cluster->send(run, StopRun{}, std::move(answer)); });
        QVERIFY(refused.error().code == code::RunNotFound);
    }

    void listsHundredsOfFinishedRunsQuickly()
    {
        const std::string run = launched("true");
        QTRY_VERIFY(isOver(run));
        const auto folder = summaryOf(run)->folder;
        m_cluster.reset();
        // Its agent has nothing open there any more.
        QVERIFY(RunLock::acquire(folder, std::chrono::seconds(60)));
        for (int i = 0; i < 300; ++i)
            std::filesystem::copy(folder, folder.parent_path() / ("copy-" + std::to_string(i)),
                                  std::filesystem::copy_options::recursive);
        const std::clock_t begun = std::clock();
        m_cluster = makeCluster({.retention = {.runs = 1000}});
        QTRY_COMPARE(m_cluster->runs().size(), size_t{301});
        const std::clock_t used = std::clock() - begun;
        QVERIFY2(used < 5 * CLOCKS_PER_SEC, qPrintable(QString::number(used)));
    }

    void keepsNoMoreRunsThanItShould()
    {
        for (int i = 0; i < 4; ++i)
            QVERIFY(!launched("true").empty());
        QTRY_COMPARE(finishedRuns(), 4);
        m_cluster = makeCluster({.retention = {.runs = 2}});
        QTRY_COMPARE(m_cluster->runs().size(), size_t{2});
    }

    /// Each is held as it answers.
    void whatTakesLongHoldsNeitherCommandsNorFollowersUp()
    {
        const std::string run = launched("exec sleep 600");
        const auto file = std::filesystem::path(m_folder->path().toStdString()) / "out.ringrun";
        std::promise<void> end;
        const auto hold = [ended = end.get_future().share()](const auto& /*result*/) {
            ended.wait();
        };
        m_cluster->exportRun(run, file, hold);
        m_cluster->readComparedRun(run, {}, hold);
        m_cluster->openFile("/no/such/file", hold);
        m_cluster->remove("none", hold);
        RunListener listener;
        listener.follow(*m_cluster, run);
        QTRY_VERIFY(listener.state() == RunState::Running);
        m_cluster->send(run, StopRun{}, [](const Result<void>& /*result*/) {});
        QTRY_VERIFY(listener.state() == RunState::Stopped);
        end.set_value();
    }

    void noCommandWaitsUntilOldRunsAreRemoved()
    {
        const std::string old = launched("true");
        QTRY_VERIFY(isOver(old));
        const std::string run = launched("exec sleep 600");
        const auto isTheirTurn = std::make_shared<std::atomic<bool>>(false);
        {
            // Who removes it waits as long as it is held here.
            const auto lock = RunLock::acquire(summaryOf(old)->folder, 60s);
            QVERIFY(lock.has_value());
            m_cluster = makeCluster({.retention = {.runs = 1, .patience = 24h}});
            m_cluster->remove("none", [isTheirTurn](const Result<void>&) { *isTheirTurn = true; });
            QTRY_VERIFY(summaryOf(old).has_value());
            QVERIFY(ask<void>([&](auto answer) {
                        m_cluster->send(run, StopRun{}, std::move(answer));
                    }).has_value());
            QVERIFY(!*isTheirTurn);
        }
        QTRY_VERIFY(!summaryOf(old));
        QTRY_VERIFY(*isTheirTurn);
    }

    void answersComeAlsoWhenTheClusterEnds()
    {
        std::atomic<int> answers = 0;
        for (int i = 0; i < 20; ++i) {
            m_cluster->launch(shell("true"), {}, [&](const Result<std::string>&) { ++answers; });
            m_cluster->readLog("none", {}, [&](const Result<LogPage>&) { ++answers; });
            m_cluster->send("none", StopRun{}, [&](const Result<void>&) { ++answers; });
        }
        m_cluster.reset();
        QCOMPARE(answers.load(), 60);
        m_cluster = makeCluster();
    }

    /// As when Stop is pressed and the window closed at once.
    void aCommandArrivesThoughTheClusterEnds()
    {
        m_cluster = makeCluster({.commandPatience = 60s}); // for a busy machine
        std::vector<std::string> runs;
        for (int i = 0; i < 4; ++i)
            runs.push_back(launched("exec sleep 600"));
        std::mutex mutex;
        std::map<std::string, bool> hasArrived;
        for (const std::string& run : runs)
            m_cluster->send(run, StopRun{}, [&, run](const Result<void>& result) {
                const std::lock_guard lock(mutex);
                hasArrived[run] = result.has_value();
            });
        m_cluster.reset();
        m_cluster = makeCluster();
        QCOMPARE(hasArrived.size(), runs.size());
        for (const std::string& run : runs) {
            QTRY_VERIFY(summaryOf(run).has_value());
            QVERIFY(hasArrived.at(run));
            QTRY_VERIFY(!summaryOf(run)->isLive);
            QCOMPARE(summaryOf(run)->state, RunState::Stopped);
        }
    }

    /// As when runs are deleted and the window is closed before they are gone: however little it
    /// waits, and whatever takes long before them.
    void runsAreRemovedThoughTheClusterEnds()
    {
        m_cluster = makeCluster({.commandPatience = 0ms});
        std::vector<std::string> runs;
        for (int i = 0; i < 8; ++i)
            runs.push_back(launched("true"));
        for (const std::string& run : runs) {
            QTRY_VERIFY(isOver(run));
            // Its agent has let it go.
            QVERIFY(RunLock::acquire(summaryOf(run)->folder, 60s).has_value());
        }
        const auto file = std::filesystem::path(m_folder->path().toStdString()) / "out.ringrun";
        std::optional<Result<ExportReport>> report;
        m_cluster->exportRun(runs.front(), file,
                             [&](const Result<ExportReport>& result) { report = result; });
        for (const std::string& run : runs)
            m_cluster->remove(run, [](const Result<void>& /*result*/) {});
        m_cluster.reset();
        for (const std::string& run : runs)
            QVERIFY(!RunFolder::find(runsFolder(), run).has_value());
        // Finished before that, or given up.
        QVERIFY(report.has_value());
        QCOMPARE(std::filesystem::exists(file), report->has_value());
        QVERIFY(*report || report->error().code == code::Cancelled);
        for (const auto& entry : std::filesystem::directory_iterator(file.parent_path()))
            QVERIFY2(entry.path().extension() != ".partial", entry.path().c_str());
        m_cluster = makeCluster();
    }

    /// As when it has just ended: its agent is about to let it go.
    void aRunThatIsLetGoAfterTheClustersEndIsRemoved()
    {
        const std::string run = launched("true");
        QTRY_VERIFY(isOver(run));
        auto lock = RunLock::acquire(summaryOf(run)->folder, 60s);
        QVERIFY(lock.has_value());
        std::optional<RunLock> held(std::move(*lock));
        const std::string silent = launched("exec sleep 600");
        const auto agent =
            RunFolder::find(runsFolder(), silent).and_then([](const RunFolder& folder) {
                return folder.agent();
            });
        QVERIFY(agent.has_value());
        QCOMPARE(::kill(agent->process.pid, SIGSTOP), 0);
        m_cluster = makeCluster({.commandPatience = 0ms});
        std::promise<bool> removal;
        std::future<bool> isRemoved = removal.get_future();
        m_cluster->remove(
            run, [&](const Result<void>& result) { removal.set_value(result.has_value()); });
        // Who is silent is given up when the cluster ends.
        bool isAnswered = false;
        bool isGivenUp = false;
        m_cluster->takeStacks(silent, [&](const Result<KeptEvidence>& stacks) {
            isAnswered = stacks.has_value();
            isGivenUp = isRemoved.wait_for(100ms) == std::future_status::ready;
            held.reset();
        });
        m_cluster.reset();
        QCOMPARE(::kill(agent->process.pid, SIGCONT), 0);
        m_cluster = makeCluster();
        QTRY_VERIFY(summaryOf(silent).has_value());
        QVERIFY(!isAnswered);
        QVERIFY(!isGivenUp);
        QVERIFY(isRemoved.get());
        QVERIFY(!RunFolder::find(runsFolder(), run).has_value());
    }

    /// Whoever writes it is not waited for without end.
    void aRunThatIsNotLetGoStaysWhenTheClusterEnds()
    {
        const std::string run = launched("true");
        QTRY_VERIFY(isOver(run));
        const auto lock = RunLock::acquire(summaryOf(run)->folder, 60s);
        QVERIFY(lock.has_value());
        m_cluster = makeCluster({.commandPatience = 0ms});
        std::optional<Result<void>> removal;
        m_cluster->remove(run, [&](const Result<void>& result) { removal = result; });
        QElapsedTimer time;
        time.start();
        m_cluster.reset();
        QVERIFY(time.elapsed() < RunCatalog::LockPatience.count());
        QVERIFY(removal && !removal->has_value());
        QVERIFY(removal->error().code == code::RunFileLocked);
        QVERIFY(RunFolder::find(runsFolder(), run).has_value());
        m_cluster = makeCluster();
    }

    void whatIsWrittenOnARunStaysThoughTheClusterEnds()
    {
        const std::string run = launched("true");
        QTRY_VERIFY(isOver(run));
        m_cluster = makeCluster({.commandPatience = 0ms});
        m_cluster->setLabels(run, {.name = "mine"}, [](const Result<void>& /*result*/) {});
        m_cluster->setPinned(run, true, [](const Result<void>& /*result*/) {});
        m_cluster.reset();
        const auto folder = RunFolder::find(runsFolder(), run);
        QVERIFY(folder.has_value());
        QCOMPARE(folder->labels().name, std::string("mine"));
        QVERIFY(folder->isPinned());
        m_cluster = makeCluster();
    }

    void aHostIsRemovedThoughTheClusterEnds()
    {
        m_cluster = makeCluster({.commandPatience = 60s}); // for a busy machine
        const Host host{.name = "here", .destination = "localhost"};
        QVERIFY(ask<void>([&](auto answer) { m_cluster->hosts().put(host, std::move(answer)); }));
        m_cluster->hosts().remove("here", [](const Result<void>& /*result*/) {});
        m_cluster.reset();
        m_cluster = makeCluster();
        const auto left = ask<std::vector<Host>>(
            [&](auto answer) { m_cluster->hosts().list(std::move(answer)); });
        QCOMPARE(left.value(), std::vector<Host>{});
    }

    /// A machine that is watched: this one.
    void aCommandArrivesThereThoughItsWatcherEnds()
    {
        const std::string run = launched("exec sleep 600");
        bool hasArrived = false;
        {
            WatchingCluster watching(*m_cluster, wayHere, 60s);
            watching.watch({"there"});
            QTRY_VERIFY(isConnected(watching));
            watching.send("there:" + run, StopRun{},
                          [&](const Result<void>& result) { hasArrived = result.has_value(); });
        }
        QVERIFY(hasArrived);
        QTRY_VERIFY(isOver(run));
        QCOMPARE(summaryOf(run)->state, RunState::Stopped);
    }

    void aRunIsRemovedThereThoughItsWatcherEnds()
    {
        const std::string run = launched("true");
        QTRY_VERIFY(isOver(run));
        bool isRemoved = false;
        {
            WatchingCluster watching(*m_cluster, wayHere, 60s);
            watching.watch({"there"});
            QTRY_VERIFY(isConnected(watching));
            watching.remove("there:" + run,
                            [&](const Result<void>& result) { isRemoved = result.has_value(); });
        }
        QVERIFY(isRemoved);
        QVERIFY(!RunFolder::find(runsFolder(), run).has_value());
    }

    void whatIsWrittenOnARunThereStaysThoughItsWatcherEnds()
    {
        const std::string run = launched("true");
        QTRY_VERIFY(isOver(run));
        bool isPinned = false;
        bool isLabelled = false;
        {
            WatchingCluster watching(*m_cluster, wayHere, 60s);
            watching.watch({"there"});
            QTRY_VERIFY(isConnected(watching));
            watching.setPinned("there:" + run, true,
                               [&](const Result<void>& result) { isPinned = result.has_value(); });
            watching.setLabels("there:" + run, {.name = "mine"}, [&](const Result<void>& result) {
                isLabelled = result.has_value();
            });
        }
        QVERIFY(isPinned && isLabelled);
        const auto folder = RunFolder::find(runsFolder(), run);
        QVERIFY(folder.has_value());
        QVERIFY(folder->isPinned());
        QCOMPARE(folder->labels().name, std::string("mine"));
    }

    void anAgentThatDoesNotAnswerHoldsNoWindowUp()
    {
        const std::string run = launched("exec sleep 600");
        const auto agent = RunFolder::find(runsFolder(), run).and_then([](const RunFolder& folder) {
            return folder.agent();
        });
        QVERIFY(agent.has_value());
        QCOMPARE(::kill(agent->process.pid, SIGSTOP), 0);
        std::optional<Result<void>> answer;
        m_cluster->send(run, StopRun{}, [&](const Result<void>& result) { answer = result; });
        m_cluster.reset();
        QCOMPARE(::kill(agent->process.pid, SIGCONT), 0);
        m_cluster = makeCluster();
        QTRY_VERIFY(summaryOf(run).has_value());
        QVERIFY(answer && !answer->has_value());
        // The call would have waited ten seconds for that.
        QVERIFY(answer->error().code != code::AgentNotAnswering);
    }

private:
    static std::unique_ptr<Cluster> makeCluster(LocalCluster::Options options = {})
    {
        options.command = RINGMASTER_BUILD_DIR "/bin/ringmaster";
        return std::make_unique<LocalCluster>(std::move(options));
    }

    static Result<HostLink::Options> wayHere(const std::string& machine,
                                             WatchedMachine::Way /*way*/)
    {
        return HostLink::Options{
            .host = {.name = machine},
            .command = {RINGMASTER_BUILD_DIR "/bin/ringmaster", "agent", "serve"},
            .sentinel = std::string(ByteChannel::Sentinel)};
    }

    static bool isConnected(const WatchingCluster& watching)
    {
        return watching.machines().front().connection == WatchedMachineState::Connection::Connected;
    }

    static JobSpec shell(const std::string& script)
    {
        JobSpec spec;
        spec.roles.front().kind = ProgramKind::Command;
        spec.roles.front().program = "/bin/sh";
        spec.roles.front().arguments = {"-c", script};
        spec.rendezvous.standalone = true;
        return spec;
    }

    Result<std::string> launch(const JobSpec& spec)
    {
        return ask<std::string>([&](auto answer) {
            m_cluster->launch(spec, {.workingFolder = m_folder->path().toStdString()},
                              std::move(answer));
        });
    }

    std::string launched(const std::string& script)
    {
        const auto run = launch(shell(script));
        if (!run)
            qWarning("%s", describe(run.error()).c_str());
        return run.value_or("");
    }

    std::optional<RunSummary> summaryOf(const std::string& run) const
    {
        for (const RunSummary& summary : m_cluster->runs()) {
            if (summary.id == run)
                return summary;
        }
        return std::nullopt;
    }

    bool isOver(const std::string& run) const
    {
        const auto summary = summaryOf(run);
        return summary && isFinal(summary->state) && !summary->isLive;
    }

    int finishedRuns() const
    {
        int count = 0;
        for (const RunSummary& run : m_cluster->runs())
            count += isOver(run.id) ? 1 : 0;
        return count;
    }

    LogPage log(const std::string& run)
    {
        return ask<LogPage>([&](auto answer) { m_cluster->readLog(run, {}, std::move(answer)); })
            .value_or(LogPage{.chunks = {{}}});
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Cluster> m_cluster;
};

QTEST_GUILESS_MAIN(tst_local_cluster)
#include "tst_local_cluster.moc"
