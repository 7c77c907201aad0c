#pragma once

#include "engine/base/Clock.h"
#include "engine/base/Error.h"
#include "engine/base/FileDescriptor.h"
#include "engine/worker/ErrorFile.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

enum class OutputStream { Stdout, Stderr };

/// Output as it was read. `file` and `bytes` are valid during the call only.
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
        std::filesystem::path logFolder{}; ///< Of redirected logs and error.json; may be empty.
        std::string errorFile{};           ///< TORCHELASTIC_ERROR_FILE, empty with /dev/null.
    };
    std::filesystem::path folder{}; ///< attempt_N; empty with /dev/null
    std::vector<Worker> workers{};  ///< In the order of the request.
};

/// What a dead worker left to read.
struct WorkerExitReport
{
    int localRank = 0;
    std::optional<ErrorReport> error{};     ///< From its error.json.
    std::optional<ErrorReport> traceback{}; ///< Where it wrote none: the last one on its stderr.
    std::string stderrTail{};               ///< At most 64 KiB.
    std::string stdoutTail{};               ///< The same.
};

} // namespace ringmaster
