#pragma once

#include "engine/base/Children.h"
#include "engine/base/Once.h"
#include "engine/control/Cluster.h"

#include <chrono>
#include <filesystem>

namespace ringmaster {

/// Starts detached agents: `ringmaster run --detach`, which ends as soon as the agent has a run, or
/// says why it has none. Lives on the given loop.
class Launcher
{
public:
    Launcher(EventLoop& loop, std::filesystem::path command, std::chrono::milliseconds patience)
        : m_command(std::move(command)), m_patience(patience), m_children(loop)
    {
    }

    void launch(const JobSpec& spec, const Cluster::LaunchOptions& options,
                const Once<std::string>& answer);

private:
    Result<ChildCommand::Options> commandFor(const JobSpec& spec,
                                             const Cluster::LaunchOptions& options) const;
    Result<std::string> runOf(const ChildCommand::Outcome& outcome) const;

    std::filesystem::path m_command;
    std::chrono::milliseconds m_patience;
    Children m_children;
};

} // namespace ringmaster
