#pragma once

#include "engine/event/Event.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

/// torchrun's `--event-log-handler console`: a JSON line for each step, with torchelastic's names
/// and in its order, made from the agent's own facts.
class EventLogHandler
{
public:
    struct About
    {
        std::string hostName{};
        std::string backend{};    ///< static or c10d
        std::string entryPoint{}; ///< Name of the first worker's program, without its folder.
        std::string role{};       ///< Of the agent: the first one of the job.
    };
    using Print = std::function<void(std::string_view)>;

    EventLogHandler(About about, Print print);

    void setRunId(std::string runId) { m_runId = std::move(runId); }
    void observe(const EventBody& body, const Moment& at);

private:
    struct Line;

    void step(const RendezvousStep& step, const Moment& at);
    void attempt(const AttemptStarted& attempt, const Moment& at);
    void workerState(const WorkerStateChanged& change);
    void end(const RunStateChanged& change, const Moment& at);
    void workerEnd(const WorkerAssignment& worker, bool groupFailed);
    void write(const Line& line);
    const WorkerAssignment* worker(int globalRank) const;

    About m_about;
    Print m_print;
    std::string m_runId;
    std::optional<Moment> m_startedAt;
    Moment m_lastStep{};
    AttemptStarted m_attempt{};
    std::optional<int> m_groupRank; ///< Of the last attempt; none before the first.
    int m_groupWorldSize = 0;
    RendezvousStep m_round{};
    std::map<int, WorkerExited> m_exits; ///< By global rank.
    std::map<int, int> m_pids;
    int m_restarts = 0;
    bool m_workersFailed = false;
    bool m_hasEmptyTraits = false;
    std::int64_t m_runSeconds = 0;
};

} // namespace ringmaster
