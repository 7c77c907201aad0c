#pragma once

#include "engine/launch/Ssh.h"
#include "engine/node/AgentPlaces.h"

namespace ringmaster {

/// The hosts that the user has named, each reached through ssh, and this machine.
class NamedHosts : public AgentPlaces
{
public:
    /// In the order of the ranks.
    NamedHosts(std::vector<Host> hosts, SshSettings ssh)
        : m_hosts(std::move(hosts)), m_ssh(std::move(ssh))
    {
    }

    Result<void> prepare(JobSpec& spec) override;
    void start(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner) override;
    HostLink::Options wayTo(const Host& host) const override;

private:
    std::vector<Host> m_hosts;
    SshSettings m_ssh;
    AgentBundle m_bundle{};
};

} // namespace ringmaster
