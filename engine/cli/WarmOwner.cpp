#include "engine/cli/WarmOwner.h"

#include "engine/base/Codes.h"
#include "engine/cli/Codes.h"

#include <optional>

#include <unistd.h>

namespace ringmaster {

namespace {

/// A person at a terminal, who may well start the next run.
bool isInteractive()
{
    return ::isatty(STDIN_FILENO) == 1 && (::isatty(STDOUT_FILENO) == 1 || ::isatty(STDERR_FILENO));
}

std::optional<ProcessIdentity> ownerOf(const WarmCaller& caller)
{
    const pid_t leader = ::getsid(0);
    if (!caller.isForDashboard && leader > 0 && leader != ::getpid()) {
        if (const auto owner = identityOf(leader))
            return owner;
    }
    return identityOf(::getppid());
}

} // namespace

Result<WarmSettings> warmSettingsOf(const JobSpec& spec, const WarmCaller& caller)
{
    if (spec.warm == WarmMode::Off)
        return fail(code::None);
    if (spec.warm == WarmMode::Auto && !caller.isForDashboard && !isInteractive())
        return fail(code::ColdNobodyThere);
    const auto owner = ownerOf(caller);
    if (!owner)
        return fail(code::ColdNoOwner);
    return WarmSettings{.owner = *owner, .preload = spec.preload, .folder = starterMemory()};
}

} // namespace ringmaster
