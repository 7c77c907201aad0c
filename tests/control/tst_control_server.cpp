
#include "engine/base/Codes.h"
#include "engine/base/LoopThread.h"
#include "engine/base/Version.h"
#include "engine/control/AgentClient.h"
#include "engine/control/ByteChannel.h"
#include "engine/control/Codes.h"
#include "engine/control/ControlServer.h"
#include "engine/control/RpcService.h"
#include "tests/control/Ask.h"

#include <QtTest>

#include <condition_variable>
#include <csignal>
#include <future>
#include <mutex>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

Event eventNumber(std::uint64_t sequence)
{
    return {.id = {"run", "agent", sequence},
            .runSequence = sequence,
            .at = {std::int64_t(sequence), 1},
            .node = "here",
            .clock = "boot",
            .body = Notice{.message = {code::TimedOut, {{"what", std::to_string(sequence)}}, {}}}};
}

/// An agent's loop with a server: what a Node is to the server.
class Agent : public ControlServer::Host, public ControlServer::Recording
{
public:
    explicit Agent(ControlServer::Options options = {.run = "run"})
        : m_server(std::make_unique<ControlServer>(m_loop, *this, *this, std::move(options)))
        , m_thread([this] { m_loop.run(); })
    {
    }

    ~Agent() override { end(); }

    void end()
    {
        if (!m_thread.joinable())
            return;
        m_loop.stop();
        m_thread.join();
        m_server.reset();
    }

    RpcQueue& queue() { return m_queue; }

    void publish(std::uint64_t first, std::uint64_t last)
    {
        for (std::uint64_t sequence = first; sequence <= last; ++sequence)
            m_server->publish(eventNumber(sequence));
    }

    std::unique_ptr<AgentClient> connect()
    {
        auto pair = makeSocketPair(SOCK_STREAM).value();
        (void)setNonBlocking(pair.first.get()); // gRPC wants it so; a fresh socket allows it
        m_server->serve(std::move(pair.first));
        return std::make_unique<AgentClient>(std::move(pair.second), "run", m_queue);
    }

    ControlServer& server() { return *m_server; }

    Result<void> execute(const Command& command) override
    {
        commands.push_back(command);
        if (std::holds_alternative<SignalWorker>(command))
            return fail(code::RunNotRunning, {{"run", "run"}});
        return {};
    }

    /// The lead with 7 has been replaced.
    Result<void> obeys(std::uint64_t generation) override
    {
        if (generation < 8)
            return fail(code::RunNotRunning, {{"run", "run"}});
        return {};
    }

    void takeStacks(std::function<void(Result<KeptEvidence>)> answer) override
    {
        if (keepsStacks)
            return stacks.push_back(std::move(answer));
        answer(KeptEvidence{{1, 2}, {.attempt = 3, .ranks = {{.globalRank = 7}}}});
    }

    void watched(bool isWatched) override { watches.push_back(isWatched); }

    Result<HeartbeatReply> heartbeat(const Heartbeat& heartbeat) override
    {
        return HeartbeatReply{.keptEvents = heartbeat.generation};
    }

    Result<std::vector<Event>> events(std::uint64_t after, size_t limit) override
    {
        waitForDisk();
        std::vector<Event> found;
        while (found.size() < limit && after < recordedUpTo)
            found.push_back(eventNumber(++after));
        return found;
    }

    Result<LogPage> log(const LogQuery& query) override
    {
        waitForDisk();
        return LogPage{.chunks = {{.cursor = query.cursor + 1,
                                   .globalRank = query.ranks.at(0),
                                   .stream = Stream::Stderr,
                                   .bytes = std::string("caf\xe9\0x", 6)}},
                       .lastCursor = 9,
                       .lostBytes = query.maxBytes};
    }

    Result<RecordedMetrics> metrics() override
    {
        waitForDisk();
        return RecordedMetrics{.isMore = true};
    }

