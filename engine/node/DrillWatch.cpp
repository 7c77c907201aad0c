#include "engine/node/DrillWatch.h"

#include "engine/event/Codes.h"
#include "engine/event/DrilledHost.h"
#include "engine/event/States.h"
#include "engine/text/Duration.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace ringmaster {

namespace {

using namespace std::chrono_literals;

/// A loss that is printed in a line of its own comes a little later than the step.
constexpr std::chrono::nanoseconds LossPatience = 5s;
/// A verdict of a hang is withdrawn, and stated, within that.
constexpr std::chrono::nanoseconds HangPatience = 2s;

std::string numberText(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::string tenthsText(std::int64_t nanoseconds)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(nanoseconds) / 1e9);
    return text.data();
}

/// An agent without a lead knows its own ranks alone.
int ranksOf(const RunSnapshot& run)
{
    return run.hosts.empty() ? static_cast<int>(run.workers.size()) : run.worldSize;
}

int runningRanks(const RunSnapshot& run)
{
    return static_cast<int>(std::ranges::count_if(run.workers, [](const WorkerSnapshot& worker) {
        return worker.state == WorkerState::Healthy || worker.state == WorkerState::Succeeded;
    }));
}

bool allRun(const RunSnapshot& run)
{
    return ranksOf(run) > 0 && runningRanks(run) == ranksOf(run);
}

bool hangs(const RunSnapshot& run)
{
    return std::ranges::any_of(run.verdicts, [&run](const StandingVerdict& standing) {
        return standing.verdict.kind == Verdict::Kind::Hang &&
               standing.verdict.attempt == run.attempt;
    });
}

} // namespace

DrillWatch::DrillWatch(BeginDrill drill, const RunSnapshot& run, bool hasCollectives,
                       std::int64_t nowNs)
    : m_drill(std::move(drill))
    , m_attempt(run.attempt)
    , m_restartsBefore(run.restartsUsed)
    , m_hasCollectives(hasCollectives)
    , m_beganNs(nowNs)
    , m_printing(run.attempt)
{
    m_numbers.began(m_attempt, m_drill.globalRank);
}

/// A host may be missed in one round, and come back in the next one: the last one counts.
void DrillWatch::printed(const PrintedNumbers& numbers)
{
    const bool isLate = numbers.attempt < m_printing;
    if (m_drill.isOfHost() && isLate && (numbers.attempt > m_attempt || m_isReleased))
        return;
    if (m_drill.isOfHost() && numbers.attempt > m_printing) {
        m_printing = numbers.attempt;
        m_numbers.beganAnew();
        m_stepNs.reset();
    }
    m_numbers.add(numbers);
}

std::optional<DrillWatch::Outcome> DrillWatch::look(const RunSnapshot& run, std::int64_t nowNs)
{
    if (isUnderWay(run, nowNs))
        return std::nullopt;
    if (auto result = back(run, nowNs))
        return result;
    if (nowNs - fromNs() <= m_drill.limit.count())
        return std::nullopt;
    return Outcome{late(run), false};
}

/// What the drill does to the rank or host isn't over.
bool DrillWatch::isUnderWay(const RunSnapshot& run, std::int64_t nowNs)
{
    return m_drill.isOfHost() ? isCut(run, nowNs) : isHeldUp(run, nowNs);
}

bool DrillWatch::isHeldUp(const RunSnapshot& run, std::int64_t nowNs)
{
    if (isKill() || m_isReleased || m_isReplaced)
        return false;
    m_isReplaced = isAgain(run);
    m_isReleased = !m_isReplaced && nowNs >= m_beganNs + m_drill.duration.count();
    if (m_isReleased)
        m_numbers.wentOn();
    return !m_isReplaced;
}

/// Whether the others have gone on without it meanwhile, its return shows: it joins them then.
bool DrillWatch::isCut(const RunSnapshot& run, std::int64_t nowNs)
{
    if (isKill() || m_isReleased)
        return false;
    if (nowNs < m_beganNs + m_drill.duration.count())
        return true;
    m_isReleased = true;
    if (isAgain(run))
        return false;
    // What others print says nothing of the host, unless only they print.
    const std::vector<int> ranks = ranksOnHost(run, m_drill.host);
    m_numbers.began(m_attempt, ranks.empty() ? -1 : ranks.front());
    m_numbers.wentOn();
    return false;
}

/// Connected again, it joins a round a little later, or stands by.
bool DrillWatch::isAway(const RunSnapshot& run) const
{
    if (m_drill.kind != BeginDrill::Kind::CutHost)
        return false;
    const auto state = stateOfHost(run, m_drill.host);
    const bool hasJoined =
        state == HostChanged::State::Connected && !ranksOnHost(run, m_drill.host).empty();
    return !hasJoined && state != HostChanged::State::StandingBy;
}

/// Of workers on a host that is gone nobody hears how they ended.
bool DrillWatch::doAllRun(const RunSnapshot& run) const
{
    const bool isCurrent = run.state == RunState::Running &&
                           std::ranges::all_of(run.workers, [&run](const WorkerSnapshot& worker) {
                               return worker.attempt == run.attempt;
                           });
    return allRun(run) && (!m_drill.isOfHost() || isCurrent);
}

