#include "engine/base/ChildCommand.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <poll.h>
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
    if (m_options.grace.count() > 0 && m_process.signal(SIGTERM))
        (void)m_process.endsWithin(m_options.grace);
}

Result<void> ChildCommand::spawn()
{
    Pipe input = RM_TRY(makePipe());
    Stream output;
    Stream error;
    RM_TRY(makeStreams(output, error));
    const int childsError = error.fd.isOpen() ? error.fd.get() : output.fd.get();
    m_process = RM_TRY(
        ChildProcess::start({.command = m_options.arguments,
                             .environment = m_options.environment,
                             .workingFolder = m_options.workingFolder,
                             .descriptors = {input.readEnd.get(), output.fd.get(), childsError}}));
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
    m_ended = m_loop.watchReadable(m_process.pidfd(), [this] { exited(); });
    m_limit = m_loop.callAfter(m_options.patience, [this] { kill(); });
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

void ChildCommand::kill()
{
    m_outcome.wasTooSlow = true;
    (void)m_process.signal(SIGKILL);
    m_limit = m_loop.callAfter(ChildProcess::KillPatience, [this] { leave(); });
}

void ChildCommand::leave()
{
    exited(); // a busy loop may not have come to it
    if (m_isOver)
        return;
    m_ended.cancel();
    m_isOver = true;
    m_outcome.exitCode = -SIGKILL;
    m_outcome.survivor = m_process.leave();
    takeWhatIsThere();
}

void ChildCommand::exited()
{
    const std::optional<int> exitCode = m_process.reap();
    if (!exitCode)
        return;
    m_ended.cancel();
    m_isOver = true;
    m_outcome.exitCode = *exitCode;
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
    if (!m_isOver || m_output.fd.isOpen() || m_error.fd.isOpen() || !m_done)
        return;
    if (m_outcome.survivor) {
        std::string& error = m_outcome.error;
        error +=
            (error.empty() || error.ends_with('\n') ? "" : "\n") + describe(*m_outcome.survivor);
    }
    auto answer = [done = std::exchange(m_done, nullptr), outcome = m_outcome] { done(outcome); };
    // Not posted: what is posted comes after this is destroyed, too.
    m_told = m_loop.callAfter(std::chrono::nanoseconds(0), std::move(answer));
}

} // namespace ringmaster
