#include "engine/node/NamedHosts.h"

#include "engine/node/Codes.h"
#include "engine/rendezvous/LocalAddresses.h"

#include <algorithm>

namespace ringmaster {

Result<void> NamedHosts::prepare(JobSpec& spec)
{
    const int hosts = static_cast<int>(m_hosts.size());
    if (spec.nodes == NodeRange{})
        spec.nodes = {hosts, hosts};
    if (spec.nodes.min > hosts)
        return fail(code::TooFewHosts,
                    {{"hosts", std::to_string(hosts)}, {"needed", std::to_string(spec.nodes.min)}});
    const bool isAnyFar =
        std::ranges::any_of(m_hosts, [](const Host& host) { return !host.isHere(); });
    if (isAnyFar)
        m_bundle = RM_TRY(agentBundle());
    // The others reach this machine at the address that it has on the way to them.
    for (Host& here : m_hosts) {
        if (!here.isHere() || !here.address.empty() || !here.interface.empty())
            continue;
        here.address = "localhost";
        for (const Host& other : m_hosts) {
            if (other.isHere())
                continue;
            const SshResolved resolved = RM_TRY(resolveSsh(m_ssh, other));
            here.address = addressTowards(resolved.hostName).value_or(fullHostName());
            break;
        }
    }
    return {};
}

void NamedHosts::start(const JobSpec& /*spec*/, const std::filesystem::path& /*runFolder*/,
                       Owner& owner)
{
    owner.placed(m_hosts);
}

HostLink::Options NamedHosts::wayTo(const Host& host) const
{
    const std::vector<std::string> words{"agent", "host"};
    return host.isHere() ? localLink(host, words) : sshLink(m_ssh, host, m_bundle, words);
}

} // namespace ringmaster
