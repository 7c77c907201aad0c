#include "engine/cli/RunReporter.h"

#include "engine/base/Codes.h"
#include "engine/base/SignalName.h"
#include "engine/cli/Text.h"
#include "engine/container/Codes.h"
#include "engine/control/Codes.h"
#include "engine/diagnose/Codes.h"
#include "engine/event/DrillStage.h"
#include "engine/event/EndCause.h"
#include "engine/event/States.h"
#include "engine/event/VerdictTraits.h"
#include "engine/hosts/Codes.h"
#include "engine/slurm/Codes.h"

#include <algorithm>
#include <array>
#include <csignal>

namespace ringmaster {

namespace {

Terminal::Style styleOf(const Verdict& verdict)
{
    if (!verdict.isStanding)
        return Terminal::Style::Dim;
    return traitsOf(verdict.kind).severity == Notice::Severity::Error ? Terminal::Style::Red
                                                                      : Terminal::Style::Yellow;
}

} // namespace

void RunReporter::opened(const RunFolder& folder)
{
    if (m_options.isPinned)
        (void)folder.setPinned(true); // at worst it is removed when it is old
    begun(folder.id());
    if (m_options.opened)
        m_options.opened(m_run);
}

void RunReporter::begun(const std::string& run)
{
    m_run = run;
    say("run " + m_run);
}

void RunReporter::happened(const Event& event)
{
    m_snapshot.apply(event);
    if (m_agent.empty())
        m_agent = event.id.agent;
    if (event.id.agent == m_agent)
        happenedHere(event);
    if (const auto* attempt = std::get_if<AttemptStarted>(&event.body))
        tell(*attempt);
    if (const auto* exit = std::get_if<WorkerExited>(&event.body))
        tell(*exit, placeOf(event));
    if (const auto* notice = std::get_if<Notice>(&event.body))
        tell(*notice, placeOf(event));
    if (const auto* verdict = std::get_if<Verdict>(&event.body))
        stated(*verdict, event.at.monotonicNs);
    m_hasEvidence = m_hasEvidence || std::holds_alternative<Evidence>(event.body);
    const auto* last = std::get_if<LastOperation>(&event.body);
    if (last != nullptr && m_failed.contains(last->globalRank))
        say(harmless(describe(last->place)));
}

/// "gpu1: " before what an agent elsewhere says.
std::string RunReporter::placeOf(const Event& event) const
{
    const auto host = m_hosts.find(event.id.agent);
    return host != m_hosts.end() ? host->second + ": " : std::string();
}

void RunReporter::happenedHere(const Event& event)
{
    if (std::holds_alternative<RunStarted>(event.body))
        m_startedAt = event.at;
    if (const auto* step = std::get_if<RendezvousStep>(&event.body))
        tell(*step);
    if (const auto* change = std::get_if<RunStateChanged>(&event.body)) {
        m_state = change->state;
        m_reason = change->reason;
        m_endedAt = event.at;
    }
    if (const auto* restart = std::get_if<GroupRestarting>(&event.body))
        tell(*restart);
    if (const auto* change = std::get_if<HostChanged>(&event.body))
        tell(*change);
}

void RunReporter::printed(std::string_view text)
{
    m_hasReport = true;
    m_terminal.print(text);
}

/// Whole seconds. They may have been asked already, as those are whose group is being restarted.
std::int64_t RunReporter::graceLeftNs() const
{
    const std::int64_t whole = m_options.grace.count();
    if (m_snapshot.graceSince == Moment{})
        return whole;
    const std::int64_t now =
        (m_options.clock ? m_options.clock->now() : SystemClock().now()).wallNs;
    const auto left = std::chrono::ceil<std::chrono::seconds>(
        std::chrono::nanoseconds(m_snapshot.graceSince.wallNs + whole - now));
    const std::int64_t leftNs = std::chrono::nanoseconds(left).count();
    return leftNs > 0 ? std::min(leftNs, whole) : whole;
}

void RunReporter::signalled(int signal)
{
    ++m_signals;
    const bool isKeyboard = signal == SIGINT && m_terminal.isTerminal();
    const std::string left = "they have " + durationText(graceLeftNs()) + " to end; ";
    if (m_signals == 1)
        say(isKeyboard ? "stopping the workers: " + left + "press Ctrl+C again to kill them now"
                       : signalName(signal) + " received: stopping the workers: " + left +
                             "a second signal kills them now",
            Terminal::Style::Yellow);
    else
        say("killing the workers", Terminal::Style::Yellow);
}

void RunReporter::say(std::string_view text, Terminal::Style style) const
{
    if (!m_options.isQuiet)
        m_terminal.say(text, style);
}

/// A run that was taken over began under another lead, maybe before this machine did: the wall's
/// clock knows, unless it was set back meanwhile.
std::int64_t RunReporter::tookNs() const
{
    const Moment began = m_options.startedAt.value_or(m_startedAt);
    const std::int64_t byWall = m_endedAt.wallNs - began.wallNs;
    return m_options.startedAt && byWall >= 0 ? byWall : m_endedAt.monotonicNs - began.monotonicNs;
}

void RunReporter::ended()
{
    const std::int64_t took = tookNs();
    const std::string after = " after " + durationText(took) + " (run " + m_run + ")";
    if (m_state == RunState::Succeeded)
        say("succeeded" + after, Terminal::Style::Green);
    else if (m_state == RunState::Stopped)
        say("stopped" + after, Terminal::Style::Yellow);
    else
        tellFailure("failed" + after);
    tellVerdictOfEnd();
    if (m_hasEvidence)
        say("where each rank stood is kept: ringmaster stacks " + m_run);
}

/// What the ranks were in when they were ended. What a worker's end tells is told already.
void RunReporter::tellVerdictOfEnd() const
{
    const auto cause = endCauseOf(m_snapshot);
    if (!cause || cause->verdict == nullptr)
        return;
    say(harmless(describe(cause->cause)), Terminal::Style::Yellow);
    if (cause->place.code != code::None)
        say(harmless(describe(cause->place)), Terminal::Style::Yellow);
}

/// Once: a host may have said it already, and torchrun's own report is enough.
void RunReporter::tellFailure(const std::string& text) const
{
    const std::string reason = harmlessLines(describe(m_reason));
    // Of a job on hosts a worker's end may be a consequence: only the lead's report says more.
    const bool isReported = m_options.isLed ? m_hasReport : m_hasToldFailure;
    const bool isTold = isReported || m_reason.code == code::None || m_toldOfHosts.contains(reason);
    say(isTold ? text : text + ": " + reason, Terminal::Style::Red);
    if (m_options.isLed && m_options.isQuiet && !isReported && m_reason.code != code::None)
        m_terminal.print(reason + "\n");
}

void RunReporter::tell(const RendezvousStep& step)
{
    if (step.step == RendezvousStep::Step::Completed)
        m_master = step.masterAddress + ":" + std::to_string(step.masterPort);
    if (step.step == RendezvousStep::Step::Joining && m_options.waitsForNodes)
        say("waiting for the other nodes in the rendezvous");
}

void RunReporter::tell(const HostChanged& change)
{
    m_hosts[change.agent] = harmless(change.host);
    const bool isBad = change.state == HostChanged::State::Gone;
    const bool isReconnecting = change.state == HostChanged::State::Reconnecting;
    const bool isCut = isReconnecting || change.state == HostChanged::State::Lost;
    const std::string reason = harmlessLines(describe(change.reason));
    if (change.reason.code != code::None) {
        m_toldOfHosts.insert(reason);
        say(reason, isBad   ? Terminal::Style::Red
                    : isCut ? Terminal::Style::Yellow
                            : Terminal::Style::Dim);
    }
    if (isReconnecting ||
        (change.reason.code == code::None && change.state != HostChanged::State::Connecting)) {
        say(harmless(change.host) + ": " + std::string(nameOf(change.state)));
    }
}

void RunReporter::tell(const AttemptStarted& attempt)
{
    if (std::exchange(m_attemptTold, attempt.attempt) == attempt.attempt)
        return;
    m_hasToldFailure = false;
    m_waits.begin();
    const auto here = attempt.workers.size();
    const auto all = static_cast<size_t>(attempt.worldSize);
    std::string text = "attempt " + std::to_string(attempt.attempt) + ": ";
    // A lead tells of the job; the first host's part of it would read as if others were missing.
    text += m_options.isLed || here == all
                ? counted(all, "worker")
                : counted(here, "worker") + " here, " + std::to_string(all) + " in all";
    say(m_master.empty() ? text : text + ", meeting at " + m_master);
}

void RunReporter::tell(const WorkerExited& exit, const std::string& place)
{
    if (exit.status.succeeded() || exit.endedByAgent)
        return;
    m_hasToldFailure = true;
    m_failed.insert(exit.globalRank);
    say(place + harmlessLines(describe(exit.explanation)), Terminal::Style::Red);
}

void RunReporter::tell(const GroupRestarting& restart)
{
    std::string text = "restarting";
    if (restart.delayNs > 0)
        text += " in " + durationText(restart.delayNs);
    if (restart.budgetAfter < restart.budgetBefore)
        text += ", " + counted(static_cast<size_t>(restart.budgetAfter), "restart") + " left";
    else
        text += ", which isn't charged";
    say(text + ": " + harmless(describe(restart.cause)), Terminal::Style::Yellow);
}

namespace {

/// What is found out later and explains a wait. The rest goes with the statement.
bool isPlaceOrFate(Code code)
{
    constexpr std::array Codes{code::Stands,
                               code::StandsInLine,
                               code::ChildStands,
                               code::ChildStandsInLine,
                               code::HoldsGil,
                               code::RunsWithGil,
                               code::LoaderKilled,
                               code::ChildKilled,
                               code::AwaitedChildKilled,
                               code::ThreadFailed};
    return std::ranges::find(Codes, code) != Codes.end();
}

} // namespace

std::string RunReporter::remedyOf(const Verdict& verdict) const
{
    // Ready to be pasted into another terminal.
    const auto rank = verdict.remedy.parameters.find("rank");
    if (verdict.remedy.code == code::RemedyResume && rank != verdict.remedy.parameters.end())
        return "continue rank " + rank->second + ": ringmaster signal " + rank->second +
               " SIGCONT " + m_run;
    return harmless(describe(verdict.remedy));
}

void RunReporter::stated(const Verdict& verdict, std::int64_t nowNs)
{
    using Telling = RecurringWaits::Telling;
    if (!verdict.isStanding) {
        if (m_waits.ended(verdict, nowNs))
            tell(verdict);
        return;
    }
    const Telling telling = m_waits.stated(verdict, nowNs);
    if (telling == Telling::Whole)
        tell(verdict);
    else if (telling == Telling::Short)
        tellInShort(verdict);
}

void RunReporter::tellInShort(const Verdict& verdict)
{
    if (!m_toldInShort.insert(verdict.id).second)
        return;
    say(harmless(describe(verdict.statement)), styleOf(verdict));
    say("  " + m_waits.expectation(verdict), styleOf(verdict));
}

void RunReporter::tell(const Verdict& verdict)
{
    const auto known = m_told.find(verdict.id);
    const bool isNew =
        known == m_told.end() || known->second.statement.code != verdict.statement.code;
    const auto isTold = [&](const Message& message) {
        // Threads go on beside the place.
        return !isNew && std::ranges::any_of(known->second.evidence, [&](const Message& told) {
            return told.code == message.code && told.parameters == message.parameters;
        });
    };
    if (isNew)
        say(harmless(describe(verdict.statement)), styleOf(verdict));
    // What is stated again has more evidence than before.
    for (const Message& message : verdict.evidence) {
        Message line = message;
        line.detail.clear(); // stacks are in `ringmaster show`
        if (isNew || (isPlaceOrFate(line.code) && !isTold(message)))
            say("  " + harmless(describe(line)), styleOf(verdict));
    }
    if (isNew && verdict.remedy.code != code::None)
        say("  " + remedyOf(verdict), styleOf(verdict));
    if (verdict.isStanding)
        m_told[verdict.id] = verdict;
    else
        m_told.erase(verdict.id);
}

void RunReporter::reminded(const StandingVerdict& verdict, std::int64_t nowNs)
{
    Verdict now = verdict.verdict;
    now.statement = atTime(std::move(now.statement), nowNs);
    if (m_waits.stated(now, nowNs) != RecurringWaits::Telling::Whole)
        return;
    if (m_told.contains(now.id))
        say(harmless(describe(now.statement)), styleOf(now));
    else
        tell(now); // it takes longer than those before
}

void RunReporter::tell(const Notice& notice, const std::string& place)
{
    constexpr std::array Told{code::CodeIsCopied,
                              code::CodeCopied,
                              code::CodeIsComing,
                              code::CodeCopiedWithout,
                              code::ContainerImageFetching,
                              code::ContainerImageProgress,
                              code::ContainerImageStill,
                              code::ContainerImageFetched,
                              code::MetricsAt,
                              code::SlurmWaits,
                              code::SlurmGivesNodes};
    if (notice.severity == Notice::Severity::Info &&
        drillStageOf(notice.message) == DrillStage::None &&
        std::ranges::find(Told, notice.message.code) == Told.end())
        return;
    const bool isError = notice.severity == Notice::Severity::Error;
    const bool isInfo = notice.severity == Notice::Severity::Info;
    say(place + harmlessLines(describe(notice.message)), isError  ? Terminal::Style::Red
                                                         : isInfo ? Terminal::Style::Dim
                                                                  : Terminal::Style::Yellow);
}

} // namespace ringmaster
