#pragma once

#include "engine/agent/AgentEventEmitter.h"
#include "engine/agent/AgentOptions.h"
#include "engine/agent/Examination.h"
#include "engine/agent/WorkerGroup.h"
#include "engine/agent/WorkerProcesses.h"
#include "engine/base/EventLoop.h"
#include "engine/job/JobSpec.h"

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace ringmaster {

/// Ends a worker group: has it looked at, asks its workers by a signal, gives them the grace, kills
/// them, has what is left killed, and says so when that takes too long. Lives on the loop's thread.
class GroupTermination
{
public:
    using Ending = Examination::Ending;

    struct Request
    {
        Message why{};
        int signal = 0;
        bool isByUser = false; ///< Who then hears who still runs.
    };

    struct Parts
    {
        EventLoop& loop;
        const Clock& clock;
        AgentEventEmitter& emitter;
        WorkerGroup& group; ///< The one that runs.
        WorkerProcesses& processes;
        /// None is left, or all had their time: the owner closes the group.
        std::function<void()> graceEnded;
        /// After close(), as WorkerSupervisor::Host has it.
        std::function<void(const std::vector<Message>&)> survived;
        Examination::Look examine{};
    };

    /// Spec and options outlive this.
    GroupTermination(const JobSpec& spec, const AgentOptions& options, Parts parts);
    GroupTermination(const GroupTermination&) = delete;
    GroupTermination& operator=(const GroupTermination&) = delete;

    /// `isOpening`: the output of the attempt isn't even ready, so there is nobody to ask.
    void begin(const Request& request, bool isOpening);
    /// Again, for another reason: another signal is sent, too.
    void repeat(const Request& request);
    /// One whose start was under way is told, too.
    void workerStarted(Worker& worker);
    /// Kills what is left.
    void close();
    /// The last output isn't waited for any more, if that is what is waited for.
    void giveUpOutput();
    /// The group is gone, or isn't heard any more.
    void cancel();

    bool isOpening() const { return m_isOpening; }

private:
    void examine(Ending ending, const std::function<void()>& then);
    void signalFirst();
    void tellGrace();
    void signalGroup();
    void signalWorker(Worker& worker);
    void graceIsOver();
    void killWorkers();
    void tellWhoStillRuns();
    void closeLater();
    std::chrono::nanoseconds since(const Moment& moment) const;

    const JobSpec& m_spec;
    const AgentOptions& m_options;
    Parts m_parts;
    Examination m_examination; ///< Nobody is signalled while it is on.
    Request m_request{};
    bool m_isOpening = false;
    bool m_awaitsOutput = false; ///< Of workers that are gone, and it was said.
    Moment m_closedAt{};
    std::chrono::nanoseconds m_lookedFor{}; ///< By both looks.
    std::optional<Moment> m_killedAt{};     ///< The workers, after the grace.
    EventLoop::Registration m_timer;        ///< Of the grace, of the rest, then of killing.
    EventLoop::Registration m_hint;         ///< Until the group is closed.
};

} // namespace ringmaster
