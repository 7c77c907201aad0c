#include "engine/control/PortForward.h"

#include "engine/base/Codes.h"
#include "engine/base/Spawn.h"
#include "engine/control/Codes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr int WaitingConnections = 16;
constexpr size_t MostForwardErrors = 8U << 10U;

/// What listens on loopback there may do so for one kind of address only: its sshd tries both.
std::string placeThere(int port)
{
    return "localhost:" + std::to_string(port);
}

std::vector<std::string> forwardWords(const SshSettings& ssh, const Host& host, int port)
{
    std::vector<std::string> words = sshWords(ssh, host);
    words.insert(words.end(), {"-W", placeThere(port), "--", host.sshDestination()});
    return words;
}

} // namespace

Result<std::pair<FileDescriptor, int>> listenForForward(int port)
{
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
        ::listen(socket.get(), WaitingConnections) != 0) {
        const Code why = errno == EADDRINUSE ? code::ForwardPortTaken : code::ForwardPortRefused;
        return fail(why, {{"port", std::to_string(port)}}, errnoText(errno));
    }
    if (::getsockname(socket.get(), generic, &length) != 0)
        return fail(code::SystemCallFailed, {{"call", "getsockname"}}, errnoText(errno));
    return std::pair(std::move(socket), static_cast<int>(ntohs(address.sin_port)));
}

Result<std::unique_ptr<PortForward>> PortForward::open(EventLoop& loop, Listener& listener,
                                                       Options options)
{
    auto [socket, port] = RM_TRY(listenForForward(options.localPort));
    return std::unique_ptr<PortForward>(
        new PortForward(loop, listener, std::move(options), std::move(socket), port));
}

PortForward::PortForward(EventLoop& loop, Listener& listener, Options options,
                         FileDescriptor socket, int localPort)
    : m_loop(loop)
    , m_listener(listener)
    , m_options(std::move(options))
    , m_socket(std::move(socket))
    , m_localPort(localPort)
    , m_readable(loop.watchReadable(m_socket.get(), [this] { welcome(); }))
{
}

PortForward::~PortForward()
{
    for (const Connection& connection : m_connections) {
        ::kill(connection.pid, SIGKILL);
        ::waitpid(connection.pid, nullptr, 0);
    }
}

void PortForward::welcome()
{
    FileDescriptor socket = m_spare.accept(m_socket.get());
    if (!socket.isOpen() || m_connections.size() >= m_options.connections)
        return;
    if (const auto started = start(std::move(socket)); !started)
        m_listener.connectionFailed(started.error());
}

/// The socket is ssh's standard input and output from then on.
Result<void> PortForward::start(FileDescriptor socket)
{
    Pipe errors = RM_TRY(makePipe());
    RM_TRY(setNonBlocking(errors.readEnd.get()));
    RM_TRY(setNonBlocking(socket.get(), false));
    const pid_t pid =
        RM_TRY(spawn({.command = forwardWords(m_options.ssh, m_options.host, m_options.port),
                      .descriptors = {socket.get(), socket.get(), errors.writeEnd.get()}}));
    const Place at = m_connections.insert(m_connections.end(), Connection{.pid = pid});
    at->process = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    at->errors = std::move(errors.readEnd);
    at->ended = m_loop.watchReadable(at->process.get(), [this, at] { exited(at); });
    at->readable = m_loop.watchReadable(at->errors.get(), [at] {
        if (!readErrors(*at))
            at->readable.cancel();
    });
    return {};
}

/// False: nothing more comes.
bool PortForward::readErrors(Connection& connection)
{
    std::array<char, 1024> buffer{};
    const ssize_t count = ::read(connection.errors.get(), buffer.data(), buffer.size());
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    if (connection.errorText.size() < MostForwardErrors)
        connection.errorText.append(buffer.data(), static_cast<size_t>(count));
    return count > 0;
}

void PortForward::exited(Place at)
{
    siginfo_t info{};
    if (::waitid(P_PIDFD, static_cast<id_t>(at->process.get()), &info, WEXITED | WNOHANG) != 0 ||
        info.si_pid == 0)
        return;
    at->ended.cancel();
    at->readable.cancel();
    // What it said last; a connection that others share may hold the pipe open.
    while (readErrors(*at) && errno != EAGAIN && at->errorText.size() < MostForwardErrors) {
    }
    const std::string errors = at->errorText;
    m_connections.erase(at);
    const int exitCode = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
    if (exitCode != 0)
        failed(exitCode, errors);
}

/// Where ssh says that it can't forward, it keeps to itself why.
void PortForward::failed(int exitCode, const std::string& errors)
{
    if (errors.find("tdio forwarding") != std::string::npos)
        return findReason();
    m_listener.connectionFailed(sshFailure(m_options.host, exitCode, errors));
}

/// The same call once more, over a connection of its own, where ssh says what the other end said.
void PortForward::findReason()
{
    if (m_question)
        return;
    std::vector<std::string> words =
        forwardWords(unshared(m_options.ssh), m_options.host, m_options.port);
    std::ranges::replace(words, "LogLevel=ERROR", "LogLevel=INFO");
    auto question = ChildCommand::start(m_loop, {.arguments = std::move(words), .patience = 15s},
                                        [this](const ChildCommand::Outcome& outcome) {
                                            const std::unique_ptr<ChildCommand> over =
                                                std::move(m_question);
                                            // It is reached now, or hangs: the next connection
                                            // tells.
                                            if (!outcome.wasTooSlow && outcome.exitCode != 0)
                                                m_listener.connectionFailed(refusal(outcome.error));
                                        });
    if (question)
        m_question = *std::move(question);
}

Error PortForward::refusal(const std::string& errors) const
{
    const Parameters parameters{{"port", std::to_string(m_options.port)},
                                {"host", m_options.host.name}};
    if (errors.find("administratively prohibited") != std::string::npos)
        return fail(code::ForwardProhibited, parameters).value();
    if (errors.find("tdio forwarding") != std::string::npos)
        return fail(code::ForwardNobodyThere, parameters).value();
    return sshFailure(m_options.host, 255, errors);
}

} // namespace ringmaster
