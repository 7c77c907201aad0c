#include "engine/cli/WarmOwner.h"

#include "engine/base/Paths.h"

#include <unistd.h>

namespace ringmaster {

namespace {

/// A person at a terminal, who may well start the next run.
bool isInteractive()
{
    return ::isatty(STDIN_FILENO) == 1 && (::isatty(STDOUT_FILENO) == 1 || ::isatty(STDERR_FILENO));
}

std::optional<ProcessIdentity> ownerOf(const WarmSurroundings& surroundings)
{
    const pid_t leader = ::getsid(0);
    if (!surroundings.isForDashboard && leader > 0 && leader != ::getpid()) {
        if (const auto owner = identityOf(leader))
            return owner;
    }
    return identityOf(::getppid());
}

} // namespace

std::optional<WarmSettings> warmSettingsOf(const JobSpec& spec,
                                           const WarmSurroundings& surroundings)
{
    const bool isWanted =
        spec.warm == WarmMode::On ||
        (spec.warm == WarmMode::Auto && (surroundings.isForDashboard || isInteractive()));
    const auto owner = isWanted ? ownerOf(surroundings) : std::nullopt;
    if (!owner)
        return std::nullopt;
    return WarmSettings{.owner = *owner, .preload = spec.preload, .folder = stateFolder() / "warm"};
}

} // namespace ringmaster
