#include "engine/agent/RestartRule.h"

#include "engine/agent/Codes.h"
#include "engine/text/RankList.h"

#include <algorithm>

namespace ringmaster {

namespace {

std::vector<int> suspects(const std::optional<FirstCause>& cause)
{
    if (!cause)
        return {};
    return cause->globalRank >= 0 ? std::vector<int>{cause->globalRank} : cause->candidates;
}

/// Whose output counts.
std::vector<const WorkerExited*> judged(const std::vector<Failure>& ends,
                                        const std::optional<FirstCause>& cause)
{
    const std::vector<int> ranks = suspects(cause);
    std::vector<const WorkerExited*> failed;
    std::vector<const WorkerExited*> guilty;
    for (const Failure& end : ends) {
        if (end.exit.status.succeeded())
            continue;
        if (!end.exit.endedByAgent)
            failed.push_back(&end.exit);
        if (std::ranges::count(ranks, end.exit.globalRank) > 0)
            guilty.push_back(&end.exit);
    }
    return guilty.empty() ? failed : guilty;
}

} // namespace

// What can't be parsed was refused with the job.
RestartRule::RestartRule(const RestartSpec& spec)
    : m_spec(spec)
    , m_onlyIf(OutputPattern::parse(spec.onlyIf).value_or(OutputPattern()))
    , m_unless(OutputPattern::parse(spec.unless).value_or(OutputPattern()))
{
}

void RestartRule::mark(WorkerExited& exit, const WorkerExitReport& report) const
{
    const auto isIn = [&report](const OutputPattern& pattern) {
        return pattern.isIn(report.stderrTail) || pattern.isIn(report.stdoutTail);
    };
    exit.matchesOnlyIf = isIn(m_onlyIf);
    exit.matchesUnless = isIn(m_unless);
}

std::optional<Message> RestartRule::refusal(const std::vector<Failure>& ends,
                                            const std::optional<FirstCause>& cause) const
{
    const auto failed = judged(ends, cause);
    if (failed.empty())
        return std::nullopt;
    const auto ranksWith = [&failed](bool WorkerExited::*mark) {
        std::vector<int> ranks;
        for (const WorkerExited* exit : failed)
            if (mark == nullptr || exit->*mark)
                ranks.push_back(exit->globalRank);
        return ranks;
    };
    if (const auto ranks = ranksWith(&WorkerExited::matchesUnless);
        !m_unless.isEmpty() && !ranks.empty())
        return Message{
            code::RestartNotWanted, {{"ranks", rankList(ranks)}, {"pattern", m_spec.unless}}, {}};
    if (!m_onlyIf.isEmpty() && ranksWith(&WorkerExited::matchesOnlyIf).empty())
        return Message{code::RestartNotExpected,
                       {{"ranks", rankList(ranksWith(nullptr))}, {"pattern", m_spec.onlyIf}},
                       {}};
    return std::nullopt;
}

} // namespace ringmaster
