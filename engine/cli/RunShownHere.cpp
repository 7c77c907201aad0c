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
    , m_lines(m_options.consoles)
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
    if (!m_options.isQuiet)
        Terminal(STDERR_FILENO, m_options.consoles.error).say(harmlessLines(describe(what)), style);
}

void RunShownHere::runHappened(const Event& event)
{
    m_ends.happened(event);
    m_reporter.happened(event);
    if (const auto* change = std::get_if<RunStateChanged>(&event.body))
        m_hasFailed = change->state == RunState::Failed;
}

void RunShownHere::runPrinted(const LogChunk& chunk)
{
    if (chunk.attempt > std::exchange(m_attempt, std::max(m_attempt, chunk.attempt)))
        m_lines.finishBefore(chunk.attempt);
    m_lines.show(chunk);
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
    m_lines.finish();
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
