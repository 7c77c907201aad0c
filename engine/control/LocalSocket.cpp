#include "engine/control/LocalSocket.h"

#include "engine/base/Codes.h"
#include "engine/control/Codes.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

/// Below the 108 bytes of sockaddr_un, so that tools that add a suffix can still reach it.
constexpr size_t LongestName = 100;
constexpr int Backlog = 64;

/// The address of a path; `folder` is open as long as the address is used.
struct Address
{
    sockaddr_un value{};
    FileDescriptor folder{};
};

Result<Address> addressOf(const fs::path& path)
{
    Address address;
    std::string name = path.string();
    if (name.size() > LongestName) {
        address.folder =
            FileDescriptor(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!address.folder.isOpen())
            return fail(code::FileNotReadable, {{"path", path.parent_path().string()}},
                        errnoText(errno));
        name = "/proc/self/fd/" + std::to_string(address.folder.get()) + "/" +
               path.filename().string();
    }
    if (name.size() > LongestName)
        return fail(code::SocketNameTooLong,
                    {{"path", path.string()}, {"limit", std::to_string(LongestName)}});
    address.value.sun_family = AF_UNIX;
    std::ranges::copy(name, std::begin(address.value.sun_path));
    return address;
}

Result<FileDescriptor> makeSocket(int flags = 0)
{
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
    if (!socket.isOpen())
        return fail(code::SystemCallFailed, {{"call", "socket"}}, errnoText(errno));
    return socket;
}

const sockaddr* generic(const sockaddr_un& address)
{
    return reinterpret_cast<const sockaddr*>(&address); // NOLINT: the sockets API
}

} // namespace

Result<FileDescriptor> listenLocally(const fs::path& path)
{
    const Address address = RM_TRY(addressOf(path));
    FileDescriptor socket = RM_TRY(makeSocket());
    // The mode of the socket's file is that of the descriptor at bind(): never open for others,
    // whatever the umask is.
    if (::fchmod(socket.get(), 0600) != 0)
        return fail(code::SystemCallFailed, {{"call", "fchmod"}}, errnoText(errno));
    if (::bind(socket.get(), generic(address.value), sizeof address.value) != 0) {
        const Code code = errno == EADDRINUSE ? code::SocketInUse : code::FileNotWritable;
        return fail(code, {{"path", path.string()}}, errnoText(errno));
    }
    if (::listen(socket.get(), Backlog) != 0)
        return fail(code::SystemCallFailed, {{"call", "listen"}}, errnoText(errno));
    return socket;
}

Result<FileDescriptor> connectLocally(const fs::path& path)
{
    const Address address = RM_TRY(addressOf(path));
    // Non-blocking: where the queue of a listener is full that takes nobody, connecting would wait
    // for ever.
    FileDescriptor socket = RM_TRY(makeSocket(SOCK_NONBLOCK));
    if (::connect(socket.get(), generic(address.value), sizeof address.value) != 0) {
        const Code code = errno == EAGAIN ? code::SocketQueueFull : code::SocketNotAnswering;
        return fail(code, {{"path", path.string()}}, errnoText(errno));
    }
    RM_TRY(setNonBlocking(socket.get(), false));
    RM_TRY(checkPeer(RM_TRY(peerOf(socket.get())), ::geteuid()));
    return socket;
}

bool isAbandonedSocket(const fs::path& path)
{
    const auto address = addressOf(path);
    // Non-blocking: where the queue of a busy listener is full, this says so at once.
    const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    return address && socket.isOpen() &&
           ::connect(socket.get(), generic(address->value), sizeof address->value) != 0 &&
           errno == ECONNREFUSED;
}

Result<ucred> peerOf(int socket)
{
    ucred peer{};
    socklen_t length = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
        return fail(code::SystemCallFailed, {{"call", "getsockopt(SO_PEERCRED)"}},
                    errnoText(errno));
    return peer;
}

Result<void> checkPeer(const ucred& peer, uid_t self)
{
    if (peer.uid != self)
        return fail(code::PeerRefused,
                    {{"user", std::to_string(peer.uid)}, {"pid", std::to_string(peer.pid)}});
    return {};
}

} // namespace ringmaster
