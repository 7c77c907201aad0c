#include "engine/control/PortForward.h"

#include "engine/base/Codes.h"
#include "engine/control/Codes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

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

Result<LoopbackListener> listenForForward(int port)
{
    return listenOnLoopback(port, code::ForwardPortTaken, code::ForwardPortRefused);
}

Result<std::unique_ptr<PortForward>> PortForward::open(EventLoop& loop, Listener& listener,
                                                       Options options)
{
    LoopbackListener local = RM_TRY(listenForForward(options.localPort));
    return std::unique_ptr<PortForward>(
        new PortForward(loop, listener, std::move(options), std::move(local)));
}

PortForward::PortForward(EventLoop& loop, Listener& listener, Options options,
                         LoopbackListener local)
    : m_loop(loop)
    , m_listener(listener)
    , m_options(std::move(options))
    , m_local(std::move(local))
    , m_readable(loop.watchReadable(m_local.socket.get(), [this] { welcome(); }))
{
}

PortForward::~PortForward()
{
    // All of them before any is waited for.
    for (const Connection& connection : m_connections)
        (void)connection.process.signal(SIGKILL);
}

void PortForward::welcome()
{
    FileDescriptor socket = m_spare.accept(m_local.socket.get());
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
    ChildProcess child = RM_TRY(
        ChildProcess::start({.command = forwardWords(m_options.ssh, m_options.host, m_options.port),
                             .descriptors = {socket.get(), socket.get(), errors.writeEnd.get()}}));
    const Place at = m_connections.emplace(m_connections.end());
    at->process = std::move(child);
    at->errors = std::move(errors.readEnd);
    at->ended = m_loop.watchReadable(at->process.pidfd(), [this, at] { exited(at); });
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
    const std::optional<int> exitCode = at->process.reap();
    if (!exitCode)
        return;
    at->ended.cancel();
    at->readable.cancel();
    // What it said last; a connection that others share may hold the pipe open.
    while (readErrors(*at) && errno != EAGAIN && at->errorText.size() < MostForwardErrors) {
    }
    const std::string errors = at->errorText;
    m_connections.erase(at);
    if (*exitCode != 0)
        failed(*exitCode, errors);
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
