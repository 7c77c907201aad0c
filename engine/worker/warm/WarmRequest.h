#pragma once

#include "engine/base/ProcessInfo.h"
#include "engine/base/Result.h"
#include "engine/worker/WorkerLaunch.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ringmaster {

/// How warm starters are to be: the same for all of an agent's attempts.
struct WarmSettings
{
    ProcessIdentity owner{};            ///< The starter ends with it.
    std::vector<std::string> preload{}; ///< Modules; empty: torch and what runs have used.
    std::chrono::seconds idle{600};     ///< Without a run, before it ends.
    std::int64_t memoryLimit = 4LL << 30U;
    std::filesystem::path folder{};     ///< Of what is remembered between starters.
    std::filesystem::path binaries{};   ///< Of ringmaster-keeper; empty: keeperExecutable().
    std::filesystem::path memoryFile{}; ///< Empty: /proc/meminfo.
};

/// Where starters keep what they remember: `stateFolder()/warm`.
std::filesystem::path starterMemory();

/// What a program needs to run in a fork as it would by itself.
struct WarmProgram
{
    bool isModule = false;
    std::string name{};   ///< The file as the worker is told it, or the module.
    std::string folder{}; ///< The worker's.
};

/// A keeper whose workers are forked from a starter: asked for with the first launch.
struct WarmRequest
{
    WarmSettings settings{};
    std::string interpreter{};              ///< As the workers' first argument.
    std::vector<std::string> environment{}; ///< Of a worker: NAME=value.
    std::vector<WarmProgram> programs{};    ///< Of the roles.
    std::string title{};                    ///< The run's id, and token of its processes.
};

/// The variables that are read when the interpreter or a library is loaded, and that a fork can't
/// change any more; sorted. The start-up hook's folder isn't counted as part of PYTHONPATH.
std::vector<std::string> loadTimeVariables(const std::vector<std::string>& environment);

/// The first of them that isn't the same for all; empty: none.
std::string differingVariable(const std::vector<WorkerLaunch>& launches);

/// Environment of a starter for such workers: without what is a single worker's or run's own.
std::vector<std::string> starterEnvironment(const std::vector<std::string>& environment);

/// Everything that can't change after a fork: a starter with another key can't be used.
/// Reads this process's limits, groups and namespaces, which the starter inherits.
std::string warmKey(const WarmRequest& request);

/// Tells interpreters apart in the names of files and sockets.
std::string interpreterMark(const std::string& interpreter);

/// The name of the starter's socket in the abstract namespace, which leaves nothing behind when it
/// is killed: one for each interpreter and runtime folder.
Result<std::string> starterName(const std::string& interpreter);

/// What such names begin with.
Result<std::string> starterNamePrefix();

} // namespace ringmaster
