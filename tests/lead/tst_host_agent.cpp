#include "engine/agent/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"
#include "engine/control/ByteChannel.h"
#include "engine/control/LocalSocket.h"
#include "engine/event/States.h"
#include "engine/hosts/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/lead/Codes.h"
#include "engine/lead/HostAgent.h"
#include "engine/node/Codes.h"
#include "engine/record/RunFileReader.h"
#include "engine/record/RunFolder.h"
#include "tests/cli/Ringmaster.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <csignal>
#include <set>
#include <vector>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

constexpr auto Patience = 60s;

/// An agent that is slow on a busy machine isn't silent; connections end when a test ends them.
LinkTimes patientTimes()
{
    LinkTimes times(Patience);
    times.shown = Patience;
    times.renewed = Patience;
    return times;
}

/// A lead with one agent, a real one of this machine, reached over a process that may be killed.
class OneHost : public HostAgent::Lead, public LogGatherer::Sink, public OperationGatherer::Sink
{
public:
    explicit OneHost(const std::string& script, std::uint64_t generation = 5)
    {
        JobSpec spec;
        spec.roles = {{.kind = ProgramKind::Command,
                       .program = "/bin/sh",
                       .arguments = {"-c", script},
                       .workers = {WorkerCount::Kind::Number, 1}}};
        m_order = {.run = "run",
                   .agent = "1",
                   .host = "host1",
                   .generation = generation,
                   .jobFile = jobFileText(spec).value(),
                   .workingFolder = "/",
                   .address = "127.0.0.1",
                   .leadTimeout = 60s};
    }
    OneHost(const OneHost&) = delete;
    OneHost& operator=(const OneHost&) = delete;

    void start(std::optional<std::uint64_t> resumesFrom = std::nullopt)
    {
        HostAgent::Setting setting{
            .order = m_order,
            .open =
                [this](HostLink::Listener& listener, const ReconnectPolicy::Try& next) {
                    m_tries.push_back(next);
                    return HostLink::open(m_loop, listener, way());
                },
            .resumesFrom = resumesFrom,
            .holdInterval = m_holdInterval,
            .times = m_times,
            .firstDelay = 20ms,
            .longestDelay = 100ms,
            .lastTry = Patience,
            .endPatience = m_endPatience};
        m_agent = std::make_unique<HostAgent>(m_loop, m_queue, *this, *this, *this, setting);
        m_agent->start();
    }

    AgentLaunchRequest& order() { return m_order; }
    HostAgent& agent() { return *m_agent; }
    /// As a job has them that says nothing of them.
    void useUsualTimes()
    {
        const HostAgent::Setting usual;
        m_holdInterval = usual.holdInterval;
        m_times = usual.times;
    }
    /// The link outlives the agent until there is this file, or until it is let go.
    void holdLink(const std::string& until, std::chrono::milliseconds endPatience = Patience)
    {
        m_linkEnd = "until [ -e " + until + " ]; do sleep 0.05; done";
        m_endPatience = endPatience;
    }
    /// No connection to the host can be made.
    void setAway(bool isAway, Code why = code::HostUnreachable)
    {
        m_isAway = isAway;
        m_whyAway = why;
    }
    const std::vector<ReconnectPolicy::Try>& tries() const { return m_tries; }
    /// When it was first said to be.
    std::chrono::nanoseconds silence() const { return m_silence; }
    /// How much later than asked for this process came to what was due, in all.
    std::chrono::nanoseconds delay() const { return m_delay; }
    /// ssh would end like this; the agent stays.
    void killLink() { ::kill(pidIn("link"), SIGKILL); }
    pid_t pidIn(const std::string& name) const
    {
        const std::string text = readFile(folder() / name).value_or("0");
        return static_cast<pid_t>(std::atoi(text.c_str())); // NOLINT(cert-err34-c)
    }
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    /// The loop runs until it is so; false: it takes too long.
    bool runUntil(const std::function<bool()>& isSo)
    {
        if (isSo())
            return true; // a stop() before run() would end the next wait
        auto looked = std::chrono::steady_clock::now();
        const auto deadline = looked + Patience;
        const std::function<void()> look = [&] {
            const auto now = std::chrono::steady_clock::now();
            if (now - looked > 100ms)
                m_delay += now - looked;
            looked = now;
            if (isSo() || now > deadline)
                return m_loop.stop();
            m_look = m_loop.callAfter(10ms, look);
        };
        m_look = m_loop.callAfter(10ms, look);
        m_loop.run();
        return isSo();
    }

