#include "engine/diagnose/VerdictTracker.h"

#include "engine/diagnose/WaitVerdicts.h"
#include "engine/event/VerdictTraits.h"

#include <algorithm>
#include <set>

namespace ringmaster::diagnose {

namespace {

bool isAnother(const Verdict& one, const Verdict& other)
{
    return one.kind != other.kind || one.statement.code != other.statement.code ||
           one.isSure != other.isSure || one.guilty != other.guilty ||
           one.waiting != other.waiting || one.stopped != other.stopped ||
           one.remedy.code != other.remedy.code;
}

/// Figures that go on by themselves don't count.
bool hasOtherEvidence(const Verdict& one, const Verdict& other)
{
    const auto same = [](const Message& a, const Message& b) {
        const auto valueOf = [](const Message& message, const char* name) {
            const auto found = message.parameters.find(name);
            return found == message.parameters.end() ? std::string() : found->second;
        };
        return a.code == b.code &&
               std::ranges::all_of(
                   std::initializer_list<const char*>{"rank", "operation", "number", "file",
                                                      "line"},
                   [&](const char* name) { return valueOf(a, name) == valueOf(b, name); });
    };
    return !std::ranges::equal(one.evidence, other.evidence, same);
}

} // namespace

void VerdictTracker::begin(int attempt)
{
    m_attempt = attempt;
    m_standing.clear();
}

std::vector<Verdict> VerdictTracker::update(const std::vector<VerdictCandidate>& found,
                                            std::int64_t nowNs)
{
    constexpr std::int64_t Second = 1'000'000'000;
    std::vector<Verdict> told;
    std::set<std::string> present;
    for (const VerdictCandidate& now : found) {
        present.insert(now.key);
        const auto known = m_standing.find(now.key);
        if (now.isSaidElsewhere || (known == m_standing.end() && m_standing.size() >= MostStanding))
            continue;
        if (known != m_standing.end()) {
            Entry& entry = known->second;
            const std::int64_t patience = std::max(Second / 4, (nowNs - entry.firstNs) / 2);
            const bool isWorthIt = isAnother(entry.verdict, now.verdict) ||
                                   (nowNs - entry.statedNs >= patience &&
                                    hasOtherEvidence(entry.verdict, now.verdict));
            if (!isWorthIt)
                continue;
        }
        Entry& entry = m_standing[now.key];
        const std::uint64_t id = entry.verdict.id != 0 ? entry.verdict.id : ++m_lastId;
        entry.verdict = now.verdict;
        entry.verdict.id = id;
        entry.verdict.attempt = m_attempt;
        entry.firstNs = entry.firstNs != 0 ? entry.firstNs : nowNs;
        entry.statedNs = nowNs;
        told.push_back(entry.verdict);
    }
    std::erase_if(m_standing, [&](auto& entry) {
        if (present.contains(entry.first))
            return false;
        Verdict verdict = std::move(entry.second.verdict);
        verdict.isStanding = false;
        verdict.statement = overStatement(verdict, nowNs);
        verdict.evidence.clear();
        verdict.remedy = {};
        told.push_back(std::move(verdict));
        return true;
    });
    return told;
}

std::vector<Verdict> VerdictTracker::freeze(const std::vector<VerdictCandidate>& found,
                                            std::int64_t nowNs)
{
    std::vector<Verdict> told = update(found, nowNs);
    for (auto& [key, entry] : m_standing) {
        Verdict& verdict = entry.verdict;
        if (traitsOf(verdict.kind).subject != VerdictTraits::Subject::Wait)
            continue;
        const auto now = std::ranges::find(found, key, &VerdictCandidate::key);
        if (now != found.end() && !now->isSaidElsewhere) {
            verdict.statement = now->verdict.statement;
            verdict.evidence = now->verdict.evidence;
        }
        verdict.statement = frozenAt(std::move(verdict.statement), nowNs);
        for (Message& message : verdict.evidence)
            message = frozenAt(std::move(message), nowNs);
        std::erase_if(told, [&](const Verdict& known) { return known.id == verdict.id; });
        told.push_back(verdict);
    }
    return told;
}

} // namespace ringmaster::diagnose
