#include "engine/remote/CommandServer.h"

#include "engine/base/Codes.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/PseudoTerminal.h"
#include "engine/control/CommandFrames.h"
#include "engine/remote/Codes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

using Kind = CommandFrame::Kind;
using SteadyClock = std::chrono::steady_clock;

constexpr auto Patience = std::chrono::seconds(60);
constexpr std::size_t BytesAtOnce = 16U << 10U;

/// Where the child writes, and where that is read.
struct OutputStream
{
    Kind kind = Kind::Output;
    FileDescriptor source{};
    FileDescriptor childs{}; ///< Not open: it shares the other stream's terminal.
};

tl::unexpected<Error> systemFailure(const char* call)
{
    return fail(code::SystemCallFailed, {{"call", call}}, errnoText(errno));
}

/// One command from its request to its end.
class ServedCommand
{
public:
    ServedCommand(FileDescriptor input, FileDescriptor output)
        : m_input(std::move(input)), m_channel(std::move(output))
    {
    }
    ~ServedCommand();
    ServedCommand(const ServedCommand&) = delete;
    ServedCommand& operator=(const ServedCommand&) = delete;

    Result<void> takeRequest();
    Result<void> start(const std::function<int(std::vector<std::string>)>& command);
    /// Until it has ended, or the channel has.
    Result<void> handOn();

private:
    Result<void> readChannel();
    Result<void> openStreams();
    Result<FileDescriptor> standardInput() const;
    void becomeChild(const FileDescriptor& input);
    bool readOutput(OutputStream& stream);
    Result<void> writeOn();
    std::optional<int> exitCode();
    int timeLeft() const;

    FileDescriptor m_input;
    FileDescriptor m_channel;
    CommandFrameReader m_frames;
    CommandRequestReader m_request;
    SteadyClock::time_point m_heardAt = SteadyClock::now();
    std::array<OutputStream, 2> m_streams{};
    pid_t m_pid = -1;
    FileDescriptor m_process;
    std::string m_unsent;
};

ServedCommand::~ServedCommand()
{
    if (m_pid > 0)
        ::kill(m_pid, SIGTERM); // our child that isn't waited for: the number is still its own
}