    bool was(HostChanged::State state, Code why = code::None) const
    {
        return std::ranges::any_of(m_changes, [&](const auto& change) {
            return change.first == state && (why == code::None || change.second == why);
        });
    }
    int times(HostChanged::State state) const
    {
        return static_cast<int>(
            std::ranges::count(m_changes, state, [](const auto& change) { return change.first; }));
    }
    bool runs() const { return has<WorkerStateChanged>(); }
    template <class Body>
    bool has() const
    {
        return std::ranges::any_of(
            m_events, [](const Event& event) { return std::holds_alternative<Body>(event.body); });
    }
    /// Of the agent's events each once, and in order.
    bool areEventsWhole() const
    {
        std::uint64_t last = 0;
        return std::ranges::all_of(
            m_events, [&last](const Event& event) { return event.id.sequence == ++last; });
    }
    std::optional<RunState> end() const
    {
        const auto* state =
            m_events.empty() ? nullptr : std::get_if<RunStateChanged>(&m_events.back().body);
        return state != nullptr && isFinal(state->state) ? std::optional(state->state)
                                                         : std::nullopt;
    }
    const std::string& output() const { return m_output; }
    int measured() const { return m_measured; }
    const std::vector<InheritedSecrets>& inherited() const { return m_inherited; }
    /// Of its operations all has come that there was then.
    std::int64_t operationsUntil() const { return m_operationsUntil; }

private:
    /// The shell is the way; what it starts is the agent, which outlives it.
    HostLink::Options way() const
    {
        const Host host{.name = "host1"};
        const std::string link = m_isAway ? "exit 255"
                                          : "echo $$ >" + (folder() / "link").string() +
                                                "; \"$0\" agent host; " + m_linkEnd;
        return {.host = host,
                .command = {"/bin/sh", "-c", link, Ringmaster::executable().toStdString()},
                .sentinel = std::string(ByteChannel::Sentinel),
                .failure = [this](const Host& there, int exitCode, const std::string& said) {
                    Error error = sshFailure(there, exitCode, said);
                    if (m_isAway)
                        error.code = m_whyAway;
                    return error;
                }};
    }

    void changed(HostAgent& host, HostChanged::State state, const Message& reason) override
    {
        if (state == HostChanged::State::Reconnecting && m_silence == 0ns)
            m_silence = host.silentFor();
        m_changes.emplace_back(state, reason.code);
    }

    /// What the coordinator would answer to the only node.
    void happened(HostAgent& host, Event event) override
    {
        m_events.push_back(event);
        const auto* step = std::get_if<RendezvousReport>(&event.body);
        if (step == nullptr)
            return;
        if (step->step == RendezvousReport::Step::Finished)
            return host.send(CloseRendezvous{.hasSucceeded = true});
        host.send(BeginRound{.round = step->round,
                             .worldSize = 1,
                             .places = {{step->roles.front().role, 0, 0, 1}},
                             .runId = "run",
                             .masterAddress = step->address,
                             .masterPort = step->port});
    }

    void measured(HostAgent& /*host*/, const ClockMeasured& /*clock*/) override { ++m_measured; }
    void inherited(HostAgent& /*host*/, const InheritedSecrets& secrets) override
    {
        m_inherited.push_back(secrets);
    }
    void logged(const LogChunk& chunk) override { m_output += chunk.bytes; }
    void logLost(std::uint64_t /*bytes*/) override {}
    void operationsCame(const std::string& /*agent*/, const OperationRow& /*row*/) override {}
    void ranksSeen(const std::string& /*agent*/,
                   const std::vector<RankActivity>& /*ranks*/) override
    {
    }
    void allCame(const std::string& /*agent*/, std::int64_t askedNs) override
    {
        m_operationsUntil = askedNs;
    }
    std::vector<int> stacksWanted() const override { return {}; }

