#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/ProcessInfo.h"

#include <filesystem>
#include <optional>
#include <string>

namespace ringmaster {

/// The file name of an agent's control socket says whose it is, so that one whose agent is gone is
/// known without asking anybody: `PID-STARTTIME.sock`.
std::string controlSocketName(const ProcessIdentity& agent);
std::optional<ProcessIdentity> controlSocketOwner(const std::string& fileName);

/// A connection to the agent of a run. One that lives, but is stopped or too busy to take it, is
/// code::AgentQueueFull; other errors say that nobody listens there any more.
Result<FileDescriptor> connectToAgent(const std::filesystem::path& socket, const std::string& run);

/// Removes the sockets in `folder` whose agents or dashboards are gone, and nothing else; says how
/// many. Containers may share the folder, and have processes of their own: a socket whose agent
/// isn't alive here stays as long as somebody listens at it.
int removeStaleControlSockets(const std::filesystem::path& folder);

/// The socket on which one agent is reached. Accepts, checks who it is, and hands the connection
/// on; lives on the given loop. The file is gone when this is.
class ControlSocket
{
public:
    using Accepted = std::function<void(FileDescriptor)>;

    /// `folder` is runtimeFolder().
    static Result<ControlSocket> open(EventLoop& loop, const std::filesystem::path& folder,
                                      Accepted accepted);
    ControlSocket(ControlSocket&&) noexcept = default;
    ControlSocket& operator=(ControlSocket&&) = delete;
    ~ControlSocket();

    const std::filesystem::path& path() const { return m_path; }

private:
    ControlSocket() = default;
    static void welcome(FileDescriptor connection, const Accepted& accepted);

    std::filesystem::path m_path;
    FileDescriptor m_listener;
    EventLoop::Registration m_readable;
};

} // namespace ringmaster
