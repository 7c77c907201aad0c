#pragma once

#include "engine/agent/Agent.h"

#include <algorithm>
#include <csignal>
#include <set>
#include <utility>

namespace ringmaster::test {

/// Runs the loop until the condition holds; false when that takes longer than `limit`.
inline bool runUntil(EventLoop& loop, std::chrono::nanoseconds limit,
                     const std::function<bool()>& condition)
{
    const auto deadline = std::chrono::steady_clock::now() + limit;
    bool held = false;
    EventLoop::Registration tick;
    const std::function<void()> look = [&] {
        held = condition();
        if (held || std::chrono::steady_clock::now() > deadline)
            loop.stop();
        else
            tick = loop.callAfter(std::chrono::milliseconds(1), look);
    };
    loop.post(look);
    loop.run();
    return held;
}

/// A rendezvous that the test answers for; by itself it completes at once.
class FakeRendezvous : public Rendezvous
{
public:
    FakeRendezvous(EventLoop& loop, Host& told) : host(told), m_loop(loop) {}

    void join(const NodeOffer& offer) override
    {
        ++joins;
        if (completes)
            m_loop.post([this, offer] { complete(offer); });
    }
    void complete(const NodeOffer& offer)
    {
        Round round{.number = rounds++, .runId = "job", .masterAddress = "localhost"};
        for (const auto& role : offer.roles) {
            round.places.push_back({role.role, round.worldSize, 0, role.workers});
            round.worldSize += role.workers;
        }
        round.masterPort = 29500 + static_cast<int>(round.number);
        host.rendezvousJoined(round);
    }
    void enterExitBarrier(std::function<void(Result<void>)> done) override
    {
        barrier = std::move(done);
        if (completes)
            m_loop.post([this] { barrier({}); });
    }
    void close(std::function<void()> done) override
    {
        ++closes;
        m_loop.post(std::move(done));
    }

    Host& host;
    bool completes = true;
    int joins = 0;
    int closes = 0;
    std::uint64_t rounds = 0;
    std::function<void(Result<void>)> barrier;

private:
    EventLoop& m_loop;
};

/// Workers without processes: they start at once and end when the test says so, or of a signal.
class FakeProcesses : public WorkerProcesses
{
public:
    FakeProcesses(EventLoop& loop, Host& told) : host(told), m_loop(loop) {}

    void open(AttemptOutputRequest request) override
    {
        ++opens;
        restartCount = request.restartCount;
        AttemptOutput output{.folder = "attempt_" + std::to_string(request.restartCount)};
        for (const auto& worker : request.workers)
            output.workers.push_back({.localRank = worker.localRank});
        auto answer = std::make_shared<Result<AttemptOutput>>(std::move(output));
        if (opensAtOnce)
            m_loop.post([this, answer] { host.attemptOpened(*answer); });
    }
    Result<void> start(std::vector<WorkerLaunch> launches, std::optional<WarmRequest> warm) override
    {
        warmRequest = std::move(warm);
        if (waitsForStarter)
            return {};
        if (startError)
            return tl::unexpected(*startError);
        started = std::move(launches);
        running.clear();
        m_told.clear();
        for (const WorkerLaunch& launch : started)
            m_loop.post([this, rank = launch.localRank] {
                running.push_back(rank);
                host.workerStarted(rank, 1000 * opens + rank, SystemClock().now());
            });
        return {};
    }
    bool abandonStart() override { return std::exchange(waitsForStarter, false); }
    void signal(int localRank, int number) override
    {
        signals.emplace_back(localRank, number);
        if (number == SIGKILL || !ignoresSignals)
            m_loop.post([this, localRank, number] { end(localRank, {.signal = number}); });
    }
    void stop(int localRank, int number) override
    {
        m_told.insert(localRank);
        signal(localRank, number);
    }
    void close() override
    {
        ++closes;
        if (!survivorsOfClose.empty())
            return;
        m_loop.post([this] {
            for (const int rank : std::vector<int>(running))
                end(rank, {.signal = SIGKILL, .wasTold = true});
            if (!keepsWriting)
                host.attemptClosed();
        });
    }
    std::vector<Message> survivors() const override { return survivorsOfClose; }
    bool mayHaveSurvivors() const override { return isSweepGivenUp || !survivorsOfClose.empty(); }
    bool areGone() const override { return keepsWriting && closes > 0; }
    void finish(std::function<void()> done) override { m_loop.post(std::move(done)); }

    void end(int localRank, WorkerExit exit, const std::optional<ErrorReport>& error = {},
             const std::string& said = {})
    {
        if (std::erase(running, localRank) == 0)
            return;
        exit.at = SystemClock().now();
        exit.wasTold = exit.wasTold || m_told.contains(localRank);
        host.workerExited(localRank, exit);
        host.workerExplained({.localRank = localRank, .error = error, .stdoutTail = said},
                             OutOfMemoryWatch::Finding::No);
    }

