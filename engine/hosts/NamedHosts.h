#pragma once

#include "engine/base/Children.h"
#include "engine/hosts/CodeCopy.h"
#include "engine/hosts/NodeProvider.h"

#include <chrono>

namespace ringmaster {

/// The hosts that the user has named, each reached through ssh, and this machine. Brings the
/// program there first, where that is wanted.
class NamedHosts : public NodeProvider
{
public:
    /// In the order of the ranks.
    NamedHosts(EventLoop& loop, std::vector<Host> hosts, SshSettings ssh,
               std::filesystem::path workingFolder)
        : m_hosts(std::move(hosts))
        , m_ssh(std::move(ssh))
        , m_workingFolder(std::move(workingFolder))
        , m_loop(loop)
    {
    }

    Result<void> prepare(JobSpec& spec) override;
    void start(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner) override;
    void resume(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner) override;
    HostLink::Options wayTo(const Host& host) const override;
    HostLink::Options freshWayTo(const Host& host, int connectSeconds) const override;
    void end() override { m_copies.reset(); }

private:
    HostLink::Options wayTo(const Host& host, const SshSettings& ssh) const;
    void copyTo(const Host& host, const std::string& folder);
    void copied(const CodeCopy& copy, const ChildCommand::Outcome& outcome);
    void copyFailed(const Host& host, const Error& why);
    void placeIfReady();

    std::vector<Host> m_hosts;
    SshSettings m_ssh;
    std::filesystem::path m_workingFolder;
    EventLoop& m_loop;
    Owner* m_owner = nullptr;
    int m_fewest = 1;
    size_t m_underWay = 0; ///< Of the copies.
    std::optional<Message> m_firstFailure;
    std::unique_ptr<Children> m_copies;
    AgentBundle m_bundle{};
    std::chrono::seconds m_loginTimeout{20};
};

/// The folder here that a host's own one stands for: that of the first role, else the one that the
/// job is launched from.
std::string codeFolderOf(const JobSpec& spec, const std::filesystem::path& workingFolder);

} // namespace ringmaster
