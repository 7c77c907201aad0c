#pragma once

#include "engine/base/Error.h"
#include "engine/event/Fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// One call of a stack.
struct StackFrame
{
    std::string function{};
    std::string file{}; ///< Of C code its library.
    int line = 0;       ///< 0: unknown.
    bool operator==(const StackFrame&) const = default;
};
RM_FIELDS(StackFrame, function, file, line);

/// Where one thread stood.
struct ThreadStack
{
    std::string name{};
    bool isMain = false;
    bool holdsGil = false;
    std::vector<StackFrame> frames{}; ///< The innermost call first.
    int leftOut = 0;                  ///< So many in the middle, of a very deep stack.
    bool operator==(const ThreadStack&) const = default;
};
RM_FIELDS(ThreadStack, name, isMain, holdsGil, frames, leftOut);

/// Where one rank stood, and who said so.
struct RankEvidence
{
    /// Who read `threads`; nobody could: System, which /proc is.
    enum class Source { System, WorkerServer, PySpy };
    /// As /proc has it.
    enum class Process { Unknown, Running, Waiting, WaitingForDisk, Stopped, Ended };

    int globalRank = 0;
    int pid = 0;
    Source source = Source::System;
    Message problem{};                        ///< Why there is no Python stack.
    std::vector<ThreadStack> threads{};       ///< Python's; the main thread first.
    std::vector<ThreadStack> nativeThreads{}; ///< With the calls of C code; of some ranks.
    Process process = Process::Unknown;
    std::string systemCall{};  ///< "write"; empty: in none, or not known.
    std::string systemFile{};  ///< What that is about: "pipe:[4711]".
    std::string waitChannel{}; ///< Where in the kernel it waits.
    Message operation{};       ///< What it was in, by its ledger.

    bool operator==(const RankEvidence&) const = default;
};
RM_FIELDS(RankEvidence, globalRank, pid, source, problem, threads, nativeThreads, process,
          systemCall, systemFile, waitChannel, operation);

/// Where the ranks of one agent stood at one moment: taken before they were ended, or because
/// somebody asked.
struct Evidence
{
    int attempt = 0;
    Message reason{}; ///< Why they were about to be ended; code::None: somebody asked.
    std::int64_t tookNs = 0;
    bool isPart = false; ///< Something was left out, for it was too much.
    std::vector<RankEvidence> ranks{};
    bool operator==(const Evidence&) const = default;
};
RM_FIELDS(Evidence, attempt, reason, tookNs, isPart, ranks);

/// So much of it is kept in a run file, about; of an agent, at one moment.
constexpr size_t MostEvidenceBytes = 512U << 10U;

/// Leaves out until it is no larger: first C code, then threads but the main one, then calls.
void limitEvidence(Evidence& evidence, size_t most = MostEvidenceBytes);

} // namespace ringmaster
