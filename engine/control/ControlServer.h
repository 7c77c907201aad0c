#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/LoopThread.h"
#include "engine/control/RankActivity.h"
#include "engine/control/RunMetrics.h"
#include "engine/event/Command.h"
#include "engine/event/Event.h"
#include "engine/event/EvidenceFolds.h"
#include "engine/event/InheritedSecrets.h"
#include "engine/record/LogPage.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace ringmaster {

class ControlService;

/// The gRPC service of one agent. It lives on a thread of its own ("rm-control"), is told every
/// event, and keeps the snapshot that they amount to: whoever looks at a run costs the agent's loop
/// nothing. What is on disk is read on another one ("rm-reads"): a disk that doesn't answer holds
/// up only those who read. gRPC itself is started with the first connection.
///
/// A subscriber has one batch on its way and is sent the next when that is taken; one that falls
/// behind what is in memory goes on from the run file, and is cut off, to come back later, only if
/// the run file can't help either.
class ControlServer
{
public:
    /// What others ask of the agent; called on its loop.
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual Result<void> execute(const Command& command) = 0;
        /// Whether a lead of this generation may still command: not one that has been replaced.
        virtual Result<void> obeys(std::uint64_t generation);
        /// The heartbeat of the agent's lead, answered with the agent's time; refused by one that
        /// has no lead. Which machine it is, the server adds.
        virtual Result<HeartbeatReply> heartbeat(const Heartbeat& heartbeat);
        /// Where the ranks stand now; `answer` comes once on its loop.
        virtual void takeStacks(std::function<void(Result<KeptEvidence>)> answer);
        /// Somebody follows the run now, or nobody does any more.
        virtual void watched(bool isWatched) = 0;
    };

    /// What is on disk of this run; called on the thread that reads it, and may block.
    class Recording
    {
    public:
        virtual ~Recording() = default;
        virtual Result<std::vector<Event>> events(std::uint64_t after, size_t limit) = 0;
        virtual Result<LogPage> log(const LogQuery& query) = 0;
        /// A bounded page of what is behind the cursor.
        virtual Result<OperationPage> operations(std::uint64_t cursor);
        /// What the ranks are in now, where somebody has asked lately; `stacks`: ranks of which the
        /// asker wants that, too. Called on the server's thread, also during a read; doesn't block.
        virtual std::vector<RankActivity> ranks(const std::vector<int>& stacks);
        /// What it adds to a run's metrics; a bounded part of what is new is read each time.
        virtual Result<RecordedMetrics> metrics();
    };

    struct Options
    {
        std::string run{};
        std::string machine{};      ///< Told to a lead: machineLife().
        InheritedSecrets secrets{}; ///< Told to a lead: what the workers inherit here.
        RunSnapshot before{};       ///< Of a run that another agent has led so far.
        size_t eventsInMemory = 2048;
        std::chrono::milliseconds recordingPatience{10'000}; ///< For a run file that lags behind.
    };

    /// `agentLoop`, `host` and `recording` outlive the server.
    ControlServer(EventLoop& agentLoop, Host& host, Recording& recording, Options options);

    /// Gives subscribers up to a second to take what is left, then ends. Waits for the read that
    /// runs: a thread that a disk doesn't answer can't be ended.
    ~ControlServer();
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;

    /// Opens the control socket in `folder` (runtimeFolder()); the file goes with the server.
    Result<std::filesystem::path> listen(const std::filesystem::path& folder);

    /// Serves the run's metrics at a port of loopback, see MetricsEndpoint; answers with the port.
    Result<int> serveMetrics(int port);

    /// Serves one connection: a socket, or the socket of a ByteChannel. Any thread.
    void serve(FileDescriptor connection);

    /// The run's next event, by runSequence. Agent's loop.
    void publish(const Event& event);

private:
    EventLoop m_loop;
    LoopThread m_reading{"rm-reads"};
    std::shared_ptr<ControlService> m_service; ///< On the thread, once that runs.
    std::thread m_thread;
};

} // namespace ringmaster