    /// The value of a variable in the environment of the attempt's worker.
    std::string variable(int localRank, const std::string& name) const
    {
        for (const std::string& line : started[static_cast<std::size_t>(localRank)].environment)
            if (line.starts_with(name + "="))
                return line.substr(name.size() + 1);
        return "(not set)";
    }

    Host& host;
    bool opensAtOnce = true;
    bool ignoresSignals = false;
    bool keepsWriting = false;             ///< After the end of all workers.
    bool waitsForStarter = false;          ///< And no worker starts.
    std::vector<Message> survivorsOfClose; ///< Then nothing is ever closed.
    bool isSweepGivenUp = false;           ///< Of what a keeper left that has died.
    std::optional<WarmRequest> warmRequest;
    std::optional<Error> startError;
    int opens = 0;
    int closes = 0;
    int restartCount = -1;
    std::vector<WorkerLaunch> started;
    std::vector<int> running;
    std::vector<std::pair<int, int>> signals;

private:
    EventLoop& m_loop;
    std::set<int> m_told; ///< Local ranks that were told to end.
};

/// Keeps what an agent says.
class Record : public EventSink, public Agent::Host
{
public:
    void emit(const EventBody& body, const Moment& at) override
    {
        events.push_back(body);
        moments.push_back(at);
    }
    void printed(std::string_view text) override { console += text; }
    void finished(RunState state, int code) override
    {
        end = state;
        exitCode = code;
        ++ends;
    }

    template <class T>
    std::vector<T> all() const
    {
        std::vector<T> found;
        for (const EventBody& event : events)
            if (const T* one = std::get_if<T>(&event))
                found.push_back(*one);
        return found;
    }
    bool hasNotice(Code code) const
    {
        return std::ranges::any_of(
            all<Notice>(), [code](const Notice& notice) { return notice.message.code == code; });
    }

    std::vector<EventBody> events;
    std::vector<Moment> moments;
    std::string console;
    std::optional<RunState> end;
    int exitCode = -1;
    int ends = 0;
};

/// An agent on a loop of its own, with all that it works with faked.
class FakeNode
{
public:
    FakeNode(JobSpec spec, std::vector<int> workers,
             std::map<std::string, std::string> variables = {},
             Result<WarmSettings> warm = fail(code::None), bool isLed = false)
        : m_agent(
              std::move(spec),
              {.hostName = "localhost",
               .workers = std::move(workers),
               .interpreter = "/usr/bin/python3",
               .token = "run",
               .temporaryFolder = "/tmp",
               .warm = std::move(warm),
               .killPatience = std::chrono::milliseconds(2000),
               .hintPatience = std::chrono::milliseconds(100),
               .isLed = isLed,
               .environment = std::move(variables)},
              {.loop = loop,
               .clock = clock,
               .events = record,
               .host = record,
               .rendezvous = [this](Rendezvous::Host& host) -> Result<std::unique_ptr<Rendezvous>> {
                   if (rendezvousError)
                       return tl::unexpected(*rendezvousError);
                   auto made = std::make_unique<FakeRendezvous>(loop, host);
                   rendezvous = made.get();
                   return made;
               },
               .processes =
                   [this](WorkerProcesses::Host& host) {
                       auto made = std::make_unique<FakeProcesses>(loop, host);
                       processes = made.get();
                       return made;
                   },
               .examine =
                   [this](const Message& why, Agent::Ending ending, std::function<void()> done) {
                       examinations.emplace_back(why.code, ending);
                       if (looksForLong)
                           looking = std::move(done);
                       else
                           done();
                   }})
    {
    }

    Agent& agent() { return m_agent; }

    bool until(const std::function<bool()>& condition)
    {
        return runUntil(loop, std::chrono::seconds(20), condition);
    }
    bool untilHealthy(int attempt = 0)
    {
        return until([this, attempt] {
            return processes->opens == attempt + 1 && m_agent.group() == WorkerState::Healthy;
        });
    }
    bool untilEnd()
    {
        return until([this] { return record.end.has_value(); });
    }

    EventLoop loop;
    SystemClock clock;
    Record record;
    std::optional<Error> rendezvousError;
    FakeRendezvous* rendezvous = nullptr;
    FakeProcesses* processes = nullptr;
    std::vector<std::pair<Code, Agent::Ending>> examinations;
    bool looksForLong = false;     ///< Then the test says when the look is over.
    std::function<void()> looking; ///< That.

private:
    Agent m_agent;
};

} // namespace ringmaster::test