    QTemporaryDir m_folder;
    AgentLaunchRequest m_order;
    std::string m_linkEnd = "exit $?";
    std::chrono::milliseconds m_endPatience = Patience;
    bool m_isAway = false;
    Code m_whyAway = code::HostUnreachable;
    std::chrono::milliseconds m_holdInterval = 100ms;
    LinkTimes m_times = patientTimes();
    std::vector<ReconnectPolicy::Try> m_tries;
    std::chrono::nanoseconds m_silence{0};
    std::chrono::nanoseconds m_delay{0};
    std::vector<std::pair<HostChanged::State, Code>> m_changes;
    std::vector<Event> m_events;
    std::string m_output;
    int m_measured = 0;
    std::int64_t m_operationsUntil = 0;
    std::vector<InheritedSecrets> m_inherited;
    EventLoop m_loop;
    RpcQueue m_queue;
    std::unique_ptr<HostAgent> m_agent;
    EventLoop::Registration m_look;
};

} // namespace

/// With real agents, over connections that break.
class tst_host_agent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_state = std::make_unique<QTemporaryDir>();
        qputenv("XDG_STATE_HOME", m_state->filePath("state").toUtf8());
        const QString runtime = m_state->filePath("run");
        QDir().mkpath(runtime);
        QFile::setPermissions(runtime, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("XDG_RUNTIME_DIR", runtime.toUtf8());
    }

    /// An agent that is ended still writes there for a moment.
    void cleanup()
    {
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(m_state->path().toUtf8()), 0, 60'000);
    }

    void startsItAndHearsAllThatItSays()
    {
        OneHost host("echo hello");
        host.order().environment["HF_TOKEN"] = "hf_of_the_host";
        host.start();
        QVERIFY(host.was(HostChanged::State::Connecting));
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QCOMPARE(host.end(), std::optional(RunState::Succeeded));
        QVERIFY(host.was(HostChanged::State::Finished));
        QCOMPARE(host.times(HostChanged::State::Connected), 1);
        QVERIFY(host.areEventsWhole());
        QCOMPARE(host.output(), std::string("hello\n"));
        QVERIFY(host.measured() > 0);
        QCOMPARE(host.operationsUntil(), OperationGatherer::AtItsEnd);
        QCOMPARE(host.inherited().size(), 1U);
        const InheritedSecrets& secrets = host.inherited().front();
        const auto told = std::ranges::find(secrets.values, sizeof "hf_of_the_host" - 1,
                                            &SecretFingerprint::length);
        QVERIFY(told != secrets.values.end());
        QVERIFY(std::ranges::binary_search(secrets.names, "HF_TOKEN"));
    }

    /// It writes its record after its last word; one of this machine is killed with its link.
    void itIsOverWhenItsLinkHasEnded()
    {
        OneHost host("echo hello");
        host.holdLink(m_state->filePath("go").toStdString());
        host.start();
        QVERIFY(host.runUntil([&] { return hasEnded(host); }));
        QVERIFY(folder().summary().state == RunState::Succeeded);
        QVERIFY(!host.agent().isOver());
        go();
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QVERIFY(host.was(HostChanged::State::Finished));
    }

    void aLinkThatStaysIsNotWaitedForLong()
    {
        OneHost host("echo hello");
        host.holdLink(m_state->filePath("go").toStdString(), 100ms);
        host.start();
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QCOMPARE(host.end(), std::optional(RunState::Succeeded));
        QVERIFY(host.was(HostChanged::State::Finished));
        QVERIFY(host.runUntil([&] { return hasEnded(host); }));
    }

    /// Slurm may take the place back before the link has ended.
    void nothingIsMissingOfOneThatMayGo()
    {
        OneHost host("echo hello");
        host.holdLink(m_state->filePath("go").toStdString());
        host.start();
        QVERIFY(host.runUntil([&] { return hasEnded(host); }));
        host.agent().abandon({code::PlaceTakenBack, {{"host", "host1"}}, {}});
        QVERIFY(host.agent().isOver());
        QVERIFY(host.was(HostChanged::State::Finished));
        QVERIFY(!host.was(HostChanged::State::Finished, code::HostOutputMissing));
    }

    void aBrokenConnectionIsOpenedAgain()
    {
        OneHost host("until [ -e " + m_state->filePath("go").toStdString() +
                     " ]; do sleep 0.1; done; echo hello");
        host.start();
        QVERIFY(host.runUntil([&] { return host.runs(); }));
        for (int times = 1; times <= 2; ++times) {
            host.killLink();
            QVERIFY(host.runUntil(
                [&] { return host.times(HostChanged::State::Connected) == 1 + times; }));
            QCOMPARE(host.times(HostChanged::State::Reconnecting), times);
        }
        go();
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QCOMPARE(host.end(), std::optional(RunState::Succeeded));
        QVERIFY(host.areEventsWhole());
        QCOMPARE(host.output(), std::string("hello\n"));
        QVERIFY(!host.was(HostChanged::State::Gone));
    }

    /// It has nobody to tell of its end, and waits.
    void whatEndsWhileItIsAwayIsHeardLater()
    {
        OneHost host("echo $$$$; exec sleep 600"); // $$ is a dollar, as in torchrun's lines
        // It misses its lead at once: that it is back, it would say after its end.
        host.order().holdTimeout = 1ms;
        host.start();
        QVERIFY(host.runUntil([&] { return host.output().ends_with("\n"); }));
        const pid_t worker = std::atoi(host.output().c_str()); // NOLINT(cert-err34-c)
        QVERIFY2(worker > 0, host.output().c_str());
        host.setAway(true);
        host.killLink();
        QVERIFY(host.runUntil([&] { return host.was(HostChanged::State::Reconnecting); }));
        signal(SIGTERM);
        QVERIFY(host.runUntil([&] { return ::kill(worker, 0) != 0; }));
        QVERIFY(!host.end());
        host.setAway(false);
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QCOMPARE(host.end(), std::optional(RunState::Stopped));
        QVERIFY(host.areEventsWhole());
        QVERIFY(!host.was(HostChanged::State::Gone));
        const RunFolder record = folder();
        QVERIFY(host.runUntil([&] { return lifeOf(record.agent().value()) == AgentLife::Gone; }));
        const auto recorded = RunFileReader::open(record.runFile()).value().events().value();
        const auto* last = std::get_if<RunStateChanged>(&recorded.back().body);
        QVERIFY(last != nullptr && last->state == RunState::Stopped);
    }

    /// It was stopped, and others have filled its queue: one started beside it would be too many.
    void anAgentThatTakesNobodyIsTriedAgain()
    {
        OneHost host("until [ -e " + m_state->filePath("go").toStdString() +
                     " ]; do sleep 0.1; done; echo hello");
        host.start();
        QVERIFY(host.runUntil([&] { return host.runs(); }));
        const AgentRecord agent = folder().agent().value();
        signal(SIGSTOP);
        QVERIFY(host.runUntil([&] { return stateOf(agent.process.pid) == 'T'; }));
        std::vector<FileDescriptor> waiting;
        for (bool isTaken = true; isTaken;) {
            auto connection = connectLocally(agent.socket);
            isTaken = connection.has_value();
            if (isTaken)
                waiting.push_back(*std::move(connection));
        }
        const size_t before = host.tries().size();
        host.killLink();
        QVERIFY(host.runUntil([&] { return host.tries().size() >= before + 3; }));
        QVERIFY(!host.was(HostChanged::State::Gone));
        waiting.clear();
        signal(SIGCONT);
        QVERIFY(host.runUntil([&] { return host.times(HostChanged::State::Connected) == 2; }));
        go();
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QCOMPARE(host.end(), std::optional(RunState::Succeeded));
        QVERIFY(host.areEventsWhole());
        QVERIFY(!host.was(HostChanged::State::Gone));
    }

    void anAgentThatIsKilledIsGone()
    {
        OneHost host("echo here; exec sleep 600");
        host.start();
        QVERIFY(host.runUntil([&] { return host.output().ends_with("\n"); }));
        signal(SIGKILL);
        QVERIFY(host.runUntil([&] { return host.agent().isOver() || host.agent().isRecord(); }));
        QVERIFY(host.was(HostChanged::State::Gone, code::HostAgentKilled));
        QVERIFY(host.agent().wasStarted());
        QVERIFY(host.areEventsWhole());
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); })); // who brings its record goes
    }

    void oneThatIsSilentIsToldOfWithinFiveSeconds()
    {
        OneHost host("exec sleep 600");
        host.useUsualTimes();
        host.start();
        QVERIFY(host.runUntil([&] { return host.runs(); }));
        signal(SIGSTOP);
        QVERIFY(host.runUntil([&] { return host.was(HostChanged::State::Reconnecting); }));
        signal(SIGKILL);
        QVERIFY(host.was(HostChanged::State::Reconnecting, code::HostCut));
        QVERIFY(host.silence() >= 3s);
        const auto late = host.silence() - host.delay();
        QVERIFY2(late <= 5s, qPrintable(QString("after %1 ms, of which %2 were this process's")
                                            .arg(host.silence() / 1ms)
                                            .arg(host.delay() / 1ms)));
    }

    void slowLoginsAreCounted_data()
    {
        QTest::addColumn<bool>("isTakeover"); ///< Else the first login was quick.
        QTest::addColumn<bool>("isSlow");     ///< Else nothing can be connected.
        for (const bool isTakeover : {false, true})
            for (const bool isSlow : {false, true})
                QTest::addRow("%s, %s", isTakeover ? "a takeover" : "a reconnection",
                              isSlow ? "slow" : "cut")
                    << isTakeover << isSlow;
    }

    /// The next one is waited for longer, whoever was there before.
    void slowLoginsAreCounted()
    {
        QFETCH(bool, isTakeover);
        QFETCH(bool, isSlow);
        OneHost host("exec sleep 600");
        const Code why = isSlow ? code::HostLoginSilent : code::HostUnreachable;
        if (isTakeover) {
            host.setAway(true, why);
            host.start(0);
        } else {
            host.start();
            QVERIFY(host.runUntil([&] { return host.runs(); }));
            host.setAway(true, why);
            host.killLink();
        }
        const size_t before = host.tries().size();
        QVERIFY(host.runUntil([&] { return host.tries().size() >= before + 3; }));
        const ReconnectPolicy::Try& third = host.tries().at(before + 2);
        // Of a takeover one has been tried before.
        QCOMPARE(third.silentLogins, isSlow ? 2 + (isTakeover ? 1 : 0) : 0);
        QVERIFY(third.connection == ReconnectPolicy::Connection::Fresh);
        if (!isTakeover)
            signal(SIGKILL);
    }

    void aDrillCutsTheLinkForATime()
    {
        OneHost host("echo $$$$; until [ -e " + m_state->filePath("go").toStdString() +
                     " ]; do sleep 0.1; done");
        host.start();
        QVERIFY(host.runUntil([&] { return host.output().ends_with("\n"); }));
        QElapsedTimer timer;
        timer.start();
        host.agent().cutFor(1s, {code::HostCutByDrill, {{"host", "host1"}}, {}});
        QVERIFY(!host.agent().isConnected());
        QVERIFY(host.was(HostChanged::State::Reconnecting, code::HostCutByDrill));
        QVERIFY(host.runUntil([&] { return host.times(HostChanged::State::Connected) == 2; }));
        QVERIFY(timer.elapsed() >= 1000);
        go();
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QCOMPARE(host.end(), std::optional(RunState::Succeeded));
        QVERIFY(host.areEventsWhole());
        QVERIFY(!host.was(HostChanged::State::Gone));
    }

    void aDrillsCutEndsWithTheRun()
    {
        OneHost host("exec sleep 600");
        host.start();
        QVERIFY(host.runUntil([&] { return host.runs(); }));
        host.agent().cutFor(1h, {code::HostCutByDrill, {{"host", "host1"}}, {}});
        host.agent().stop(StopRun{});
        host.agent().stopTrying();
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QCOMPARE(host.end(), std::optional(RunState::Stopped));
        QVERIFY(host.was(HostChanged::State::Finished));
    }

    /// How the job ends the coordinator says; only who was stopped hears of a stop.
    void whoComesBackAtTheEndIsNotStopped()
    {
        OneHost host("echo $$$$; until [ -e " + m_state->filePath("go").toStdString() +
                     " ]; do sleep 0.1; done");
        host.start();
        QVERIFY(host.runUntil([&] { return host.output().ends_with("\n"); }));
        host.agent().cutFor(1h, {code::HostCutByDrill, {{"host", "host1"}}, {}});
        host.agent().stopTrying();
        QVERIFY(host.runUntil([&] { return host.times(HostChanged::State::Connected) == 2; }));
        go();
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QCOMPARE(host.end(), std::optional(RunState::Succeeded));
    }

    void aDrillKillsTheAgentAndItsWorkers()
    {
        OneHost host("echo $$$$; exec sleep 600");
        host.start();
        QVERIFY(host.runUntil([&] { return host.output().ends_with("\n"); }));
        const pid_t worker = std::atoi(host.output().c_str()); // NOLINT(cert-err34-c)
        QVERIFY2(worker > 0, host.output().c_str());
        host.agent().send(BeginDrill{.kind = BeginDrill::Kind::KillHost, .host = "host1"});
        QVERIFY(host.runUntil([&] { return host.agent().isOver() || host.agent().isRecord(); }));
        QVERIFY(host.was(HostChanged::State::Gone, code::HostAgentKilled));
        QVERIFY(host.runUntil([&] { return ::kill(worker, 0) != 0; }));
        QVERIFY(!host.end()); // no farewell
        QVERIFY(!host.has<WorkerExited>());
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); })); // who brings its record goes
    }

    void nobodyIsTriedForOnceTheJobEnds()
    {
        OneHost host("exec sleep 600");
        host.start();
        QVERIFY(host.runUntil([&] { return host.runs(); }));
        host.setAway(true);
        host.killLink();
        QVERIFY(host.runUntil([&] { return host.was(HostChanged::State::Reconnecting); }));
        host.agent().stopTrying();
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QVERIFY(host.was(HostChanged::State::Gone));
        signal(SIGKILL);
    }

    /// Its heartbeats are refused, and so is the start of another agent.
    void whoseLeadIsReplacedIsLeftToTheOther()
    {
        OneHost host("exec sleep 600");
        host.start();
        QVERIFY(host.runUntil([&] { return host.runs(); }));
        OneHost other("exec sleep 600", 6);
        other.order().agent = "1.2";
        other.start();
        QVERIFY(other.runUntil([&] { return other.runs(); }));
        QVERIFY(host.runUntil([&] { return host.agent().isOver(); }));
        QVERIFY(host.was(HostChanged::State::Gone, code::LeadReplaced));
        OneHost older("exec sleep 600");
        older.order().agent = "1.3";
        older.start();
        QVERIFY(older.runUntil([&] { return older.agent().isOver(); }));
        QVERIFY(older.was(HostChanged::State::Gone, code::LeadReplaced));
        QVERIFY(!older.has<RunStarted>());
        other.agent().send(StopRun{.now = true});
        QVERIFY(other.runUntil([&] { return other.agent().isOver(); }));
    }

private:
    /// Of the agent that is called 1.
    static RunFolder folder()
    {
        const std::filesystem::path all =
            qgetenv("XDG_STATE_HOME").toStdString() + "/ringmaster/parts";
        const std::filesystem::path parts = std::filesystem::directory_iterator(all)->path();
        return RunFolder::find(parts, "run.1").value();
    }
    /// Nothing of its process is left, the link apart.
    static bool hasEnded(const OneHost& host)
    {
        return host.end() && lifeOf(folder().agent().value()) == AgentLife::Gone;
    }
    static void signal(int number)
    {
        const auto agent = folder().agent();
        QVERIFY(agent && ::kill(agent->process.pid, number) == 0);
    }
    void go()
    {
        QFile file(m_state->filePath("go"));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }

    std::unique_ptr<QTemporaryDir> m_state;
};

QTEST_GUILESS_MAIN(tst_host_agent)
#include "tst_host_agent.moc"
