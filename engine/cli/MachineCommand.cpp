#include "engine/cli/MachineCommand.h"

#include "engine/base/Thread.h"
#include "engine/cli/StandardStreams.h"
#include "engine/cli/Terminal.h"
#include "engine/control/RemoteCommand.h"
#include "engine/control/RemoteMachine.h"

#include <csignal>
#include <optional>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// What is shown here comes from there.
CommandRequest::Terminal terminalHere()
{
    const Terminal output(STDOUT_FILENO);
    const Terminal error(STDERR_FILENO);
    CommandRequest::Terminal terminal{.hasOutput = output.isTerminal(),
                                      .hasError = error.isTerminal(),
                                      .hasColour = output.hasColour() || error.hasColour()};
    winsize size{};
    if (::ioctl(output.isTerminal() ? STDOUT_FILENO : STDERR_FILENO, TIOCGWINSZ, &size) == 0 &&
        size.ws_col > 0 && size.ws_row > 0) {
        terminal.columns = size.ws_col;
        terminal.rows = size.ws_row;
    }
    return terminal;
}

bool isReaderGone()
{
    pollfd look{STDOUT_FILENO, 0, 0};
    return ::poll(&look, 1, 0) > 0 && (look.revents & POLLERR) != 0;
}

/// One command from its start to its end, on this process's streams.
class ShownCommand : private RemoteCommand::Owner
{
public:
    explicit ShownCommand(Consoles consoles) : m_consoles(consoles) {}

    Result<int> run(const RemoteMachine& machine, const CommandRequest& request)
    {
        auto command = RM_TRY(RemoteCommand::start(
            m_loop, *this, machine.wayTo({"command"}, CommandSentinel), request));
        m_loop.run();
        command.reset();
        return *m_end;
    }

private:
    void commandPrinted(Stream stream, std::string_view bytes) override
    {
        (stream == Stream::Stdout ? m_consoles.output : m_consoles.error)->write(bytes);
        if (stream == Stream::Stdout && isReaderGone())
            ::kill(::getpid(), SIGPIPE); // `| head` ends it as it would here
    }

    bool isBehind() const override
    {
        return m_consoles.output->isFull() || m_consoles.error->isFull();
    }

    void commandTold(const Message& progress) override
    {
        Terminal(STDERR_FILENO, m_consoles.error)
            .say(harmlessLines(describe(progress)), Terminal::Style::Dim);
    }

    void commandEnded(const Result<int>& exitCode) override
    {
        m_end = exitCode;
        m_loop.stop();
    }

    Consoles m_consoles;
    std::optional<Result<int>> m_end;
    EventLoop m_loop;
};

} // namespace

int commandOn(const std::string& machine, const std::vector<std::string>& words)
{
    const auto carryOut = [&]() -> Result<int> {
        const RemoteMachine found = RM_TRY(RemoteMachine::find(machine));
        const auto streams = RM_TRY(StandardStreams::open());
        int exitCode = 0;
        const auto ended = guardThreads([&]() -> Result<void> {
            exitCode = RM_TRY(ShownCommand(streams->consoles())
                                  .run(found, {.words = words, .terminal = terminalHere()}));
            return {};
        });
        streams->finish(Console::Patience::Endless);
        RM_TRY(ended);
        return exitCode;
    };
    const auto exitCode = carryOut();
    return exitCode ? *exitCode : complain(exitCode.error());
}

} // namespace ringmaster
