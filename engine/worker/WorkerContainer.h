#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// The container that a worker's command starts, of an engine whose containers may outlive the
/// processes that descend from the keeper: docker's are children of its daemon, and podman still
/// knows one whose monitor was killed. The keeper has this too: nothing but libc here.
struct WorkerContainer
{
    std::string program{};                  ///< The engine's.
    std::string run{};                      ///< Value of the run's label, and its token.
    std::vector<std::string> environment{}; ///< NAME=value: it says where the engine keeps them.
};

/// Nothing: the command starts none, or one without the run's label.
std::optional<WorkerContainer> containerIn(const std::vector<std::string>& command,
                                           const std::vector<std::string>& environment);

/// Ends and removes all containers of the run. Empty: docker's daemon does so by itself, once their
/// processes are gone.
std::vector<std::string> removalCommand(const WorkerContainer& container);

} // namespace ringmaster
