#include "engine/cli/RunShownHere.h"

#include "engine/control/ByteChannel.h"
#include "engine/event/States.h"
#include "engine/remote/Codes.h"

#include <algorithm>
#include <csignal>

#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int LeftExit = 128 + SIGINT;

} // namespace

RunShownHere::RunShownHere(const RemoteMachine& machine, Options options)
    : m_machine(machine)
    , m_options(std::move(options))
    , m_reporter(
          {.isQuiet = m_options.isQuiet, .consoles = m_options.consoles, .grace = m_options.grace})
    , m_run(m_loop, *this, {.run = m_options.run, .way = [this](RemoteRun::Connection connection) {
                                const std::vector<std::string> words{"run", m_options.run};
                                return connection == RemoteRun::Connection::Shared
                                           ? m_machine.wayTo(words, ByteChannel::Sentinel)
                                           : m_machine.freshWayTo(words, ByteChannel::Sentinel);
                            }})
{
}

Result<int> RunShownHere::untilItsEnd()
{
    m_reporter.begun(m_options.run);
    say({code::RunStartedOn, {}, {}}, Terminal::Style::Dim);
    m_watch =
        m_loop.watchSignals({SIGINT, SIGTERM, SIGQUIT}, [this](int signal) { signalled(signal); });
    m_run.start();
    m_loop.run();
    return *m_end;
}

void RunShownHere::say(Message what, Terminal::Style style) const
{
    what.parameters["host"] = m_machine.host.name;
    what.parameters["run"] = m_options.run;
    const Terminal terminal(STDERR_FILENO, m_options.consoles.error);
    if (!m_options.isQuiet)
        terminal.print(terminal.styled("ringmaster: " + harmlessLines(describe(what)), style) +
                       "\n");
}

void RunShownHere::runHappened(const Event& event)
{
    m_ends.happened(event);
    m_reporter.happened(event);
    if (const auto* change = std::get_if<RunStateChanged>(&event.body))
        m_hasFailed = change->state == RunState::Failed;
}

/// Whole lines, so that those of several ranks don't run together.
void RunShownHere::runPrinted(const LogChunk& chunk)
{
    constexpr std::size_t LongestLine = 64U << 10U;
    if (chunk.attempt > std::exchange(m_attempt, std::max(m_attempt, chunk.attempt)))
        showRests();
    Console& console =
        chunk.stream == Stream::Stdout ? *m_options.consoles.output : *m_options.consoles.error;
    const std::string before = "[rank" + std::to_string(chunk.globalRank) + "]: ";
    std::string& rest = m_rests[{chunk.globalRank, chunk.stream}];
    rest += chunk.bytes;
    std::size_t at = 0;
    for (std::size_t end = rest.find('\n');
         end != std::string::npos || rest.size() - at > LongestLine; end = rest.find('\n', at)) {
        const std::size_t length = std::min({end - at, LongestLine, rest.size() - at});
        console.write(before + rest.substr(at, length) + "\n");
        at += length + (end != std::string::npos && at + length == end ? 1 : 0);
    }
    rest.erase(0, at);
}

void RunShownHere::showRests()
{
    for (const auto& [key, rest] : m_rests) {
        Console& console =
            key.second == Stream::Stdout ? *m_options.consoles.output : *m_options.consoles.error;
        if (!rest.empty())
            console.write("[rank" + std::to_string(key.first) + "]: " + rest + "\n");
    }
    m_rests.clear();
}

bool RunShownHere::isBehind() const
{
    const auto isRead = [](const Console* console) {
        return console->isFull() && !console->isStalled();
    };
    return isRead(m_options.consoles.output) || isRead(m_options.consoles.error);
}

void RunShownHere::runOutOfReach(const Message& why, bool hasEnded)
{
    say({hasEnded ? code::RestOutOfReach : code::RunOutOfReach, {{"reason", describe(why)}}, {}},
        Terminal::Style::Yellow);
}

void RunShownHere::runReachedAgain()
{
    say({code::RunReachedAgain, {}, {}}, Terminal::Style::Dim);
}

void RunShownHere::runOver(const Result<int>& exitCode)
{
    showRests();
    const std::string report =
        m_hasFailed ? m_ends.report(m_options.program, m_machine.host.name) : std::string();
    if (!report.empty())
        m_reporter.printed(report);
    if (exitCode)
        m_reporter.ended();
    m_end = exitCode;
    m_loop.stop();
}

void RunShownHere::signalled(int signal)
{
    ++m_signals;
    m_run.stop(m_signals > 1);
    if (m_run.isReached())
        return m_reporter.signalled(signal);
    if (m_signals == 1)
        return say({code::RunStopWaits, {}, {}}, Terminal::Style::Yellow);
    say({code::RunLeftAlone, {}, {}}, Terminal::Style::Yellow);
    m_end = LeftExit;
    m_loop.stop();
}

} // namespace ringmaster
