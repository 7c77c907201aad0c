#include "engine/base/ChildCommand.h"

#include "engine/base/Spawn.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// After the child's end, for output that others hold open.
constexpr std::chrono::milliseconds OutputPatience{500};
constexpr int MostRounds = 32; ///< More than a pipe holds.

} // namespace

Result<std::unique_ptr<ChildCommand>> ChildCommand::start(EventLoop& loop, Options options,
                                                          std::function<void(Outcome)> done)
{
    auto child =
        std::unique_ptr<ChildCommand>(new ChildCommand(loop, std::move(options), std::move(done)));
    RM_TRY(child->spawn());
    return child;
}

ChildCommand::ChildCommand(EventLoop& loop, Options options, std::function<void(Outcome)> done)
    : m_loop(loop), m_options(std::move(options)), m_done(std::move(done))
{
}

ChildCommand::~ChildCommand()
{
    if (m_pid > 0 && !m_hasExited) {
        if (!endsWhenAsked())
            ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
}

bool ChildCommand::endsWhenAsked() const
{
    if (m_options.grace.count() == 0 || ::kill(m_pid, SIGTERM) != 0)
        return false;
    pollfd ended{m_process.fd.get(), POLLIN, 0};
    return ::poll(&ended, 1, static_cast<int>(m_options.grace.count())) > 0;
}

Result<void> ChildCommand::spawn()
{
    Pipe input = RM_TRY(makePipe());
    Stream output;
    Stream error;
    RM_TRY(makeStreams(output, error));
    const int childsError = error.fd.isOpen() ? error.fd.get() : output.fd.get();
    WatchedChild child =
        RM_TRY(spawnWatched({.command = m_options.arguments,
                             .environment = m_options.environment,
                             .workingFolder = m_options.workingFolder,
                             .descriptors = {input.readEnd.get(), output.fd.get(), childsError}}));
    m_pid = child.pid;
    m_process.fd = std::move(child.pidfd);
    m_input.fd = std::move(input.writeEnd);
    for (const Stream* stream : {&m_input, &m_output, &m_error})
        if (stream->fd.isOpen())
            RM_TRY(setNonBlocking(stream->fd.get()));
    m_input.ready = m_loop.watchWritable(m_input.fd.get(), [this] { writeInput(); });
    m_output.ready =
        m_loop.watchReadable(m_output.fd.get(), [this] { readInto(m_output, m_outcome.output); });
    if (m_error.fd.isOpen())
        m_error.ready =
            m_loop.watchReadable(m_error.fd.get(), [this] { readInto(m_error, m_outcome.error); });
    m_process.ready = m_loop.watchReadable(m_process.fd.get(), [this] { exited(); });
    m_limit = m_loop.callAfter(m_options.patience, [this] {
        m_outcome.wasTooSlow = true;
        ::kill(m_pid, SIGKILL);
    });
    return {};
}

Result<void> ChildCommand::makeStreams(Stream& childsOutput, Stream& childsError)
{
    if (m_options.terminal.isOpen()) {
        m_output.fd = std::move(m_options.terminal);
        childsOutput.fd = std::move(m_options.childsTerminal);
        return {};
    }
    Pipe output = RM_TRY(makePipe());
    Pipe error = RM_TRY(makePipe());
    m_output.fd = std::move(output.readEnd);
    m_error.fd = std::move(error.readEnd);
    childsOutput.fd = std::move(output.writeEnd);
    childsError.fd = std::move(error.writeEnd);
    return {};
}

void ChildCommand::writeInput()
{
    const ssize_t written =
        ::write(m_input.fd.get(), m_options.input.data(), m_options.input.size());
    if (written < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    m_options.input.erase(0, written < 0 ? std::string::npos : static_cast<size_t>(written));
    if (m_options.input.empty())
        m_input = {};
}

void ChildCommand::readInto(Stream& stream, std::string& text)
{
    std::array<char, 8192> buffer{};
    const ssize_t count = ::read(stream.fd.get(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count > 0) {
        const std::string_view got(buffer.data(), static_cast<size_t>(count));
        text += got;
        if (m_options.heard)
            m_options.heard(got);
        if (text.size() > m_options.mostOutput)
            text.erase(0, text.size() - m_options.mostOutput);
        return;
    }
    stream = {};
    finishIfOver();
}

void ChildCommand::exited()
{
    siginfo_t info{};
    if (::waitid(P_PIDFD, static_cast<id_t>(m_process.fd.get()), &info, WEXITED | WNOHANG) != 0 ||
        info.si_pid == 0)
        return;
    m_hasExited = true;
    m_outcome.exitCode = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
    m_process = {};
    // What it has started may hold its output open for ever.
    m_limit = m_loop.callAfter(OutputPatience, [this] { takeWhatIsThere(); });
    finishIfOver();
}

void ChildCommand::takeWhatIsThere()
{
    const auto take = [this](Stream& stream, std::string& text) {
        for (int round = 0; round < MostRounds && stream.fd.isOpen(); ++round) {
            pollfd ready{stream.fd.get(), POLLIN, 0};
            if (::poll(&ready, 1, 0) <= 0)
                break;
            readInto(stream, text);
        }
        stream = {};
    };
    take(m_output, m_outcome.output);
    take(m_error, m_outcome.error);
    finishIfOver();
}

void ChildCommand::finishIfOver()
{
    if (m_hasExited && !m_output.fd.isOpen() && !m_error.fd.isOpen() && m_done)
        m_loop.post(
            [done = std::exchange(m_done, nullptr), outcome = m_outcome] { done(outcome); });
}

} // namespace ringmaster