int ServedCommand::timeLeft() const
{
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(m_heardAt + Patience -
                                                                            SteadyClock::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

Result<void> ServedCommand::readChannel()
{
    std::array<char, BytesAtOnce> buffer{};
    const ssize_t count = ::read(m_input.get(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return {};
    if (count <= 0)
        return fail(code::MalformedMessage, {{"what", "command"}}, "the channel has ended");
    m_frames.add({buffer.data(), static_cast<std::size_t>(count)});
    m_heardAt = SteadyClock::now();
    return {};
}

Result<void> ServedCommand::takeRequest()
{
    for (;;) {
        while (auto frame = RM_TRY(m_frames.next()))
            if (RM_TRY(m_request.take(*std::move(frame))))
                return {};
        pollfd wait{m_input.get(), POLLIN, 0};
        if (::poll(&wait, 1, timeLeft()) == 0)
            return fail(code::TimedOut, {{"what", "The command"}, {"seconds", "60"}});
        RM_TRY(readChannel());
    }
}

/// One terminal for both streams, where both end in one: what is written keeps its order.
Result<void> ServedCommand::openStreams()
{
    const CommandRequest::Terminal& asked = m_request.request().terminal;
    for (OutputStream& stream : m_streams) {
        const bool isOutput = &stream == &m_streams.front();
        stream.kind = isOutput ? Kind::Output : Kind::Error;
        const bool isTerminal = isOutput ? asked.hasOutput : asked.hasError;
        if (!isTerminal) {
            Pipe pipe = RM_TRY(makePipe());
            stream.source = std::move(pipe.readEnd);
            stream.childs = std::move(pipe.writeEnd);
        } else if (isOutput || !asked.hasOutput) {
            PseudoTerminal terminal = RM_TRY(openPseudoTerminal());
            winsize size{};
            size.ws_col = static_cast<unsigned short>(asked.columns);
            size.ws_row = static_cast<unsigned short>(asked.rows);
            (void)::ioctl(terminal.master.get(), TIOCSWINSZ, &size);
            stream.source = std::move(terminal.master);
            stream.childs = std::move(terminal.slave);
        }
        if (stream.source.isOpen())
            RM_TRY(setNonBlocking(stream.source.get()));
    }
    return {};
}

Result<FileDescriptor> ServedCommand::standardInput() const
{
    const std::string& text = m_request.request().input;
    if (text.empty())
        return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    FileDescriptor file(::memfd_create("input", MFD_CLOEXEC));
    if (!file.isOpen())
        return systemFailure("memfd_create");
    RM_TRY(writeAll(file.get(), text));
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

/// Its descriptors are those of a command that a shell has started.
void ServedCommand::becomeChild(const FileDescriptor& input)
{
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(input.get(), STDIN_FILENO);
    const FileDescriptor& output = m_streams.front().childs;
    const FileDescriptor& error = m_streams.back().childs;
    ::dup2(output.get(), STDOUT_FILENO);
    ::dup2(error.isOpen() ? error.get() : output.get(), STDERR_FILENO);
    for (OutputStream& stream : m_streams) {
        stream.source.close();
        stream.childs.close();
    }
    m_input.close();
    m_channel.close();
    m_pid = -1;
    (void)std::signal(SIGPIPE, SIG_DFL);
    // Only where it matters: what this starts may inherit it.
    const CommandRequest::Terminal& asked = m_request.request().terminal;
    if ((asked.hasOutput || asked.hasError) && !asked.hasColour)
        ::setenv("NO_COLOR", "1", 1); // NOLINT(concurrency-mt-unsafe): no thread yet
}

Result<void> ServedCommand::start(const std::function<int(std::vector<std::string>)>& command)
{
    const std::string& folder = m_request.request().folder;
    if (!folder.empty() && ::chdir(folder.c_str()) != 0)
        return fail(code::FolderMissingThere, {{"path", folder}}, errnoText(errno));
    RM_TRY(openStreams());
    const FileDescriptor input = RM_TRY(standardInput());
    m_pid = ::fork();
    if (m_pid < 0)
        return systemFailure("fork");
    if (m_pid == 0) {
        becomeChild(input);
        const int code = command(m_request.request().words);
        (void)std::fflush(nullptr);
        std::_Exit(code);
    }
    for (OutputStream& stream : m_streams)
        stream.childs.close();
    m_process = pidfdOf(m_pid);
    if (!m_process.isOpen())
        return systemFailure("pidfd_open");
    RM_TRY(setNonBlocking(m_channel.get()));
    return {};
}

/// False: nothing is there now.
bool ServedCommand::readOutput(OutputStream& stream)
{
    std::array<char, BytesAtOnce> buffer{};
    const ssize_t count = ::read(stream.source.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR)
        return true;
    if (count < 0 && errno == EAGAIN)
        return false;
    if (count <= 0) { // of a terminal that nobody has open any more: EIO
        stream.source.close();
        return false;
    }
    m_unsent += encoded(stream.kind, {buffer.data(), static_cast<std::size_t>(count)});
    return true;
}

Result<void> ServedCommand::writeOn()
{
    const ssize_t written = ::write(m_channel.get(), m_unsent.data(), m_unsent.size());
    if (written < 0 && errno != EAGAIN && errno != EINTR)
        return systemFailure("write");
    m_unsent.erase(0, static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    return {};
}

std::optional<int> ServedCommand::exitCode()
{
    int status = 0;
    if (::waitpid(m_pid, &status, WNOHANG) != m_pid)
        return std::nullopt;
    m_pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Result<void> ServedCommand::handOn()
{
    std::optional<int> ended;
    const auto waitedFor = [](const FileDescriptor& fd, bool isWanted, short what) {
        return pollfd{isWanted ? fd.get() : -1, what, 0};
    };
    while (!ended || !m_unsent.empty()) {
        const bool mayRead = m_unsent.empty() && !ended;
        std::array<pollfd, 5> ready{
            waitedFor(m_input, true, POLLIN), waitedFor(m_channel, !m_unsent.empty(), POLLOUT),
            waitedFor(m_streams[0].source, mayRead, POLLIN),
            waitedFor(m_streams[1].source, mayRead, POLLIN), waitedFor(m_process, mayRead, POLLIN)};
        const int count = ::poll(ready.data(), ready.size(), timeLeft());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return fail(code::TimedOut, {{"what", "A word from who asked"}, {"seconds", "60"}});
        if (ready[0].revents != 0) {
            RM_TRY(readChannel());
            while (auto frame = RM_TRY(m_frames.next()))
                if (frame->kind != Kind::Alive)
                    return fail(code::MalformedMessage, {{"what", "command"}});
        }
        if (ready[1].revents != 0)
            RM_TRY(writeOn());
        for (std::size_t i = 0; i < m_streams.size(); ++i)
            if (ready[2 + i].revents != 0)
                (void)readOutput(m_streams[i]);
        if (ready[4].revents == 0)
            continue;
        // What it had printed is there; what it leaves running may hold its output open.
        ended = exitCode();
        for (OutputStream& stream : m_streams)
            while (ended && stream.source.isOpen() && readOutput(stream)) {
            }
        if (ended)
            m_unsent += encoded(Kind::Exit, std::to_string(*ended));
    }
    return {};
}

} // namespace

Result<void> serveCommand(FileDescriptor input, FileDescriptor output,
                          const std::function<int(std::vector<std::string>)>& command)
{
    RM_TRY(writeAll(output.get(), CommandSentinel));
    ServedCommand served(std::move(input), std::move(output));
    RM_TRY(served.takeRequest());
    RM_TRY(served.start(command));
    return served.handOn();
}

} // namespace ringmaster
