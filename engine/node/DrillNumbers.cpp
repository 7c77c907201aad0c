#include "engine/node/DrillNumbers.h"

#include "engine/text/NumberNames.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t MostRanks = 4096;
constexpr size_t MostNames = 64; ///< Of a rank.

bool isCounter(const NamedNumber& number)
{
    return number.total.has_value() || isCounterName(number.name);
}

bool isLoss(const std::string& name)
{
    return name.find("loss") != std::string::npos;
}

/// "loss" itself, else one of the training, else whichever.
int orderOfLoss(const std::string& name)
{
    if (name == "loss")
        return 0;
    return name.find("train") != std::string::npos ? 1 : 2;
}

std::optional<double> valueOf(const PrintedNumbers& printed, const std::string& name)
{
    const auto found = std::ranges::find(printed.numbers, name, &NamedNumber::name);
    return found != printed.numbers.end() ? std::optional(found->value) : std::nullopt;
}

} // namespace

void DrillNumbers::add(const PrintedNumbers& printed)
{
    if (m_drilled && (printed.attempt > *m_drilled || m_hasGoneOn))
        return addAfter(printed);
    if (printed.attempt < m_attempt || (m_drilled && printed.attempt != *m_drilled))
        return;
    if (printed.attempt > m_attempt)
        m_ranks.clear();
    m_attempt = printed.attempt;
    addBefore(printed);
}

void DrillNumbers::addBefore(const PrintedNumbers& printed)
{
    if (m_ranks.size() >= MostRanks && !m_ranks.contains(printed.rank))
        return;
    Rank& rank = m_ranks[printed.rank];
    for (const NamedNumber& number : printed.numbers) {
        if (rank.counters.size() + rank.losses.size() >= MostNames)
            return;
        if (isLoss(number.name))
            rank.losses[number.name] = number.value;
        if (!isCounter(number))
            continue;
        const auto [at, isNew] =
            rank.counters.try_emplace(number.name, Counter{number.value, number.value});
        Counter& counter = at->second;
        counter.hasRestarted = counter.hasRestarted || number.value < counter.last;
        counter.moves += number.value != counter.last ? 1 : 0;
        counter.last = number.value;
        counter.highest = std::max(counter.highest, number.value);
    }
}

void DrillNumbers::addAfter(const PrintedNumbers& printed)
{
    if (!m_progress) {
        m_progress = progress();
        m_rank = tellingRank().value_or(-1);
    }
    if (!m_progress || printed.rank != m_rank)
        return;
    if (const auto value = valueOf(printed, m_progress->counter); value && !m_progress->first)
        m_progress->first = value;
    if (!m_progress->lossAfter)
        m_progress->lossAfter = valueOf(printed, m_progress->loss);
}

std::optional<int> DrillNumbers::tellingRank() const
{
    const auto tells = [](const auto& rank) {
        return std::ranges::any_of(rank.second.counters,
                                   [](const auto& one) { return !one.second.hasRestarted; });
    };
    const auto drilled = m_ranks.find(m_drilledRank);
    if (drilled != m_ranks.end() && tells(*drilled))
        return m_drilledRank;
    const auto found = std::ranges::find_if(m_ranks, tells);
    return found != m_ranks.end() ? std::optional(found->first) : std::nullopt;
}

std::optional<DrillNumbers::Progress> DrillNumbers::progress() const
{
    if (m_progress)
        return m_progress;
    const auto telling = tellingRank();
    if (!telling)
        return std::nullopt;
    const Rank& rank = m_ranks.at(*telling);
    Progress progress;
    int moves = -1;
    for (const auto& [name, counter] : rank.counters) {
        if (counter.hasRestarted || counter.moves <= moves)
            continue;
        moves = counter.moves;
        progress.counter = name;
        progress.reached = counter.last;
    }
    const auto loss = std::ranges::min_element(
        rank.losses, {}, [](const auto& one) { return orderOfLoss(one.first); });
    if (loss != rank.losses.end()) {
        progress.loss = loss->first;
        progress.lossBefore = loss->second;
    }
    return progress;
}

std::optional<double> DrillNumbers::highest(const std::string& name) const
{
    std::optional<double> most;
    for (const auto& [number, rank] : m_ranks) {
        const auto counter = rank.counters.find(name);
        if (counter != rank.counters.end())
            most = std::max(most.value_or(counter->second.highest), counter->second.highest);
    }
    return most;
}

} // namespace ringmaster
