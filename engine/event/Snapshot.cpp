#include "engine/event/Snapshot.h"

#include "engine/event/Codes.h"
#include "engine/event/VerdictTraits.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ringmaster {

namespace {

/// Whatever an agent or a file says.
int countOf(std::int64_t number)
{
    return static_cast<int>(std::clamp<std::int64_t>(number, 0, std::numeric_limits<int>::max()));
}

/// One event's effect; kinds without an overload of their own change no state.
class Reducer
{
public:
    Reducer(RunSnapshot& snapshot, const Event& event) : m_snapshot(snapshot), m_event(event) {}

    void operator()(const RunStarted& body)
    {
        if (!isLeads())
            return;
        m_snapshot.started = body;
        m_snapshot.startedAt = m_event.at;
        m_snapshot.restartBudget = body.maxRestarts;
    }

    void operator()(const RunStateChanged& body)
    {
        if (!isLeads())
            return;
        // An end is final, unless it was only that nobody could say how it ended.
        if (isFinal(m_snapshot.state) && m_snapshot.state != RunState::Lost)
            return;
        if (std::exchange(m_snapshot.state, body.state) != body.state)
            m_snapshot.stateSince = m_event.at;
        m_snapshot.reason = body.reason;
        m_snapshot.exitCode = body.exitCode;
        m_snapshot.endedAt = isFinal(body.state) ? m_event.at : Moment{};
        if (body.state == RunState::Lost)
            forgetRunningWorkers({});
        // What made it slow, or may have been its end, is still of interest.
        if (body.state == RunState::Succeeded)
            forgetVerdicts([](Subject subject) { return subject == Subject::Wait; });
    }

    void operator()(const AttemptStarted& body)
    {
        m_snapshot.attempt = std::max(m_snapshot.attempt, body.attempt);
        m_snapshot.worldSize = body.worldSize;
        m_snapshot.verdicts.clear();
        m_snapshot.graceSince = {};
        removeReplacedWorkers(body);
        if (HostSnapshot* host = findHost(m_event.id.agent))
            host->node = m_event.node;
        for (const WorkerAssignment& assignment : body.workers) {
            m_snapshot.workers.push_back({.assignment = assignment,
                                          .node = m_event.node,
                                          .attempt = body.attempt,
                                          .state = WorkerState::Init,
                                          .since = m_event.at,
                                          .agent = m_event.id.agent});
        }
        std::ranges::stable_sort(m_snapshot.workers, {}, [](const WorkerSnapshot& worker) {
            return worker.assignment.globalRank;
        });
    }

    void operator()(const WorkerStateChanged& body)
    {
        WorkerSnapshot* worker = find(body.globalRank, body.attempt);
        if (worker == nullptr)
            return;
        if (body.pid != 0)
            worker->pid = body.pid;
        enter(*worker, body.state);
    }

    void operator()(const WorkerImporting& body)
    {
        WorkerSnapshot* worker = find(body.globalRank, body.attempt);
        if (worker != nullptr && worker->state == WorkerState::Healthy)
            worker->isImporting = body.isImporting;
    }

    void operator()(const WorkerExited& body)
    {
        WorkerSnapshot* worker = find(body.globalRank, body.attempt);
        if (worker == nullptr)
            return;
        worker->lastExit = body;
        enter(*worker, body.status.succeeded() ? WorkerState::Succeeded
                       : body.endedByAgent     ? WorkerState::Stopped
                                               : WorkerState::Failed);
    }

    void operator()(const GroupRestarting& body)
    {
        if (!isLeads())
            return;
        const std::int64_t used = m_snapshot.restartsUsed;
        m_snapshot.restartBudget = countOf(used + body.budgetBefore);
        m_snapshot.restartsUsed = countOf(used + body.budgetBefore - body.budgetAfter);
        forgetVerdicts([](Subject subject) { return subject != Subject::Calls; });
    }

    void operator()(const FirstCause& body)
    {
        // Of several agents each sees its own part; the lead's comes last.
        if (isLeads() || !m_snapshot.firstCause || m_snapshot.firstCause->attempt != body.attempt)
            m_snapshot.firstCause = body;
    }

    void operator()(const Verdict& body)
    {
        auto& standing = m_snapshot.verdicts;
        std::erase_if(standing,
                      [&](const StandingVerdict& known) { return known.verdict.id == body.id; });
        if (!body.isStanding || standing.size() >= RunSnapshot::MostVerdicts)
            return;
        const auto place = std::ranges::find_if(standing, [&](const StandingVerdict& known) {
            return isWeightier(body.kind, known.verdict.kind) ||
                   (known.verdict.kind == body.kind && known.verdict.id > body.id);
        });
        standing.insert(place, {body, m_event.at});
    }

