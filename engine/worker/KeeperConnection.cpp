#include "engine/worker/KeeperConnection.h"

#include "engine/base/Codes.h"
#include "engine/base/DescriptorLimit.h"
#include "engine/base/DescriptorPassing.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Spawn.h"
#include "engine/worker/Codes.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// By SIGSTOP or its like, not by a tracer.
bool isStopped(int pidfd)
{
    constexpr const char* Field = "\nPid:\t";
    const std::string info = readFile("/proc/self/fdinfo/" + std::to_string(pidfd)).value_or("");
    const std::size_t at = info.find(Field);
    return at != std::string::npos &&
           stateOf(std::atoi(info.c_str() + at + std::strlen(Field))) == 'T';
}

} // namespace

bool hasEnded(const FileDescriptor& pidfd)
{
    pollfd ended{pidfd.get(), POLLIN, 0};
    return !pidfd.isOpen() || poll(&ended, 1, 0) > 0;
}

/// With a shell's exit codes.
std::string endOf(const FileDescriptor& guard)
{
    constexpr int EndedBySignal = 128;
    siginfo_t info{};
    if (waitid(P_PIDFD, static_cast<id_t>(guard.get()), &info, WEXITED | WNOHANG) != 0 ||
        info.si_pid == 0)
        return {};
    if (info.si_code == CLD_EXITED && info.si_status <= EndedBySignal)
        return "exit code " + std::to_string(info.si_status);
    const int number = info.si_code == CLD_EXITED ? info.si_status - EndedBySignal : info.si_status;
    const char* name = sigabbrev_np(number);
    return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

void wakeIfStopped(const FileDescriptor& pidfd)
{
    if (pidfd.isOpen() && isStopped(pidfd.get()))
        (void)signalPidfd(pidfd.get(), SIGCONT);
}

std::filesystem::path keeperExecutable()
{
    return helperFile("ringmaster-keeper")
        .value_or(executableFolder().parent_path() / "libexec/ringmaster/ringmaster-keeper");
}

Result<KeeperEndpoint> spawnKeeper(const std::filesystem::path& executable,
                                   const std::string& title,
                                   const std::vector<std::string>& environment)
{
    auto [ours, theirs] = RM_TRY(makeSocketPair(SOCK_STREAM));
    std::vector<std::string> variables = environment;
    variables.push_back(usersDescriptorLimitVariable());
    // In their places: no input, no output, our standard error, the socket.
    auto guard = spawnWatched({.command = {executable.string(), title},
                               .environment = variables,
                               .descriptors = {-1, -1, STDERR_FILENO, theirs.get()}});
    if (!guard)
        return fail(code::KeeperNotStarted, {{"path", executable.string()}}, guard.error().detail);
    KeeperEndpoint endpoint;
    endpoint.guardPid = guard->pid;
    endpoint.socket = std::move(ours);
    endpoint.guard = std::move(guard->pidfd);
    return endpoint;
}

KeeperChannel::KeeperChannel(EventLoop& loop, FileDescriptor socket, Received received,
                             Closed closed)
    : m_loop(loop)
    , m_socket(std::move(socket))
    , m_received(std::move(received))
    , m_closed(std::move(closed))
{
    m_readable = m_loop.watchReadable(m_socket.get(), [this] { (void)receive(); });
}

bool KeeperChannel::receive()
{
    const std::weak_ptr<bool> alive = m_isAlive;
    const Received received = m_received; // The originals go when a callback destroys the channel.
    const Closed closed = m_closed;
    const keeper::FrameReader::State state = m_reader.receive(m_socket.get());
    while (std::optional<keeper::ReceivedFrame> frame = m_reader.next()) {
        received(*std::move(frame));
        if (alive.expired())
            return false;
    }
    if (state == keeper::FrameReader::State::Open && !m_reader.isBroken())
        return true;
    if (m_readable.isActive()) {
        m_readable.cancel();
        m_writable.cancel();
        closed();
    }
    return false;
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

/// True when all of it is on its way, or when no more will be: receive() finds that out.
bool KeeperChannel::sendSome(Outgoing& outgoing)
{
    std::vector<int> descriptors;
    for (const FileDescriptor& descriptor : outgoing.descriptors)
        descriptors.push_back(descriptor.get());
    while (outgoing.sent < outgoing.bytes.size()) {
        const std::string_view rest = std::string_view(outgoing.bytes).substr(outgoing.sent);
        const ssize_t sent = sendWithDescriptors(
            m_socket.get(), rest,
            std::span<const int>(descriptors).first(outgoing.sent == 0 ? descriptors.size() : 0),
            MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN)
            return false;
        if (sent < 0) {
            // Whatever the reason: a frame that is missing, or cut, would be waited for in vain.
            (void)shutdown(m_socket.get(), SHUT_RDWR);
            return true;
        }
        outgoing.sent += static_cast<std::size_t>(sent);
    }
    return true;
}

} // namespace ringmaster
