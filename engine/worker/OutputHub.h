#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"
#include "engine/worker/ErrorFile.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

enum class OutputStream { Stdout, Stderr };

/// Output as it was read. `bytes` is valid during the call only.
struct OutputChunk
{
    int attempt = 0; ///< AttemptOutputRequest::attempt
    int localRank = 0;
    OutputStream stream = OutputStream::Stdout;
    Moment at{};
    const std::filesystem::path& file; ///< Empty: kept nowhere (`--log-dir /dev/null`).
    std::uint64_t offset = 0;          ///< In `file`.
    bool kept = true; ///< False: the file couldn't be written (disk full); the bytes are only here.
    std::string_view bytes{};
};

/// A log that can't be written: the job goes on. Said at the first loss, and with the sum when the
/// attempt closes.
struct OutputLoss
{
    int attempt = 0;
    int localRank = 0;
    OutputStream stream = OutputStream::Stdout;
    std::uint64_t bytes = 0; ///< So far.
    Error error{};
};

struct AttemptOutputRequest
{
    struct Worker
    {
        int localRank = 0;
        int globalRank = 0;
        std::string role{};
    };
    int attempt = 0;      ///< Counts starts; chunks carry it.
    int restartCount = 0; ///< Names the folder, as torchrun's: attempt_<restartCount>.
    std::vector<Worker> workers{};
};

/// What the workers of an attempt write to. The descriptors go into WorkerLaunch.
struct AttemptOutput
{
    struct Worker
    {
        int localRank = 0;
        FileDescriptor standardOutput{};
        FileDescriptor standardError{};
        bool pipesOutput = false;          ///< stdout is a pipe: Python would buffer it.
        std::filesystem::path logFolder{}; ///< Of its redirected logs and error.json; may be empty.
        std::string errorFile{};           ///< TORCHELASTIC_ERROR_FILE, empty with /dev/null.
    };
    std::filesystem::path folder{}; ///< attempt_N; empty with /dev/null
    std::vector<Worker> workers{};  ///< In the order of the request.
};

/// What a dead worker left to read.
struct WorkerAftermath
{
    int localRank = 0;
    std::optional<ErrorReport> error{}; ///< From its error.json.
    std::string stderrTail{};           ///< At most 64 KiB.
};

/// Catches what workers write, by torchrun's rules for redirect, tee, filters and log folders, and
/// shows and keeps it. Works on a thread of its own ("rm-output"), so that neither a stalled
/// console nor a stalled disk holds up the caller's loop. Commands return at once; their callbacks
/// run on the caller's loop.
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
        std::string linePrefixTemplate{};  ///< TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE
        int consoleOutput = 1;             ///< -1: none (detached). Borrowed.
        int consoleError = 2;
    };

    /// Creates the log folder and starts the thread.
    static Result<std::unique_ptr<OutputHub>> create(EventLoop& loop, Sink& sink,
                                                     Settings settings);
    /// Drops what isn't written yet: finish() first.
    ~OutputHub();

    using Opened = std::function<void(Result<AttemptOutput>)>;
    using Collected = std::function<void(WorkerAftermath)>;
    using Done = std::function<void()>;

    /// The files, pipes and pseudo-terminals of a new attempt. The last one keeps being read.
    void openAttempt(AttemptOutputRequest request, Opened opened);

    /// After a worker of the newest attempt has exited: what it wrote is read to its end (a child
    /// that keeps the pipe open isn't waited for).
    void collect(int localRank, Collected collected);

    /// No process of the newest attempt is left: reads to the end and closes. `done` when all of it
    /// is in the logs and with the sink; the console may be behind.
    void closeAttempt(Done done);

    /// Everything is written, on the console too.
    void finish(Done done);

    /// <log root>/<rendezvous id>_<8 random>; empty with /dev/null.
    const std::filesystem::path& logFolder() const;

private:
    class Impl;
    explicit OutputHub(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ringmaster
