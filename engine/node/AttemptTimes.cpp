#include "engine/node/AttemptTimes.h"

#include "engine/node/Codes.h"
#include "engine/worker/Codes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ringmaster {

namespace {

constexpr double Second = 1e9;

std::int64_t numberOf(const HookReport& report, const char* name)
{
    const auto fact = report.facts.find(name);
    std::int64_t number = 0;
    if (fact != report.facts.end())
        std::from_chars(fact->second.data(), fact->second.data() + fact->second.size(), number);
    return number;
}

std::string secondsText(std::int64_t nanoseconds)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3f", static_cast<double>(nanoseconds) / Second);
    return text.data();
}

} // namespace

void FirstCollectives::begin(int attempt, size_t ranks)
{
    m_attempt = attempt;
    m_ranks = ranks;
    m_found.clear();
}

void FirstCollectives::reported(const HookReport& report)
{
    if (report.part != "times" || report.kind != "times" || report.rank < 0 ||
        m_found.size() > m_ranks)
        return;
    FirstCollective& rank = of(report.rank);
    rank.importNs = numberOf(report, "import_ns");
    rank.initNs = numberOf(report, "init_ns");
}

void FirstCollectives::ended(int globalRank, std::int64_t at)
{
    FirstCollective& rank = of(globalRank);
    if (rank.endedNs == 0)
        rank.endedNs = at;
}

std::optional<FirstCollectiveTimes> FirstCollectives::take()
{
    FirstCollectiveTimes times{.attempt = m_attempt};
    for (const auto& [number, rank] : m_found) {
        if (rank.endedNs > 0 && rank.initNs >= 0)
            times.ranks.push_back(rank);
    }
    if (m_ranks == 0 || times.ranks.size() != m_ranks)
        return std::nullopt;
    m_ranks = 0;
    return times;
}

FirstCollective& FirstCollectives::of(int globalRank)
{
    FirstCollective& rank = m_found[globalRank];
    rank.globalRank = globalRank;
    return rank;
}

void AttemptTimes::seen(const EventBody& body, const Moment& at)
{
    const std::int64_t now = at.monotonicNs;
    if (std::holds_alternative<RunStarted>(body)) {
        m_next.originNs = now;
    } else if (const auto* attempt = std::get_if<AttemptStarted>(&body)) {
        m_stages[attempt->attempt] = std::exchange(m_next, {});
        if (m_stages.size() > MostAttempts)
            m_stages.erase(m_stages.begin());
    } else if (const auto* step = std::get_if<RendezvousStep>(&body)) {
        stepped(step->step, now);
    } else if (const auto* worker = std::get_if<WorkerStateChanged>(&body)) {
        const auto stages = m_stages.find(worker->attempt);
        if (worker->state == WorkerState::Healthy && stages != m_stages.end())
            stages->second.startedNs[worker->globalRank] = now;
        else if (worker->state == WorkerState::Failed && m_failedNs == 0)
            m_failedNs = now;
    } else if (const auto* notice = std::get_if<Notice>(&body)) {
        noticed(notice->message);
    }
}

void AttemptTimes::stepped(RendezvousStep::Step step, std::int64_t now)
{
    if (step == RendezvousStep::Step::Completed)
        m_next.metNs = now;
    if (step != RendezvousStep::Step::Joining)
        return;
    m_next.joiningNs = now;
    // A restart that nobody's failure led to is counted from here.
    if (!m_stages.empty())
        m_next.originNs = m_failedNs != 0 ? m_failedNs : now;
    m_failedNs = 0;
}

/// Importing once for all workers is importing, too, though it is before they run.
void AttemptTimes::noticed(const Message& message)
{
    const auto seconds = message.parameters.find("seconds");
    if (message.code != code::WarmStartFirst || m_stages.empty() ||
        seconds == message.parameters.end())
        return;
    const double value = std::strtod(seconds->second.c_str(), nullptr);
    if (std::isfinite(value) && value > 0 && value < Second)
        m_stages.rbegin()->second.starterNs = static_cast<std::int64_t>(value * Second);
}

std::optional<AttemptTimes::Told>
AttemptTimes::firstCollectiveDone(const FirstCollectiveTimes& times) const
{
    const auto last = std::ranges::max_element(times.ranks, {}, &FirstCollective::endedNs);
    const auto found = m_stages.find(times.attempt);
    if (last == times.ranks.end() || found == m_stages.end())
        return std::nullopt;
    const Stages& stages = found->second;
    const auto started = stages.startedNs.find(last->globalRank);
    if (started == stages.startedNs.end())
        return std::nullopt;
    const std::int64_t total = last->endedNs - stages.originNs;
    if (last->importNs < 0 || last->initNs < 0)
        return std::nullopt;
    // An agent that is held up hears late of a start: it was before what the worker did.
    const std::int64_t startedNs =
        std::min(started->second, last->endedNs - last->importNs - last->initNs);
    const std::int64_t own = last->endedNs - startedNs - last->importNs - last->initNs;
    if (stages.joiningNs < stages.originNs || stages.metNs < stages.joiningNs ||
        startedNs < stages.metNs)
        return std::nullopt;
    const std::int64_t ahead = std::min(stages.starterNs, startedNs - stages.metNs);
    return Told{
        {.message = {times.attempt == 0 ? code::FirstCollective : code::FirstCollectiveAgain,
                     {{"attempt", std::to_string(times.attempt)},
                      {"rank", std::to_string(last->globalRank)},
                      {"seconds", secondsText(total)},
                      {"stop", secondsText(stages.joiningNs - stages.originNs)},
                      {"rendezvous", secondsText(stages.metNs - stages.joiningNs)},
                      {"start", secondsText(startedNs - stages.metNs - ahead)},
                      {"import", secondsText(ahead + last->importNs)},
                      {"init", secondsText(last->initNs)},
                      {"user", secondsText(own)}},
                     {}}},
        last->endedNs};
}

} // namespace ringmaster
