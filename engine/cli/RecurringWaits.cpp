#include "engine/cli/RecurringWaits.h"

#include "engine/cli/Text.h"
#include "engine/text/RankList.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr int ToldWhole = 2;
constexpr std::int64_t ShortestLimitNs = 10'000'000'000;
/// A program makes no end of groups; who waits in a new one is told whole.
constexpr std::size_t MostShapes = 256;

} // namespace

/// Numbers and ages change from one to the next.
std::optional<std::string> RecurringWaits::shapeOf(const Verdict& verdict)
{
    const Parameters& said = verdict.statement.parameters;
    const auto operation = said.find("operation");
    const auto group = said.find("group");
    if (verdict.kind != Verdict::Kind::Waiting || verdict.sinceNs == 0 || operation == said.end() ||
        group == said.end())
        return std::nullopt;
    return operation->second + "/" + group->second + "/" + rankList(verdict.guilty);
}

std::int64_t RecurringWaits::limitNs(const Known& known)
{
    return std::max(2 * known.longestNs, ShortestLimitNs);
}

RecurringWaits::Telling RecurringWaits::stated(const Verdict& verdict, std::int64_t nowNs)
{
    const std::optional<std::string> shape = shapeOf(verdict);
    if (!shape) {
        m_standing.erase(verdict.id);
        return Telling::Whole;
    }
    const auto known = m_known.find(*shape);
    const bool isKnown = known != m_known.end() && known->second.times >= ToldWhole &&
                         nowNs - verdict.sinceNs <= limitNs(known->second);
    const auto before = m_standing.find(verdict.id);
    Telling telling = Telling::Whole;
    // Others may be waited for than at first: another wait.
    if (isKnown && before != m_standing.end() && before->second.shape == *shape)
        telling = before->second.telling;
    else if (isKnown)
        telling = known->second.times == ToldWhole ? Telling::Short : Telling::Nothing;
    m_standing[verdict.id] = {*shape, verdict.sinceNs, telling};
    return telling;
}

bool RecurringWaits::ended(const Verdict& verdict, std::int64_t nowNs)
{
    const auto standing = m_standing.find(verdict.id);
    if (standing == m_standing.end())
        return true;
    const Standing wait = standing->second;
    m_standing.erase(standing);
    if (m_known.contains(wait.shape) || m_known.size() < MostShapes) {
        Known& known = m_known[wait.shape];
        ++known.times;
        known.longestNs = std::max(known.longestNs, nowNs - wait.sinceNs);
    }
    return wait.telling != Telling::Nothing;
}

std::string RecurringWaits::expectation(const Verdict& verdict) const
{
    const auto known = m_known.find(shapeOf(verdict).value_or(""));
    if (known == m_known.end())
        return {};
    return "It has happened " + std::to_string(known->second.times) + " times before, for up to " +
           durationText(known->second.longestNs) + "; from now on it is told where it takes " +
           durationText(limitNs(known->second)) + ".";
}

void RecurringWaits::begin()
{
    m_known.clear();
    m_standing.clear();
}

} // namespace ringmaster
