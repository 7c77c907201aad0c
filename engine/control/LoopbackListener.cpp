#include "engine/control/LoopbackListener.h"

#include "engine/base/Codes.h"

#include <cerrno>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace ringmaster {

Result<LoopbackListener> listenOnLoopback(int port, Code taken, Code refused)
{
    constexpr int WaitingConnections = 16;
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.isOpen())
        return fail(code::SystemCallFailed, {{"call", "socket"}}, errnoText(errno));
    const int on = 1; // connections of before that wind up don't hold the port
    (void)::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const generic = reinterpret_cast<sockaddr*>(&address); // NOLINT: the sockets API
    socklen_t length = sizeof address;
    if (::bind(socket.get(), generic, length) != 0 ||
        ::listen(socket.get(), WaitingConnections) != 0)
        return fail(errno == EADDRINUSE ? taken : refused, {{"port", std::to_string(port)}},
                    errnoText(errno));
    if (::getsockname(socket.get(), generic, &length) != 0)
        return fail(code::SystemCallFailed, {{"call", "getsockname"}}, errnoText(errno));
    return LoopbackListener{std::move(socket), ntohs(address.sin_port)};
}

} // namespace ringmaster