    void operator()(const LastOperation& body)
    {
        if (WorkerSnapshot* worker = find(body.globalRank, body.attempt))
            worker->lastOperation = body.place;
    }

    void operator()(const HostChanged& body)
    {
        HostSnapshot* host = findHost(body.agent);
        if (host == nullptr)
            host = &m_snapshot.hosts.emplace_back(HostSnapshot{.agent = body.agent});
        host->host = body.host;
        if (host->state != body.state || host->since == Moment{})
            host->since = m_event.at;
        host->state = body.state;
        host->reason = body.reason;
        if (body.state == HostChanged::State::Gone)
            forgetRunningWorkers(body.agent);
    }

    void operator()(const ClockMeasured& body)
    {
        if (HostSnapshot* host = findHost(body.agent))
            host->clock = body;
    }

    void operator()(const Notice& body)
    {
        if (body.message.code == code::WorkersAskedToEnd)
            m_snapshot.graceSince = m_event.at;
    }

    template <class Other>
    void operator()(const Other& /*body*/)
    {
    }

private:
    using Subject = VerdictTraits::Subject;

    /// The only agent of a job on one machine leads itself; of several, the lead has told before.
    bool isLeads() { return findHost(m_event.id.agent) == nullptr; }

    HostSnapshot* findHost(const std::string& agent)
    {
        const auto found = std::ranges::find(m_snapshot.hosts, agent, &HostSnapshot::agent);
        return found != m_snapshot.hosts.end() ? &*found : nullptr;
    }

    WorkerSnapshot* find(int globalRank, int attempt)
    {
        const auto found =
            std::ranges::find_if(m_snapshot.workers, [&](const WorkerSnapshot& worker) {
                return worker.assignment.globalRank == globalRank && worker.attempt == attempt;
            });
        return found == m_snapshot.workers.end() ? nullptr : &*found;
    }

    void enter(WorkerSnapshot& worker, WorkerState state) const
    {
        if (worker.state != state)
            worker.since = m_event.at;
        worker.state = state;
        worker.isImporting = worker.isImporting && state == WorkerState::Healthy;
    }

    /// Agents start their workers one after the other, each with its own count of attempts, so the
    /// others' workers stay until they are replaced or no longer fit.
    void removeReplacedWorkers(const AttemptStarted& body)
    {
        std::erase_if(m_snapshot.workers, [&](const WorkerSnapshot& worker) {
            const int rank = worker.assignment.globalRank;
            return rank >= body.worldSize ||
                   (worker.node == m_event.node && worker.agent == m_event.id.agent &&
                    worker.attempt < body.attempt) ||
                   std::ranges::any_of(body.workers, [&](const WorkerAssignment& assignment) {
                       return assignment.globalRank == rank;
                   });
        });
    }

    template <class IsHistory>
    void forgetVerdicts(IsHistory isHistory)
    {
        std::erase_if(m_snapshot.verdicts, [&](const StandingVerdict& known) {
            return isHistory(traitsOf(known.verdict.kind).subject);
        });
    }

    /// Of one agent, or of all.
    void forgetRunningWorkers(const std::string& agent)
    {
        for (WorkerSnapshot& worker : m_snapshot.workers) {
            if (!worker.lastExit && (agent.empty() || worker.agent == agent))
                enter(worker, WorkerState::Unknown);
        }
    }

    RunSnapshot& m_snapshot;
    const Event& m_event;
};

} // namespace

void RunSnapshot::apply(const Event& event)
{
    // Delivery is at least once.
    if (event.runSequence != 0 && event.runSequence <= lastSequence)
        return;
    run = event.id.run;
    lastSequence = std::max(lastSequence, event.runSequence);
    std::visit(Reducer(*this, event), event.body);
}

std::vector<HostSnapshot> latestOfEachHost(const RunSnapshot& run)
{
    std::vector<HostSnapshot> hosts;
    for (auto host = run.hosts.begin(); host != run.hosts.end(); ++host) {
        if (std::ranges::find(host + 1, run.hosts.end(), host->host, &HostSnapshot::host) ==
            run.hosts.end())
            hosts.push_back(*host);
    }
    return hosts;
}

} // namespace ringmaster
