#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Result.h"
#include "engine/worker/warm/WarmRequest.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ringmaster {

/// What an agent is told about the run and its node, besides the job.
struct AgentOptions
{
    std::string hostName{};          ///< Fully qualified, as torchrun's summary shows it.
    std::vector<int> workers{};      ///< How many of each role run on this node, counted.
    std::vector<std::string> cpus{}; ///< By local rank, for --numa-binding; empty: not bound.
    std::string interpreter{};       ///< For roles without one: the active interpreter.
    std::string torchVersion{}; ///< Of the workers; its torchrun's words are used. Empty: unknown.
    std::string token{};        ///< Marks the run's processes; not set when plain.
    std::filesystem::path temporaryFolder{}; ///< Of the watchdog's FIFO, if it is asked for.
    std::string hookFolder{};                ///< Of the workers' start-up hook; empty: none.
    std::string ringFolder{};                ///< Of the backend ring for Python; empty: none.
    std::string ncclProfiler{};              ///< NCCL's profiler plugin; empty: none.
    /// What the hook of a worker is asked for, by local rank; after the attempt's AttemptStarted.
    std::function<std::string(int)> hook{};
    /// An error: why starts are cold; code::None: no word about it.
    Result<WarmSettings> warm = fail(code::None);
    /// For all looks at workers that are to be ended, before they are asked and before they are
    /// killed.
    std::chrono::milliseconds lookPatience{3500};
    /// After the grace, from the kill of the workers until that of all others: who works for them
    /// (data loaders) is told to end meanwhile, and has this time for it.
    std::chrono::milliseconds restPatience{1000};
    /// From the end of the grace, or from a kill before that, until what is still there is named
    /// and the run ends without it. The looks' time and that of the others are part of it: ten
    /// seconds are promised.
    std::chrono::milliseconds killPatience{9000};
    /// After killPatience, for the last output of workers that are gone.
    std::chrono::milliseconds outputPatience{120'000};
    /// From the first request to stop until those who still run are named.
    std::chrono::milliseconds hintPatience{4000};
    bool ignoreHangup = false; ///< Started by nohup: the workers ignore SIGHUP, too.
    bool isLed = false;        ///< A lead decides for all agents whether a failed group runs again.
    std::map<std::string, std::string> environment{}; ///< The agent's own: base of the workers'.
};

} // namespace ringmaster
