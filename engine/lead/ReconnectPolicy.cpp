#include "engine/lead/ReconnectPolicy.h"

#include "engine/hosts/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/slurm/Codes.h"

#include <algorithm>

namespace ringmaster {

std::chrono::milliseconds ReconnectPolicy::nextDelay()
{
    const auto delay = m_delay;
    m_delay = std::min(m_delay * 2, m_longestDelay);
    return delay;
}

bool ReconnectPolicy::mayPass(Code why) const
{
    // What arrives damaged twice isn't the network's fault.
    return (why == code::HostBundleDamaged && !m_found.contains(why)) ||
           why == code::HostUnreachable || why == code::HostRefusesConnection ||
           why == code::HostTooManySessions || why == code::HostSilent ||
           why == code::HostLoginSilent || why == code::HostLinkLost ||
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
}

} // namespace ringmaster
