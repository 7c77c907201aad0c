#pragma once

#include "engine/agent/EventSink.h"
#include "engine/agent/WorkerProcesses.h"
#include "engine/base/Codes.h"
#include "engine/base/EventLoop.h"
#include "engine/event/Command.h"
#include "engine/job/JobSpec.h"
#include "engine/rendezvous/Rendezvous.h"

#include <functional>
#include <memory>
#include <string_view>

namespace ringmaster {

/// What an agent is told about the run and its node, besides the job.
struct AgentOptions
{
    std::string hostName{};          ///< Fully qualified, as torchrun's summary shows it.
    std::vector<int> workers{};      ///< How many of each role run on this node, counted.
    std::vector<std::string> cpus{}; ///< By local rank, for --numa-binding; empty: not bound.
    std::string interpreter{};       ///< For roles without one: the active interpreter.
    std::string token{};             ///< Marks the run's processes; not set when plain.
    std::filesystem::path temporaryFolder{}; ///< Of the watchdog's FIFO, if it is asked for.
    std::string hookFolder{};                ///< Of the workers' start-up hook; empty: none.
    std::string ringFolder{};                ///< Of the backend ring for Python; empty: none.
    std::string ncclProfiler{};              ///< NCCL's profiler plugin; empty: none.
    /// What the hook of a worker is asked for, by local rank; after the attempt's AttemptStarted.
    std::function<std::string(int)> hook{};
    /// An error: why starts are cold; code::None: no word about it.
    Result<WarmSettings> warm = fail(code::None);
    /// From SIGKILL until what is still there is named and the run ends without it.
    std::chrono::milliseconds killPatience{8000};
    /// From the first request to stop until those who still run are named.
    std::chrono::milliseconds hintPatience{4000};
    bool ignoreHangup = false; ///< Started by nohup: the workers ignore SIGHUP, too.
    bool isLed = false;        ///< A lead decides for all agents whether a failed group runs again.
    std::map<std::string, std::string> environment{}; ///< The agent's own: base of the workers'.
};

/// Supervises the workers of one node for one run: a state machine on the loop's thread. It makes
/// the facts (EventSink), decides about restarts, and leaves no process behind. It knows nothing of
/// files of record, sockets or other agents but through its rendezvous.
class Agent
{
public:
    /// Who owns the agent. Called on the loop.
    class Host
    {
    public:
        virtual ~Host() = default;
        /// Text for the agent's standard error, complete lines, as torchrun would print it.
        virtual void printed(std::string_view text) = 0;
        /// Last call: nothing of the run is left on this node. `exitCode` is that of torchrun.
        virtual void finished(RunState state, int exitCode) = 0;
    };

    /// What comes to workers that go on.
    enum class Ending {
        Asked, ///< The signal that asks them to end.
        Killed ///< They have ignored it.
    };

    /// What the agent works with. The factories are called once, with whom to tell; what they make
    /// lives as long as the agent. A rendezvous that can't be made ends the run as a failed one.
    struct Parts
    {
        EventLoop& loop;
        const Clock& clock;
        EventSink& events;
        Host& host;
        std::function<Result<std::unique_ptr<Rendezvous>>(Rendezvous::Host&)> rendezvous;
        std::function<std::unique_ptr<WorkerProcesses>(WorkerProcesses::Host&)> processes;
        /// What has to be there before this node can take part: called once; the answer comes on
        /// the loop, or never where the agent ends before. Empty: nothing.
        std::function<void(std::function<void(const Result<void>&)>)> prepare{};
        /// Looks at workers that are about to be ended, and why; then they are. `done` comes on the
        /// loop, also inside the call, and within ExaminePatience. Empty: nobody looks.
        std::function<void(const Message& why, Ending ending, std::function<void()> done)>
            examine{};
    };

    Agent(JobSpec spec, AgentOptions options, Parts parts);
    ~Agent();
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;

    /// Joins the rendezvous and goes on from there. RunStarted is the owner's event, sent before.
    void start();

    /// A user's command; refused when the run can't do it any more.
    Result<void> handle(const Command& command);

    /// A signal that the agent was sent: forwarded to the workers, then the grace; a second one
    /// kills at once. False for one that says nothing new: an echo of the last, or the run is
    /// ending.
    bool signalled(int signal);

    /// The lead is gone, a disk is full …: stops the group for a reason of the owner's.
    void abort(const Error& why);

    /// A GPU has reported an error while these processes computed on it: what explains the end of
    /// those workers that end soon after.
    void deviceFailed(const Message& what, const std::vector<pid_t>& pids);

    /// CPU and memory of the workers are sampled only while somebody looks.
    void setWatched(bool watched);

    RunState state() const;    ///< As people speak of it.
    WorkerState group() const; ///< As torchelastic names it.

private:
    class StateMachine;
    std::unique_ptr<StateMachine> m_machine;
};

} // namespace ringmaster
