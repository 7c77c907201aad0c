#include "engine/node/AttemptTimes.h"

#include "engine/node/Codes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace ringmaster {

namespace {

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
    std::snprintf(text.data(), text.size(), "%.2f", static_cast<double>(nanoseconds) / 1e9);
    return text.data();
}

} // namespace

void FirstCollectives::begin(size_t ranks)
{
    m_ranks = ranks;
    m_found.clear();
}

void FirstCollectives::reported(const HookReport& report)
{
    if (report.part != "times" || report.rank < 0 || m_found.size() > m_ranks)
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

std::optional<std::vector<FirstCollective>> FirstCollectives::take()
{
    std::vector<FirstCollective> all;
    for (const auto& [number, rank] : m_found) {
        if (rank.endedNs > 0 && rank.initNs >= 0)
            all.push_back(rank);
    }
    if (m_ranks == 0 || all.size() != m_ranks)
        return std::nullopt;
    m_ranks = 0;
    return all;
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
        m_originNs = now;
    } else if (const auto* attempt = std::get_if<AttemptStarted>(&body)) {
        m_attempt = attempt->attempt;
        m_startedNs.clear();
    } else if (const auto* step = std::get_if<RendezvousStep>(&body)) {
        if (step->step == RendezvousStep::Step::Joining) {
            m_joiningNs = now;
            // A restart that nobody's failure led to is counted from here.
            if (!m_startedNs.empty())
                m_originNs = m_failedNs != 0 ? m_failedNs : now;
            m_failedNs = 0;
        } else if (step->step == RendezvousStep::Step::Completed) {
            m_metNs = now;
        }
    } else if (const auto* worker = std::get_if<WorkerStateChanged>(&body)) {
        if (worker->state == WorkerState::Healthy)
            m_startedNs[worker->globalRank] = now;
        else if (worker->state == WorkerState::Failed && m_failedNs == 0)
            m_failedNs = now;
    }
}

std::optional<Notice> AttemptTimes::met(const std::vector<FirstCollective>& ranks) const
{
    const auto last = std::ranges::max_element(ranks, {}, &FirstCollective::endedNs);
    const auto started =
        last == ranks.end() ? m_startedNs.end() : m_startedNs.find(last->globalRank);
    if (started == m_startedNs.end())
        return std::nullopt;
    const std::int64_t total = last->endedNs - m_originNs;
    const std::int64_t own = last->endedNs - started->second - last->importNs - last->initNs;
    if (own < 0 || m_joiningNs < m_originNs || m_metNs < m_joiningNs || started->second < m_metNs)
        return std::nullopt;
    return Notice{.message = {m_attempt == 0 ? code::FirstCollective : code::FirstCollectiveAgain,
                              {{"attempt", std::to_string(m_attempt)},
                               {"rank", std::to_string(last->globalRank)},
                               {"seconds", secondsText(total)},
                               {"stop", secondsText(m_joiningNs - m_originNs)},
                               {"rendezvous", secondsText(m_metNs - m_joiningNs)},
                               {"start", secondsText(started->second - m_metNs)},
                               {"import", secondsText(last->importNs)},
                               {"init", secondsText(last->initNs)},
                               {"user", secondsText(own)}},
                              {}}};
}

} // namespace ringmaster
