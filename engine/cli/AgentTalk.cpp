#include "engine/cli/AgentTalk.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Paths.h"
#include "engine/base/ProcessSignal.h"
#include "engine/control/AgentClient.h"
#include "engine/event/DrillStage.h"

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <future>
#include <mutex>

#include <poll.h>
#include <unistd.h>

namespace ringmaster {

namespace {

Result<AgentRecord> agentOf(const RunSummary& run)
{
    const AgentRecord agent = RM_TRY(RM_TRY(RunCatalog(runsFolder()).find(run.id)).agent());
    if (lifeOf(agent) != AgentLife::Alive)
        return fail(code::RunNotRunning, {{"run", run.id}});
    return agent;
}

Result<RunSnapshot> snapshotBy(AgentClient& client)
{
    std::promise<Result<RunSnapshot>> answer;
    client.snapshot([&answer](Result<RunSnapshot> now) { answer.set_value(std::move(now)); });
    return answer.get_future().get();
}

/// What comes of a run once somebody watches it.
class FirstSamples
{
public:
    void happened(const std::vector<Event>& events)
    {
        const std::lock_guard lock(m_mutex);
        for (const Event& event : events) {
            m_hasProcess = m_hasProcess || std::holds_alternative<ProcessSample>(event.body);
            m_hasDevice = m_hasDevice || std::holds_alternative<DeviceSample>(event.body);
        }
        m_changed.notify_all();
    }

    void ended()
    {
        const std::lock_guard lock(m_mutex);
        m_hasEnded = true;
        m_changed.notify_all();
    }

    void wait(std::chrono::milliseconds patience)
    {
        std::unique_lock lock(m_mutex);
        (void)m_changed.wait_for(lock, patience,
                                 [this] { return m_hasEnded || (m_hasProcess && m_hasDevice); });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_hasProcess = false;
    bool m_hasDevice = false;
    bool m_hasEnded = false;
};

/// What comes of a fire drill.
class DrillOutcome
{
public:
    explicit DrillOutcome(const std::function<void(const Notice&)>& told) : m_told(told) {}

    void happened(const std::vector<Event>& events)
    {
        for (const Event& event : events) {
            const auto* notice = std::get_if<Notice>(&event.body);
            const DrillStage stage =
                notice != nullptr ? drillStageOf(notice->message) : DrillStage::None;
            if (stage == DrillStage::None)
                continue;
            m_told(*notice);
            if (isOver(stage))
                settle(stage == DrillStage::Back);
        }
    }

    /// Once; the rest isn't heard.
    void settle(bool isBack)
    {
        if (!m_isSettled.exchange(true))
            m_isBack.set_value(isBack);
    }

    bool wait() { return m_isBack.get_future().get(); }

private:
    const std::function<void(const Notice&)>& m_told;
    std::atomic<bool> m_isSettled = false;
    std::promise<bool> m_isBack;
};

} // namespace

Result<RunSummary> sendToRun(const std::string& text, const Command& command)
{
    const RunSummary run =
        RM_TRY(chooseRun(RunCatalog(runsFolder()).list(), text, RunScope::Running));
    const AgentRecord agent = RM_TRY(agentOf(run));
    RpcQueue queue;
    const auto client = RM_TRY(AgentClient::connect(agent.socket, run.id, queue));
    std::promise<Result<void>> answer;
    client->send(command, [&answer](Result<void> result) { answer.set_value(std::move(result)); });
    RM_TRY(answer.get_future().get());
    return run;
}

Result<KeptEvidence> takeStacksOf(const RunSummary& run)
{
    const AgentRecord agent = RM_TRY(agentOf(run));
    RpcQueue queue;
    const auto client = RM_TRY(AgentClient::connect(agent.socket, run.id, queue));
    std::promise<Result<KeptEvidence>> answer;
    client->takeStacks(
        [&answer](Result<KeptEvidence> taken) { answer.set_value(std::move(taken)); });
    return answer.get_future().get();
}

Result<std::string> metricsOf(const RunSummary& run)
{
    constexpr std::chrono::seconds Patience{4};
    const AgentRecord agent = RM_TRY(agentOf(run));
    RpcQueue queue;
    const auto client = RM_TRY(AgentClient::connect(agent.socket, run.id, queue));
    FirstSamples samples;
    const Subscription watching = client->subscribe(
        RM_TRY(snapshotBy(*client)).lastSequence,
        [&samples](const std::vector<Event>& events) { samples.happened(events); },
        [&samples](const Result<void>& /*ended*/) { samples.ended(); });
    samples.wait(Patience);
    for (;;) {
        std::promise<Result<AgentClient::MetricsText>> answer;
        client->readMetrics([&answer](Result<AgentClient::MetricsText> metrics) {
            answer.set_value(std::move(metrics));
        });
        auto metrics = RM_TRY(answer.get_future().get());
        if (!metrics.isMore)
            return std::move(metrics.text);
    }
}

Result<RunSnapshot> snapshotOf(const RunSummary& run)
{
    const AgentRecord agent = RM_TRY(agentOf(run));
    RpcQueue queue;
    const auto client = RM_TRY(AgentClient::connect(agent.socket, run.id, queue));
    return snapshotBy(*client);
}

Result<bool> drillRun(const RunSummary& run, const BeginDrill& drill,
                      const std::function<void(const Notice&)>& told)
{
    const AgentRecord agent = RM_TRY(agentOf(run));
    RpcQueue queue;
    const auto client = RM_TRY(AgentClient::connect(agent.socket, run.id, queue));
    const RunSnapshot before = RM_TRY(snapshotBy(*client));
    DrillOutcome outcome(told);
    const Subscription watching = client->subscribe(
        before.lastSequence,
        [&outcome](const std::vector<Event>& events) { outcome.happened(events); },
        [&outcome](const Result<void>& /*ended*/) { outcome.settle(false); });
    std::promise<Result<void>> answer;
    client->send(drill, [&answer](Result<void> result) { answer.set_value(std::move(result)); });
    RM_TRY(answer.get_future().get());
    return outcome.wait();
}

Result<bool> waitForEnd(const RunSummary& run, std::chrono::milliseconds patience)
{
    const auto agent = agentOf(run);
    if (!agent)
        return true;
    const FileDescriptor process = pidfdOf(agent->process.pid);
    if (!process.isOpen() || !isAlive(agent->process))
        return true;
    pollfd wait{process.get(), POLLIN, 0};
    int ready = 0;
    do {
        ready = ::poll(&wait, 1, static_cast<int>(patience.count()));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

} // namespace ringmaster
