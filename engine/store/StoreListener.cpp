#include "engine/store/StoreListener.h"

#include "engine/store/Codes.h"
#include "engine/store/PortHolder.h"
#include "engine/store/SocketAddress.h"

#include <cerrno>
#include <set>

#include <netinet/in.h>
#include <netinet/tcp.h>

namespace ringmaster {

namespace {

constexpr int FreePortAttempts = 32;

void turnOn(int fd, int level, int option, int value = 1)
{
    // A system that lacks one of these serves all the same.
    (void)setsockopt(fd, level, option, &value, sizeof value);
}

/// Accepted sockets inherit these, which saves five system calls a connection.
void prepare(int fd, int family)
{
    turnOn(fd, SOL_SOCKET, SO_REUSEADDR);
    turnOn(fd, IPPROTO_TCP, TCP_NODELAY);
    // A machine that lost power says nothing; a healthy client can be silent for hours.
    turnOn(fd, SOL_SOCKET, SO_KEEPALIVE);
    turnOn(fd, IPPROTO_TCP, TCP_KEEPIDLE, 60);
    turnOn(fd, IPPROTO_TCP, TCP_KEEPINTVL, 10);
    turnOn(fd, IPPROTO_TCP, TCP_KEEPCNT, 6);
    if (family == AF_INET6)
        turnOn(fd, IPPROTO_IPV6, IPV6_V6ONLY);
}

/// Like Result, but the errno decides what the caller does.
struct Attempt
{
    FileDescriptor socket;
    int problem = 0;
};

Attempt tryToListen(const SocketAddress& address)
{
    FileDescriptor fd(socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd.isOpen())
        return {{}, errno};
    prepare(fd.get(), address.family());
    if (bind(fd.get(), address.get(), address.length()) != 0 || listen(fd.get(), SOMAXCONN) != 0)
        return {{}, errno};
    return {std::move(fd), 0};
}

Error listenProblem(const SocketAddress& address, int problem)
{
    const std::string port = std::to_string(address.port());
    if (problem == EADDRINUSE)
        return {{code::StorePortBusy,
                 {{"port", port},
                  {"address", address.hostText()},
                  {"holder", holderOfPort(address.port()).value_or("another socket")}}}};
    return {{code::StoreNotListening,
             {{"address", address.hostText()}, {"port", port}},
             errnoText(problem)}};
}

bool machineLacksAddress(int problem)
{
    return problem == EADDRNOTAVAIL || problem == EAFNOSUPPORT || problem == EPROTONOSUPPORT;
}

} // namespace

Result<std::vector<FileDescriptor>> listenOn(const std::vector<std::string>& addresses,
                                             std::uint16_t port)
{
    for (int attempt = 1;; ++attempt) {
        std::vector<FileDescriptor> sockets;
        std::set<SocketAddress::HostBytes> seen;
        std::uint16_t shared = port;
        int problem = 0;
        for (const std::string& host : addresses) {
            const SocketAddress address = RM_TRY(SocketAddress::parse(host, shared));
            if (!seen.insert(address.host()).second)
                continue;
            Attempt made = tryToListen(address);
            problem = made.problem;
            // The free port of the first address may be taken on another one.
            if (problem == EADDRINUSE && port == 0 && attempt < FreePortAttempts)
                break;
            if (problem != 0 && (sockets.empty() || !machineLacksAddress(problem)))
                return tl::unexpected(listenProblem(address, problem));
            if (problem != 0)
                continue;
            shared = SocketAddress::ofSocket(made.socket.get()).port();
            sockets.push_back(std::move(made.socket));
        }
        if (problem != EADDRINUSE)
            return sockets;
    }
}

} // namespace ringmaster
