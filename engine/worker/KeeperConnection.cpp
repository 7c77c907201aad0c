#include "engine/worker/KeeperConnection.h"

#include "engine/base/Codes.h"
#include "engine/worker/Codes.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// posix_spawn's two helper objects, freed.
struct SpawnSetup
{
    SpawnSetup()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnSetup()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSetup(const SpawnSetup&) = delete;
    SpawnSetup& operator=(const SpawnSetup&) = delete;

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

void describeKeeper(SpawnSetup& setup, int socket)
{
    posix_spawn_file_actions_addopen(&setup.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&setup.actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&setup.actions, socket, keeper::SocketDescriptor);
    posix_spawn_file_actions_addclosefrom_np(&setup.actions, keeper::SocketDescriptor + 1);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&setup.attributes, &all);
    posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str())); // An old signature; it only reads.
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

Result<KeeperEndpoint> spawnKeeper(const std::filesystem::path& executable,
                                   const std::string& title,
                                   const std::vector<std::string>& environment)
{
    auto [ours, theirs] = RM_TRY(makeSocketPair(SOCK_STREAM));
    SpawnSetup setup;
    describeKeeper(setup, theirs.get());
    const std::vector<std::string> arguments{executable.string(), title};
    KeeperEndpoint endpoint;
    const int error =
        posix_spawn(&endpoint.pid, executable.c_str(), &setup.actions, &setup.attributes,
                    pointersTo(arguments).data(), pointersTo(environment).data());
    if (error != 0)
        return fail(code::KeeperNotStarted, {{"path", executable.string()}}, errnoText(error));
    endpoint.socket = std::move(ours);
    endpoint.pidfd = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, endpoint.pid, 0U)));
    if (!endpoint.pidfd.isOpen())
        return fail(code::SystemCallFailed, {{"call", "pidfd_open"}}, errnoText(errno));
    return endpoint;
}

KeeperChannel::KeeperChannel(EventLoop& loop, FileDescriptor socket, Received received,
                             Closed closed)
    : m_loop(loop)
    , m_socket(std::move(socket))
    , m_received(std::move(received))
    , m_closed(std::move(closed))
{
    m_readable = m_loop.watchReadable(m_socket.get(), [this] { receive(); });
}

void KeeperChannel::receive()
{
    const std::weak_ptr<bool> alive = m_isAlive;
    const Received received = m_received; // The originals go when a callback destroys the channel.
    const Closed closed = m_closed;
    const keeper::FrameReader::State state = m_reader.receive(m_socket.get());
    while (std::optional<keeper::ReceivedFrame> frame = m_reader.next()) {
        received(*std::move(frame));
        if (alive.expired())
            return;
    }
    if (m_readable.isActive() &&
        (state != keeper::FrameReader::State::Open || m_reader.isBroken())) {
        m_readable.cancel();
        m_writable.cancel();
        closed();
    }
}

void KeeperChannel::send(const keeper::Frame& frame, std::vector<FileDescriptor> descriptors)
{
    std::string bytes = keeper::encode(frame, descriptors.size());
    m_outgoing.push_back({std::move(bytes), std::move(descriptors)});
    flush();
}

void KeeperChannel::flush()
{
    while (!m_outgoing.empty() && sendSome(m_outgoing.front()))
        m_outgoing.pop_front();
    if (m_outgoing.empty() || !m_readable.isActive())
        m_writable.cancel();
    else if (!m_writable.isActive())
        m_writable = m_loop.watchWritable(m_socket.get(), [this] { flush(); });
}

/// True when all of it is on its way, or when nobody is there to read it: receive() finds that out.
bool KeeperChannel::sendSome(Outgoing& outgoing)
{
    std::vector<int> descriptors;
    for (const FileDescriptor& descriptor : outgoing.descriptors)
        descriptors.push_back(descriptor.get());
    while (outgoing.sent < outgoing.bytes.size()) {
        const std::string_view rest = std::string_view(outgoing.bytes).substr(outgoing.sent);
        const ssize_t sent =
            keeper::sendBytes(m_socket.get(), rest,
                              outgoing.sent == 0 ? descriptors : std::vector<int>{}, MSG_DONTWAIT);
        if (sent < 0)
            return errno != EAGAIN;
        outgoing.sent += static_cast<std::size_t>(sent);
    }
    return true;
}

} // namespace ringmaster
