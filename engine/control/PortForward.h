#pragma once

#include "engine/base/ChildCommand.h"
#include "engine/base/ChildProcess.h"
#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/SpareDescriptor.h"
#include "engine/control/LoopbackListener.h"
#include "engine/hosts/Ssh.h"

#include <list>
#include <memory>
#include <string>

namespace ringmaster {

/// A port of loopback here that leads to one of loopback on a host: each connection is a call of
/// the user's own ssh (-W), over the connection that all of them share. Nothing runs there, and
/// nothing listens there for it. Lives on the loop; destroyed, all connections are ended.
class PortForward
{
public:
    class Listener
    {
    public:
        virtual ~Listener() = default;
        /// A connection didn't come about, or broke: why. On the loop.
        virtual void connectionFailed(const Error& why) = 0;
    };

    struct Options
    {
        Host host{};
        SshSettings ssh{};
        int port = 0;             ///< There.
        int localPort = 0;        ///< 0: a free one.
        size_t connections = 128; ///< What comes beyond is sent away.
    };

    static Result<std::unique_ptr<PortForward>> open(EventLoop& loop, Listener& listener,
                                                     Options options);
    ~PortForward();
    PortForward(const PortForward&) = delete;
    PortForward& operator=(const PortForward&) = delete;

    int localPort() const { return m_local.port; }

private:
    struct Connection
    {
        ChildProcess process{};
        FileDescriptor errors{};
        std::string errorText{};
        EventLoop::Registration ended{};
        EventLoop::Registration readable{};
    };
    using Place = std::list<Connection>::iterator;

    PortForward(EventLoop& loop, Listener& listener, Options options, LoopbackListener local);

    void welcome();
    Result<void> start(FileDescriptor socket);
    static bool readErrors(Connection& connection);
    void exited(Place at);
    void failed(int exitCode, const std::string& errors);
    void findReason();
    Error refusal(const std::string& errors) const;

    EventLoop& m_loop;
    Listener& m_listener;
    const Options m_options;
    LoopbackListener m_local;
    SpareDescriptor m_spare{"forward"};
    std::list<Connection> m_connections;
    std::unique_ptr<ChildCommand> m_question; ///< Why the port there isn't reached.
    EventLoop::Registration m_readable;
};

/// As `open` does.
Result<LoopbackListener> listenForForward(int port);

} // namespace ringmaster