    std::vector<Command> commands;
    std::vector<bool> watches;
    bool keepsStacks = false; ///< And answers when the test does.
    std::vector<std::function<void(Result<KeptEvidence>)>> stacks;
    std::atomic<std::uint64_t> recordedUpTo = 0;
    std::shared_future<void> disk; ///< Where it is set, reads return with it.
    std::atomic<int> reads = 0;    ///< That have begun.

private:
    void waitForDisk()
    {
        ++reads;
        if (disk.valid())
            disk.wait();
    }

    RpcQueue m_queue;
    EventLoop m_loop;
    std::unique_ptr<ControlServer> m_server;
    std::thread m_thread;
};

/// Gathers what a subscription brings.
class Listener
{
public:
    void follow(AgentClient& client, std::uint64_t from = 0)
    {
        m_subscription = client.subscribe(
            from,
            [this](const std::vector<Event>& events) {
                const std::lock_guard lock(m_mutex);
                for (const Event& event : events)
                    m_sequences.push_back(event.runSequence);
            },
            [this](const Result<void>& result) {
                const std::lock_guard lock(m_mutex);
                m_ended = result;
            });
    }

    std::vector<std::uint64_t> sequences() const
    {
        const std::lock_guard lock(m_mutex);
        return m_sequences;
    }

    std::optional<Result<void>> ended() const
    {
        const std::lock_guard lock(m_mutex);
        return m_ended;
    }

    void cancel() { m_subscription.cancel(); }

private:
    mutable std::mutex m_mutex;
    std::vector<std::uint64_t> m_sequences;
    std::optional<Result<void>> m_ended;
    Subscription m_subscription;
};

/// A thread for a loop's tasks; one may wait until so many have come.
class CountedTasks : public EventLoop::Scheduler
{
public:
    void post(EventLoop::Task task) override
    {
        m_thread.post(std::move(task));
        const std::lock_guard lock(m_mutex);
        ++m_count;
        m_changed.notify_all();
    }

    EventLoop::Registration callAfter(std::chrono::nanoseconds /*delay*/,
                                      EventLoop::Task /*task*/) override
    {
        return {};
    }

    void awaitCount(int count)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_count >= count; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    int m_count = 0;
    LoopThread m_thread{"test"};
};

/// Starts only once its end has begun: when the task after the one that serves has come.
class LateService : public RpcService
{
public:
    LateService(EventLoop& loop, CountedTasks& tasks) : RpcService(loop, 1024), m_tasks(tasks) {}

    std::promise<void> isStarting;

private:
    void configure(grpc::ServerBuilder& /*builder*/) override
    {
        isStarting.set_value();
        m_tasks.awaitCount(2);
    }
    void awaitCalls() override {}

    CountedTasks& m_tasks;
};

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last)
{
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = first; number <= last; ++number)
        numbers.push_back(number);
    return numbers;
}

} // namespace