std::optional<Message> DrillWatch::cost(const RunSnapshot& run) const
{
    if (!m_drill.isOfHost())
        return std::nullopt;
    return Message{code::DrillHostCost,
                   {{"host", m_drill.host},
                    {"working", std::to_string(workingHosts(run))},
                    {"hosts", std::to_string(latestOfEachHost(run).size())},
                    {"charged", std::to_string(run.restartsUsed - m_restartsBefore)}},
                   {}};
}

DrillWatch::Outcome DrillWatch::runEnded(RunState state, const RunSnapshot& run, std::int64_t nowNs)
{
    (void)isUnderWay(run, nowNs); // it may be over since the last look
    const auto progress = m_numbers.progress();
    const bool hasGoneOn = isAgain(run) || m_isReleased;
    if (state != RunState::Succeeded || !hasGoneOn)
        return {after(code::DrillRunEnded, nowNs), false};
    if (progress && progress->first)
        return {atStep(*progress, m_stepNs.value_or(nowNs)), true};
    return {after(code::DrillRunFinished, nowNs), true};
}

/// When the drill had done to the rank what it does.
std::int64_t DrillWatch::fromNs() const
{
    return m_beganNs + (m_isReleased ? m_drill.duration.count() : 0);
}

std::optional<DrillWatch::Outcome> DrillWatch::back(const RunSnapshot& run, std::int64_t nowNs)
{
    if ((!isAgain(run) && !m_isReleased) || isAway(run) || !doAllRun(run))
        return std::nullopt;
    if (const auto progress = m_numbers.progress()) {
        if (!progress->first)
            return std::nullopt;
        if (!m_stepNs)
            m_stepNs = nowNs;
        const bool mayComeYet = !progress->loss.empty() && !progress->lossAfter &&
                                nowNs - *m_stepNs < LossPatience.count();
        return mayComeYet ? std::nullopt
                          : std::optional(Outcome{atStep(*progress, *m_stepNs), true});
    }
    if (isAgain(run) && m_hasCollectives)
        return m_collective < run.attempt
                   ? std::nullopt
                   : std::optional(Outcome{after(code::DrillBackAtCollective, nowNs), true});
    if (isAgain(run))
        return Outcome{after(code::DrillBackRunning, nowNs), true};
    if (hangs(run) || nowNs - fromNs() < HangPatience.count())
        return std::nullopt;
    return Outcome{after(code::DrillRunsOn, nowNs), true};
}

Message DrillWatch::late(const RunSnapshot& run) const
{
    if (isKill() && !isAgain(run))
        return within(m_drill.isOfHost() ? code::DrillHostNoRestart : code::DrillNoRestart);
    const auto state = stateOfHost(run, m_drill.host);
    if (isAway(run) && state == HostChanged::State::Connected)
        return within(code::DrillHostIdle);
    if (isAway(run)) {
        Message message = within(code::DrillHostAway);
        message.parameters["state"] = std::string(state ? nameOf(*state) : "gone");
        return message;
    }
    if (!doAllRun(run)) {
        Message message = within(code::DrillRanksMissing);
        message.parameters["count"] = std::to_string(runningRanks(run));
        message.parameters["size"] = std::to_string(ranksOf(run));
        return message;
    }
    if (const auto progress = m_numbers.progress()) {
        Message message = within(code::DrillNoStep);
        message.parameters["counter"] = progress->counter;
        message.parameters["reached"] = numberText(progress->reached);
        return message;
    }
    return within(isAgain(run) ? code::DrillNoCollective : code::DrillHangs);
}

Message DrillWatch::atStep(const DrillNumbers::Progress& progress, std::int64_t atNs) const
{
    const double lost = progress.reached - *progress.first;
    const Code back = progress.lossAfter ? code::DrillBackWithLoss : code::DrillBackAtStep;
    const Code goesOn = progress.lossAfter ? code::DrillGoesOnWithLoss : code::DrillGoesOnAtStep;
    Message message = after(lost > 0 ? back : goesOn, atNs);
    message.parameters["counter"] = progress.counter;
    message.parameters["reached"] = numberText(progress.reached);
    message.parameters["first"] = numberText(*progress.first);
    if (lost > 0) // what was done since that line is not known
        message.parameters["lost"] = numberText(lost);
    if (progress.lossAfter) {
        message.parameters["loss"] = progress.loss;
        message.parameters["before"] = numberText(progress.lossBefore);
        message.parameters["after"] = numberText(*progress.lossAfter);
    }
    return message;
}

Message DrillWatch::after(Code code, std::int64_t nowNs) const
{
    const bool isCut = m_drill.kind == BeginDrill::Kind::CutHost;
    const char* begun = isCut ? "disconnect" : "SIGSTOP";
    const char* over = isCut ? "reconnect" : "SIGCONT";
    const char* event = m_isReleased ? over : begun;
    return {code,
            {{"seconds", tenthsText(nowNs - fromNs())}, {"signal", isKill() ? "SIGKILL" : event}},
            {}};
}

Message DrillWatch::within(Code code) const
{
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(m_drill.limit);
    if (m_drill.isOfHost())
        return {code, {{"time", durationText(limit)}, {"host", m_drill.host}}, {}};
    return {
        code, {{"time", durationText(limit)}, {"rank", std::to_string(m_drill.globalRank)}}, {}};
}

} // namespace ringmaster
