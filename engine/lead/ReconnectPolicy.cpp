#include "engine/lead/ReconnectPolicy.h"

#include "engine/hosts/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/slurm/Codes.h"

#include <algorithm>

namespace ringmaster {

ReconnectPolicy::Try ReconnectPolicy::next(bool isAwaited) const
{
    return {.connection = m_connection,
            .isHurried = isAwaited && m_connection == Connection::Fresh && !m_isSlow,
            .silentLogins = m_silentLogins};
}

std::chrono::milliseconds ReconnectPolicy::nextDelay(std::chrono::nanoseconds took)
{
    using std::chrono::milliseconds;
    const auto delay = m_delay - std::chrono::duration_cast<milliseconds>(took);
    m_delay = std::min(m_delay * 2, m_longestDelay);
    return std::max(delay, milliseconds(0));
}

void ReconnectPolicy::connectionFailed(Code why)
{
    m_connection = Connection::Fresh;
    m_isSlow = why == code::HostSshdSilent;
}

bool ReconnectPolicy::mayPass(Code why) const
{
    // What arrives damaged twice isn't the network's fault.
    return (why == code::HostBundleDamaged && !m_found.contains(why)) ||
           why == code::HostUnreachable || why == code::HostSshdSilent ||
           why == code::HostRefusesConnection || why == code::HostTooManySessions ||
           why == code::HostSilent || why == code::HostLoginSilent || why == code::HostLinkLost ||
           why == code::HostLinkClosed || why == code::HostSshKilled ||
           why == code::SlurmStepTooSoon || why == code::SlurmUnreachable;
}

void ReconnectPolicy::loginFailed(Code why)
{
    if (why == code::HostLoginSilent)
        ++m_silentLogins;
}

void ReconnectPolicy::answered()
{
    m_delay = m_firstDelay;
    m_connection = Connection::Shared;
    m_isSlow = false;
}

} // namespace ringmaster
