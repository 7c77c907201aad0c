#include "engine/collective/ring/Sockets.h"

#include "engine/base/Codes.h"
#include "engine/base/DescriptorPassing.h"
#include "engine/base/Files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

namespace ringmaster::ring {

namespace {

tl::unexpected<Error> noAnswer()
{
    return fail(code::TimedOut, {{"what", "an answer of another rank"}, {"seconds", "?"}});
}

struct LocalAddress
{
    sockaddr_un address{};
    socklen_t length = 0;
};

LocalAddress abstractAddress(const std::string& name)
{
    LocalAddress result;
    result.address.sun_family = AF_UNIX;
    const size_t length = std::min(name.size(), sizeof(result.address.sun_path) - 1);
    std::memcpy(result.address.sun_path + 1, name.data(), length);
    result.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
    return result;
}

} // namespace

tl::unexpected<Error> failedCall(const char* call)
{
    return fail(code::SystemCallFailed, {{"call", call}}, errnoText(errno));
}

bool awaitEvents(int descriptor, short events, Deadline deadline)
{
    while (true) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Deadline::clock::now());
        pollfd entry{descriptor, events, 0};
        const int ready =
            ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000)));
        if (ready > 0)
            return true;
        if (Deadline::clock::now() >= deadline)
            return false;
    }
}

Result<void> sendAll(int socket, ConstBytes bytes, Deadline deadline)
{
    while (!bytes.empty()) {
        const ssize_t sent =
            ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
            bytes = bytes.subspan(static_cast<size_t>(sent));
        else if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return failedCall("send");
        else if (!awaitEvents(socket, POLLOUT, deadline))
            return noAnswer();
    }
    return {};
}

Result<void> receiveAll(int socket, Bytes bytes, Deadline deadline)
{
    while (!bytes.empty()) {
        const ssize_t received = ::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (received > 0)
            bytes = bytes.subspan(static_cast<size_t>(received));
        else if (received == 0)
            return fail(code::SystemCallFailed, {{"call", "recv"}}, "the other side hung up");
        else if (errno != EAGAIN && errno != EINTR)
            return failedCall("recv");
        else if (!awaitEvents(socket, POLLIN, deadline))
            return noAnswer();
    }
    return {};
}

Result<LocalListener> listenLocally(int backlog)
{
    LocalListener listener{FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
                           "ringmaster-ring-" + randomToken(24)};
    const LocalAddress at = abstractAddress(listener.name);
    if (!listener.socket.isOpen() ||
        ::bind(listener.socket.get(), reinterpret_cast<const sockaddr*>(&at.address), at.length) !=
            0 ||
        ::listen(listener.socket.get(), backlog) != 0)
        return failedCall("listen");
    return listener;
}

Result<FileDescriptor> connectLocally(const std::string& name)
{
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const LocalAddress at = abstractAddress(name);
    if (!socket.isOpen() ||
        ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&at.address), at.length) != 0)
        return failedCall("connect");
    return socket;
}

Result<void> sendDescriptor(int socket, int descriptor)
{
    if (sendWithDescriptors(socket, "d", std::array{descriptor}) != 1)
        return failedCall("sendmsg");
    return {};
}

Result<FileDescriptor> receiveDescriptor(int socket, Deadline deadline)
{
    if (!awaitEvents(socket, POLLIN, deadline))
        return noAnswer();
    FileDescriptor descriptor = ringmaster::receiveDescriptor(socket);
    if (!descriptor.isOpen())
        return failedCall("recvmsg");
    return descriptor;
}

std::optional<PeerCredentials> credentialsOf(int socket)
{
    ucred credentials{};
    socklen_t length = sizeof(credentials);
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0)
        return std::nullopt;
    return PeerCredentials{credentials.pid, credentials.uid};
}

} // namespace ringmaster::ring
