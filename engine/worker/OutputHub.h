#pragma once

#include "engine/base/Console.h"
#include "engine/base/EventLoop.h"
#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"
#include "engine/worker/Output.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace ringmaster {

class LogFolders;
class OutputPump;

/// Catches what workers write, by torchrun's rules for redirect, tee, filters and log folders, and
/// shows and keeps it. Works on a thread of its own ("rm-output"), so that a stalled disk doesn't
/// hold up the caller's loop. Commands return at once; their callbacks run on the caller's loop.
class OutputHub
{
public:
    /// Called on the output thread; must not block. outputRead() comes in order for each stream.
    class Sink
    {
    public:
        virtual ~Sink() = default;
        virtual void outputRead(const OutputChunk& chunk) = 0;
        virtual void outputLost(const OutputLoss& loss) = 0;
    };

    struct Settings
    {
        LogSpec logs{};
        std::string rendezvousId = "none";
        std::filesystem::path runFolder{}; ///< What isn't redirected is captured in its logs/.
        std::string linePrefixTemplate{};  ///< Empty: "[default0]:".
        Consoles consoles{};               ///< Where it is shown; they outlive the hub.
        /// finish() gives a thread up that says nothing for so long: its disk doesn't answer.
        std::chrono::milliseconds answerPatience{10'000};
    };

    /// Creates the log folder and starts the thread.
    static Result<std::unique_ptr<OutputHub>> create(EventLoop& loop, Sink& sink,
                                                     Settings settings);
    /// Drops what isn't written yet: finish() first. Waits for a thread that is stuck.
    ~OutputHub();
    OutputHub(const OutputHub&) = delete;
    OutputHub& operator=(const OutputHub&) = delete;

    using Opened = std::function<void(Result<AttemptOutput>)>;
    using Collected = std::function<void(WorkerExitReport)>;
    using Done = std::function<void()>;

    /// The files, pipes and pseudo-terminals of a new attempt. The last one keeps being read.
    void openAttempt(AttemptOutputRequest request, Opened opened);

    /// After a worker of the newest attempt has exited: what it wrote is read to its end (a child
    /// that keeps the pipe open isn't waited for).
    void collect(int localRank, Collected collected);

    /// No process of the newest attempt is left: reads to the end and closes. `done` when all of it
    /// is in the logs and with the sink; the console may be behind.
    void closeAttempt(Done done);

    /// The last call. `done` when everything is in the logs and with the consoles, or the thread is
    /// stuck. A copy for a console that nobody reads is given up: the console says how much.
    void finish(Done done);

    /// After finish(): the thread waits for the disk of the logs, maybe for ever.
    bool isStuck() const { return m_isStuck; }

    /// <log root>/<rendezvous id>_<8 random>; empty with /dev/null.
    const std::filesystem::path& logFolder() const { return m_logFolder; }

private:
    OutputHub(EventLoop& callerLoop, Sink& sink, Settings settings, LogFolders folders);

    /// From the output thread; not after this object has gone.
    void onCallersLoop(std::function<void()> task);
    void expectAnswer();
    void finished();

    EventLoop& m_callerLoop;
    const std::filesystem::path m_logFolder;
    const std::chrono::milliseconds m_answerPatience;
    Done m_whenFinished;
    int m_unanswered = 0; ///< Questions, since the last answer.
    bool m_isStuck = false;
    EventLoop::Registration m_question; ///< The next one.
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
    EventLoop m_loop;
    std::unique_ptr<OutputPump> m_pump; ///< Of the thread, once that runs.
    std::thread m_thread;
};

} // namespace ringmaster