class tst_control_server : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }

    void saysWhoItIs()
    {
        Agent agent;
        const auto client = agent.connect();
        const auto hello =
            ask<AgentClient::Agent>([&](auto answer) { client->hello(std::move(answer)); });
        QCOMPARE(hello->run, std::string("run"));
        QCOMPARE(hello->pid, ::getpid());
        QCOMPARE(hello->version, std::string(RINGMASTER_VERSION));
    }

    void sendsWhatWasAndWhatComesWithoutAGap()
    {
        Agent agent({.run = "run", .eventsInMemory = 4096});
        agent.publish(1, 500);
        const auto client = agent.connect();
        Listener listener;
        listener.follow(*client);
        std::thread publisher([&] { agent.publish(501, 3000); });
        QTRY_COMPARE(listener.sequences().size(), size_t{3000});
        publisher.join();
        QCOMPARE(listener.sequences(), range(1, 3000));
        QVERIFY(!listener.ended());
        agent.end();
        QTRY_VERIFY(listener.ended().has_value());
        QVERIFY(listener.ended()->has_value());
    }

    void resumesFromASequenceOnANewConnection()
    {
        Agent agent;
        agent.publish(1, 100);
        Listener listener;
        {
            const auto first = agent.connect();
            listener.follow(*first);
            QTRY_COMPARE(listener.sequences().size(), size_t{100});
            listener.cancel();
        }
        agent.publish(101, 200);
        const auto second = agent.connect();
        listener.follow(*second, 100);
        QTRY_COMPARE(listener.sequences().size(), size_t{200});
        QCOMPARE(listener.sequences(), range(1, 200));
    }

    void goesOnFromTheRecordingWhereMemoryDoesNotReach()
    {
        Agent agent({.run = "run", .eventsInMemory = 10});
        agent.publish(1, 1000);
        agent.recordedUpTo = 400;
        const auto client = agent.connect();
        Listener listener;
        listener.follow(*client, 5);
        QTRY_COMPARE(listener.sequences().size(), size_t{395});
        agent.recordedUpTo = 995; // the run file catches up
        QTRY_COMPARE(listener.sequences().size(), size_t{995});
        QCOMPARE(listener.sequences(), range(6, 1000));
    }

    void cutsOffASubscriberThatNothingCanServeSoThatItCanComeBack()
    {
        Agent agent({.run = "run", .eventsInMemory = 10, .recordingPatience = 50ms});
        agent.publish(1, 1000);
        const auto client = agent.connect();
        Listener listener;
        listener.follow(*client, 5);
        QTRY_VERIFY(listener.ended().has_value());
        QVERIFY(listener.ended()->error().code == code::SubscriberTooSlow);
        QCOMPARE(listener.ended()->error().parameters.at("sequence"), std::string("5"));
        agent.recordedUpTo = 1000;
        listener.follow(*client, 5);
        QTRY_COMPARE(listener.sequences(), range(6, 1000));
    }

    void aSubscriberThatStallsCostsOneBatchAndLosesNothing()
    {
        Agent agent({.run = "run", .eventsInMemory = 100});
        agent.recordedUpTo = 20'000;
        const auto client = agent.connect();
        std::promise<void> release;
        std::atomic<std::uint64_t> last = 0;
        std::atomic<bool> inOrder = true;
        auto stalled = client->subscribe(
            0,
            [&, held = release.get_future().share()](const std::vector<Event>& events) {
                held.wait();
                for (const Event& event : events) {
                    inOrder = inOrder && event.runSequence == last + 1;
                    last = event.runSequence;
                }
            },
            [](const Result<void>&) {});
        const auto other = agent.connect();
        Listener quick;
        quick.follow(*other);
        agent.publish(1, 20'000);
        release.set_value();
        QTRY_COMPARE(last.load(), std::uint64_t{20'000});
        QVERIFY(inOrder);
    }

    void tellsTheAgentWhetherSomebodyFollows()
    {
        Agent agent;
        const auto client = agent.connect();
        Listener first;
        Listener second;
        first.follow(*client);
        second.follow(*client);
        agent.publish(1, 1);
        QTRY_COMPARE(first.sequences().size(), size_t{1});
        QTRY_COMPARE(second.sequences().size(), size_t{1});
        // Answered on the loop that is told: what was told before has come, too.
        QVERIFY(ask<void>([&](auto answer) { client->send(StopRun{}, std::move(answer)); }));
        agent.end();
        QCOMPARE(agent.watches.front(), true);
        QCOMPARE(std::ranges::count(agent.watches, true), 1);
    }

    void givesTheStateThatItsEventsAmountTo()
    {
        Agent agent;
        agent.server().publish({.id = {"run", "agent", 1},
                                .runSequence = 1,
                                .body = RunStarted{.name = "digits", .agentPid = 42}});
        agent.server().publish({.id = {"run", "agent", 2},
                                .runSequence = 2,
                                .body = RunStateChanged{.state = RunState::Running}});
        const auto client = agent.connect();
        const auto snapshot =
            ask<RunSnapshot>([&](auto answer) { client->snapshot(std::move(answer)); });
        QCOMPARE(snapshot->run, std::string("run"));
        QCOMPARE(snapshot->started.name, std::string("digits"));
        QVERIFY(snapshot->state == RunState::Running);
        QCOMPARE(snapshot->lastSequence, std::uint64_t{2});
    }

    void carriesCommandsToTheAgentsLoopAndItsErrorsBack()
    {
        Agent agent;
        const auto client = agent.connect();
        const auto send = [&](const Command& command) {
            return ask<void>([&](auto answer) { client->send(command, std::move(answer)); });
        };
        QVERIFY(send(StopRun{.now = true}).has_value());
        QVERIFY(send(RestartGroup{}).has_value());
        const auto refused = send(SignalWorker{.globalRank = 3, .signal = SIGUSR1});
        QVERIFY(refused.error().code == code::RunNotRunning);
        QCOMPARE(refused.error().parameters.at("run"), std::string("run"));
        agent.end();
        QVERIFY(agent.commands == (std::vector<Command>{StopRun{.now = true}, RestartGroup{},
                                                        SignalWorker{3, SIGUSR1}}));
    }

    void stacksComeWhenTheyAreTaken()
    {
        Agent agent;
        const auto client = agent.connect();
        const auto taken =
            ask<KeptEvidence>([&](auto answer) { client->takeStacks(std::move(answer)); });
        QVERIFY(taken.has_value());
        QVERIFY(taken->at.wallNs == 2 && taken->evidence.attempt == 3);
        QCOMPARE(taken->evidence.ranks.at(0).globalRank, 7);
    }

    /// Whoever takes them may be slower than the end.
    void stacksThatComeAfterTheEndAreNobodys()
    {
        Agent agent;
        agent.keepsStacks = true;
        const auto client = agent.connect();
        std::promise<Result<KeptEvidence>> promise;
        client->takeStacks(
            [&](Result<KeptEvidence> taken) { promise.set_value(std::move(taken)); });
        // The next call is answered on the same loop, after it.
        QVERIFY(ask<void>([&](auto answer) { client->send(StopRun{}, std::move(answer)); }));
        agent.end();
        QCOMPARE(agent.stacks.size(), size_t{1});
        agent.stacks.front()(KeptEvidence{});
        QVERIFY(!promise.get_future().get().has_value());
    }

    void tellsTheMetricsAndWhetherThereIsMore()
    {
        Agent agent;
        const auto client = agent.connect();
        Event sample = eventNumber(1);
        sample.body = ProcessSample{.globalRank = 3, .residentBytes = 12};
        agent.server().publish(sample);
        const auto metrics = ask<AgentClient::MetricsText>(
            [&](auto answer) { client->readMetrics(std::move(answer)); });
        QVERIFY(metrics.has_value());
        QVERIFY(metrics->isMore);
        const auto text = QByteArray::fromStdString(metrics->text);
        QVERIFY2(text.contains("ringmaster_worker_resident_memory_bytes{run=\"run\",rank=\"3\"} "
                               "12\n"),
                 text);
        QVERIFY(agent.server().serveMetrics(0).value() > 0);
    }

    void knowsWhatWasBeforeItLed()
    {
        Agent agent({.run = "run", .before = {.run = "run", .attempt = 2, .worldSize = 5}});
        const auto client = agent.connect();
        const auto snapshot =
            ask<RunSnapshot>([&](auto answer) { client->snapshot(std::move(answer)); });
        QCOMPARE(snapshot.value().worldSize, 5);
    }

    void readsLogsByCursorWhateverTheirBytes()
    {
        Agent agent;
        const auto client = agent.connect();
        const auto page = ask<LogPage>([&](auto answer) {
            client->readLog({.cursor = 6, .ranks = {2}, .maxBytes = 100}, std::move(answer));
        });
        QCOMPARE(page->chunks.size(), size_t{1});
        QCOMPARE(page->chunks[0].cursor, std::uint64_t{7});
        QCOMPARE(page->chunks[0].globalRank, 2);
        QVERIFY(page->chunks[0].stream == Stream::Stderr);
        QCOMPARE(page->chunks[0].bytes, std::string("caf\xe9\0x", 6));
        QCOMPARE(page->lastCursor, std::uint64_t{9});
        QCOMPARE(page->lostBytes, std::uint64_t{100});
    }

    void answersWhatIsUnderWayWhenTheAgentEnds()
    {
        RpcQueue queue;
        auto pair = makeSocketPair(SOCK_STREAM).value();
        QVERIFY(setNonBlocking(pair.first.get()).has_value());
        const auto client = std::make_unique<AgentClient>(std::move(pair.second), "run", queue);
        EventLoop neverRuns;
        Agent host;
        auto server =
            std::make_unique<ControlServer>(neverRuns, host, host, ControlServer::Options{});
        server->serve(std::move(pair.first));
        std::promise<Result<void>> answered;
        client->send(RestartGroup{},
                     [&](Result<void> result) { answered.set_value(std::move(result)); });
        const auto hello =
            ask<AgentClient::Agent>([&](auto answer) { client->hello(std::move(answer)); });
        QVERIFY(hello.has_value());
        server.reset();
        QVERIFY(!answered.get_future().get().has_value());
        QVERIFY(host.commands.empty());
    }

    /// A file server may never answer; the lead's heartbeat mustn't wait for it.
    void aReadThatDoesNotReturnHoldsUpOnlyThoseWhoRead()
    {
        Agent agent({.run = "run", .eventsInMemory = 10});
        std::promise<void> answers;
        agent.disk = answers.get_future().share();
        agent.publish(1, 1000);
        agent.recordedUpTo = 1000;
        std::promise<Result<LogPage>> first;
        std::promise<Result<LogPage>> second;
        std::promise<Result<AgentClient::MetricsText>> metrics;
        const auto client = agent.connect();
        client->readLog({.ranks = {1}},
                        [&](const Result<LogPage>& page) { first.set_value(page); });
        client->readLog({.ranks = {2}},
                        [&](const Result<LogPage>& page) { second.set_value(page); });
        client->readMetrics(
            [&](const Result<AgentClient::MetricsText>& text) { metrics.set_value(text); });
        Listener listener;
        listener.follow(*client, 5);
        QTRY_COMPARE(agent.reads.load(), 1);
        const auto held = ask<HeartbeatReply>(
            [&](auto answer) { client->heartbeat({.generation = 9}, 60s, std::move(answer)); });
        QVERIFY2(held, held ? "" : describe(held.error()).c_str());
        QCOMPARE(held->keptEvents, std::uint64_t{9});
        QVERIFY(ask<void>([&](auto answer) { client->send(StopRun{}, std::move(answer)); }));
        QCOMPARE(agent.reads.load(), 1);
        answers.set_value();
        const auto firstPage = first.get_future().get();
        const auto secondPage = second.get_future().get();
        QVERIFY(metrics.get_future().get().has_value());
        QVERIFY(firstPage && secondPage);
        QCOMPARE(firstPage->chunks.at(0).globalRank, 1);
        QCOMPARE(secondPage->chunks.at(0).globalRank, 2);
        QTRY_COMPARE(listener.sequences(), range(6, 1000));
    }

    /// The server's end waits for the read that runs, the clients don't.
    void whoReadsWhenTheAgentEndsIsLetGo()
    {
        Agent agent({.run = "run", .eventsInMemory = 10});
        std::promise<void> answers;
        agent.disk = answers.get_future().share();
        agent.publish(1, 1000);
        agent.recordedUpTo = 1000;
        std::promise<Result<LogPage>> page;
        const auto client = agent.connect();
        Listener reading;
        reading.follow(*client, 5);
        QTRY_COMPARE(agent.reads.load(), 1);
        Listener waiting;
        waiting.follow(*client, 6);
        client->readLog({.ranks = {1}}, [&](const Result<LogPage>& read) { page.set_value(read); });
        std::thread end([&] { agent.end(); });
        const bool isRefused = !page.get_future().get().has_value();
        QTRY_VERIFY(reading.ended().has_value() && waiting.ended().has_value());
        answers.set_value();
        end.join();
        QVERIFY(isRefused);
        QVERIFY(!*reading.ended() && !*waiting.ended());
    }

    void aServiceThatEndsWhileItStartsIsClosed()
    {
        CountedTasks tasks;
        EventLoop loop(tasks);
        LateService service(loop, tasks);
        auto pair = makeSocketPair(SOCK_STREAM).value();
        QVERIFY(setNonBlocking(pair.first.get()).has_value());
        loop.post([&] { service.serve(std::move(pair.first)); });
        service.isStarting.get_future().get();
        service.shutDown(0ms);
        QVERIFY(service.isClosed());
    }

    void aLeadThatWasReplacedCommandsNobody()
    {
        Agent agent;
        const auto client = agent.connect();
        const auto send = [&](std::uint64_t generation) {
            return ask<void>(
                [&](auto answer) { client->send(StopRun{}, std::move(answer), generation); });
        };
        QVERIFY(send(7).error().code == code::RunNotRunning);
        QVERIFY(send(8).has_value());
        QVERIFY(send(0).has_value()); // a user
        agent.end();
        QCOMPARE(agent.commands.size(), size_t{2});
    }

    void anAnswerComesAlsoWhenTheClientEnds()
    {
        RpcQueue queue;
        auto pair = makeSocketPair(SOCK_STREAM).value();
        auto client = std::make_unique<AgentClient>(std::move(pair.second), "run", queue);
        int answers = 0;
        client->snapshot([&](const Result<RunSnapshot>& result) {
            ++answers;
            QVERIFY(result.error().code == code::AgentConnectionLost);
        });
        client.reset();
        QCOMPARE(answers, 1);
    }

    void noCallbackRunsAfterItsSubscriptionIsCancelled()
    {
        Agent agent;
        const auto client = agent.connect();
        for (std::uint64_t round = 0; round < 50; ++round) {
            std::atomic<bool> isOver = false;
            std::atomic<bool> calledTooLate = false;
            auto subscription = client->subscribe(
                0, [&](const std::vector<Event>&) { calledTooLate = calledTooLate || isOver; },
                [&](const Result<void>&) { calledTooLate = calledTooLate || isOver; });
            agent.publish(round * 10 + 1, round * 10 + 10);
            subscription.cancel();
            isOver = true;
            QVERIFY(!calledTooLate);
        }
    }

    void servesTheSameOverTwoPlainPipes()
    {
        auto there = makePipe().value();
        auto back = makePipe().value();
        Agent agent;
        auto far = ByteChannel::serve(std::move(there.readEnd), std::move(back.writeEnd)).value();
        auto near =
            ByteChannel::connect(std::move(back.readEnd), std::move(there.writeEnd), 5s).value();
        agent.server().serve(far.takeSocket());
        AgentClient client(near.takeSocket(), "run", agent.queue());
        Listener listener;
        listener.follow(client);
        agent.publish(1, 2000);
        QTRY_COMPARE(listener.sequences(), range(1, 2000));
        QVERIFY(
            ask<void>([&](auto answer) { client.send(StopRun{}, std::move(answer)); }).has_value());
        agent.end();
        QTRY_VERIFY(listener.ended().has_value());
        QVERIFY(listener.ended()->has_value());
    }
};

QTEST_GUILESS_MAIN(tst_control_server)
#include "tst_control_server.moc"
