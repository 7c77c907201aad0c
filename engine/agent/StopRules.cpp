#include "engine/agent/StopRules.h"

#include "engine/agent/Codes.h"
#include "engine/event/VerdictTraits.h"
#include "engine/text/Duration.h"

#include <utility>

namespace ringmaster {

StopRules::StopRules(const JobSpec& spec) : m_longestRun(spec.longestRun)
{
    using Kind = Verdict::Kind;
    for (const Kind kind :
         {Kind::Waiting, Kind::SlowWire, Kind::Straggler, Kind::Hang, Kind::Mismatch}) {
        const auto rule = spec.stopOn.find(std::string(traitsOf(kind).name));
        if (rule == spec.stopOn.end())
            continue;
        const auto limit = parseDuration(rule->second);
        if (limit && limit->count() > 0)
            m_limits[kind] = *limit;
    }
}

void StopRules::begin(std::int64_t nowNs, std::chrono::nanoseconds ago)
{
    m_startedNs = nowNs - ago.count();
}

void StopRules::happened(const EventBody& body, std::int64_t nowNs)
{
    if (const auto* verdict = std::get_if<Verdict>(&body))
        stated(*verdict, nowNs);
    else if (const auto* started = std::get_if<AttemptStarted>(&body))
        forgetBefore(started->attempt);
    else if (const auto* restart = std::get_if<GroupRestarting>(&body))
        forgetBefore(restart->attempt + 1);
}

void StopRules::stated(const Verdict& verdict, std::int64_t nowNs)
{
    if (!verdict.isStanding || !m_limits.contains(verdict.kind)) {
        m_standing.erase(verdict.id);
        return;
    }
    const auto known = m_standing.find(verdict.id);
    const bool isSame = known != m_standing.end() && known->second.kind == verdict.kind;
    m_standing[verdict.id] = {verdict.kind, verdict.attempt,
                              isSame ? known->second.sinceNs : nowNs};
}

void StopRules::forgetBefore(int attempt)
{
    std::erase_if(m_standing, [attempt](const auto& one) { return one.second.attempt < attempt; });
}

std::optional<Message> StopRules::due(std::int64_t nowNs)
{
    if (m_hasActed)
        return std::nullopt;
    std::optional<Message> found = stoodTooLong(nowNs);
    const bool isOver = m_longestRun.count() > 0 && m_startedNs &&
                        std::chrono::nanoseconds(nowNs - *m_startedNs) >= m_longestRun;
    if (!found && isOver)
        found = Message{code::LongestRunOver, {{"time", durationText(m_longestRun)}}, {}};
    m_hasActed = found.has_value();
    return found;
}

std::optional<Message> StopRules::stoodTooLong(std::int64_t nowNs) const
{
    for (const auto& [id, standing] : m_standing) {
        const auto limit = m_limits.at(standing.kind);
        if (std::chrono::nanoseconds(nowNs - standing.sinceNs) < limit)
            continue;
        return Message{
            code::VerdictStoodTooLong,
            {{"kind", std::string(traitsOf(standing.kind).name)}, {"time", durationText(limit)}},
            {}};
    }
    return std::nullopt;
}

} // namespace ringmaster
