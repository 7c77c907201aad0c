#include "engine/agent/FirstCauseFinder.h"

#include "engine/agent/Codes.h"
#include "engine/base/SignalName.h"
#include "engine/text/RankList.h"
#include "engine/worker/Codes.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace ringmaster {
namespace {

std::vector<int> ranksOf(const std::vector<const Failure*>& failures)
{
    std::vector<int> ranks;
    for (const Failure* failure : failures)
        ranks.push_back(failure->exit.globalRank);
    std::ranges::sort(ranks);
    return ranks;
}

/// Ranks, addresses and pids differ between workers that fail for one reason.
std::string withoutNumbers(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isHex = text.substr(i, 2) == "0x";
        if (!isHex && std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
            plain += text[i];
            continue;
        }
        i += isHex ? 2 : 0;
        while (i + 1 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
               (isHex || std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0))
            ++i;
        plain += '#';
    }
    return plain;
}

/// The same key: one fault in the program or its data that every worker meets. Empty: never alike.
std::string likenessOf(const Failure& failure)
{
    const WorkerExited& exit = failure.exit;
    const std::string says = errorLine(failure);
    if (says.empty())
        return {};
    return std::to_string(exit.status.exitCode()) + withoutNumbers(says + "\n" + exit.traceback);
}

Message causeOf(const Failure& failure)
{
    const WorkerExited& exit = failure.exit;
    const std::string rank = std::to_string(exit.globalRank);
    if (exit.explanation.code == code::RankEndedByDrill)
        return exit.explanation;
    if (kindOf(failure) == FailureKind::UserEnded)
        return {.code = code::RankEndedByUser,
                .parameters = {{"rank", rank}, {"signal", signalName(exit.status.signal)}}};
    // Its end was the agent's doing, its failure wasn't.
    if (kindOf(failure) == FailureKind::Interrupted)
        return {.code = failure.line > 0 ? code::WorkerRaisedAt : code::WorkerRaised,
                .parameters = {{"rank", rank},
                               {"type", exit.errorType},
                               {"text", exit.errorText},
                               {"file", failure.file},
                               {"line", std::to_string(failure.line)}}};
    return exit.explanation;
}

/// "[Rank 0]: Ranks 1, 2 failed to pass monitoredBarrier in 5000 ms"
std::vector<int> absentRanksIn(std::string_view text)
{
    std::string_view head = text.substr(0, text.find(" failed to pass monitoredBarrier"));
    const std::size_t start = head.rfind("Rank");
    std::vector<int> ranks;
    if (head.size() == text.size() || start == std::string_view::npos)
        return ranks;
    head.remove_prefix(start);
    for (std::size_t i = 0; i < head.size(); ++i) {
        int rank = 0;
        const auto read = std::from_chars(head.data() + i, head.data() + head.size(), rank);
        if (read.ec != std::errc())
            continue;
        ranks.push_back(rank);
        i = static_cast<std::size_t>(read.ptr - head.data());
    }
    return ranks;
}

std::string milliseconds(std::chrono::nanoseconds time)
{
    return std::to_string(
        std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::milliseconds>(time).count()));
}

} // namespace

FirstCauseFinder::FirstCauseFinder(std::vector<Failure> ends, std::chrono::nanoseconds uncertainty)
    : m_ends(std::move(ends)), m_uncertainty(uncertainty)
{
    std::ranges::stable_sort(m_ends, {}, [](const Failure& end) { return end.at.monotonicNs; });
}

std::optional<FirstCause> FirstCauseFinder::find(int attempt) const
{
    Group independent = ofKind(FailureKind::Independent);
    for (const Failure* ended : ofKind(FailureKind::UserEnded))
        independent.push_back(ended);
    const Group interrupted = ofKind(FailureKind::Interrupted);
    const Group lost = ofKind(FailureKind::PeerLost);
    const Group waited = ofKind(FailureKind::TimedOut);

    FirstCause cause;
    if (!independent.empty()) {
        const Group first = earliest(independent);
        const std::string likeness = likenessOf(*first.front());
        const bool alike = std::ranges::all_of(first, [&](const Failure* failure) {
            return !likeness.empty() && likenessOf(*failure) == likeness;
        });
        cause = first.size() == 1 || alike ? guilty(first) : unsure(first);
    } else if (!interrupted.empty() && !(lost.empty() && waited.empty())) {
        cause = interrupted.size() == 1 ? guilty(interrupted) : unsure(interrupted);
    } else if (const auto absent = absentFromBarrier()) {
        cause = *absent;
    } else if (!lost.empty()) {
        cause = peerElsewhere(lost);
    } else if (!waited.empty()) {
        cause = vainWait(waited);
    } else {
        return std::nullopt;
    }
    cause.attempt = attempt;
    return cause;
}

FirstCauseFinder::Group FirstCauseFinder::ofKind(FailureKind kind) const
{
    Group group;
    for (const Failure& end : m_ends)
        if (kindOf(end) == kind)
            group.push_back(&end);
    return group;
}

bool FirstCauseFinder::isBefore(const Failure& one, const Failure& other) const
{
    // error.json counts whole seconds: two apart are certainly more than one second apart. A
    // process may take long from its exception to its end, so this is stronger than the exit.
    // Zero is a file without the time.
    const std::int64_t raised = one.raisedAt.value_or(0);
    const std::int64_t otherRaised = other.raisedAt.value_or(0);
    const std::int64_t raisedEarlier = raised > 0 && otherRaised > 0 ? otherRaised - raised : 0;
    if (std::abs(raisedEarlier) >= 2)
        return raisedEarlier > 0;
    const std::int64_t exitedEarlier = other.at.monotonicNs - one.at.monotonicNs;
    if (std::abs(exitedEarlier) >= m_uncertainty.count())
        return exitedEarlier > 0;
    return raisedEarlier > 0;
}

FirstCauseFinder::Group FirstCauseFinder::earliest(const Group& independent) const
{
    Group first;
    for (const Failure* one : independent) {
        const bool hasEarlier = std::ranges::any_of(
            independent, [&](const Failure* other) { return isBefore(*other, *one); });
        if (!hasEarlier)
            first.push_back(one);
    }
    return first.empty() ? independent : first;
}

FirstCause FirstCauseFinder::guilty(const Group& alike) const
{
    const Failure& first = *alike.front();
    FirstCause cause{.sure = true,
                     .globalRank = first.exit.globalRank,
                     .consequences = consequences(),
                     .cause = causeOf(first),
                     .remedy = remedyFor(first),
                     .traceback = first.exit.traceback};
    const std::string likeness = likenessOf(first);
    Group same;
    for (const Failure& end : m_ends)
        if (!likeness.empty() && kindOf(end) == kindOf(first) && likenessOf(end) == likeness)
            same.push_back(&end);
    if (same.size() > 1) {
        cause.globalRank = ranksOf(alike).front();
        cause.cause = {
            .code = code::RanksFailedAlike,
            .parameters = {{"ranks", rankList(ranksOf(same))}, {"error", errorLine(first)}}};
    }
    return cause;
}

FirstCause FirstCauseFinder::unsure(const Group& candidates) const
{
    std::string ends;
    for (const Failure* failure : candidates)
        ends += describe(causeOf(*failure)) + "\n";
    return {.candidates = ranksOf(candidates),
            .consequences = consequences(),
            .cause = {.code = code::FirstCauseUnsure,
                      .parameters = {{"ranks", rankList(ranksOf(candidates))},
                                     {"milliseconds", milliseconds(m_uncertainty)}},
                      .detail = ends},
            .remedy = {.code = code::RemedyCompareRanks,
                       .parameters = {{"ranks", rankList(ranksOf(candidates))}}}};
}

FirstCause FirstCauseFinder::peerElsewhere(const Group& lost) const
{
    const Failure& first = *lost.front();
    const std::string ranks = rankList(ranksOf(lost));
    Group early; // Who was seen to end at the same moment may have left before.
    for (const Failure& end : m_ends)
        if (end.exit.status.succeeded() && end.at <= first.at)
            early.push_back(&end);
    if (!early.empty())
        return {.candidates = ranksOf(early),
                .consequences = ranksOf(lost),
                .cause = {.code = code::PeerLeftEarly,
                          .parameters = {{"ranks", ranks}, {"left", rankList(ranksOf(early))}}},
                .remedy = {.code = code::RemedyEqualSteps},
                .traceback = first.exit.traceback};
    return {.candidates = ranksOf(lost),
            .cause = {.code = code::PeerLostUnexplained,
                      .parameters = {{"ranks", ranks}, {"error", errorLine(first)}}},
            .remedy = {.code = code::RemedyLookAtOtherNodes},
            .traceback = first.exit.traceback};
}

FirstCause FirstCauseFinder::vainWait(const Group& waited) const
{
    Group busy;
    for (const Failure& end : m_ends)
        if (end.exit.endedByAgent && kindOf(end) == FailureKind::None)
            busy.push_back(&end);
    const Failure& first = *waited.front();
    FirstCause cause{.cause = {.code = code::WaitedInVain,
                               .parameters = {{"ranks", rankList(ranksOf(waited))},
                                              {"error", errorLine(first)}}},
                     .remedy = {.code = code::RemedyVainWait},
                     .traceback = first.exit.traceback};
    cause.candidates = ranksOf(busy.empty() ? waited : busy);
    if (!busy.empty()) {
        cause.consequences = ranksOf(waited);
        cause.cause.code = code::WaitedForBusyRanks;
        cause.cause.parameters["busy"] = rankList(ranksOf(busy));
    }
    return cause;
}

std::optional<FirstCause> FirstCauseFinder::absentFromBarrier() const
{
    for (const Failure& end : m_ends) {
        const std::vector<int> absent = absentRanksIn(end.exit.errorText);
        if (absent.empty())
            continue;
        const std::string error = errorLine(end);
        // Not sure: where an absent rank was instead isn't known here.
        return FirstCause{.candidates = absent,
                          .consequences = consequences(),
                          .cause = {.code = code::AbsentFromBarrier,
                                    .parameters = {{"absent", rankList(absent)},
                                                   {"rank", std::to_string(end.exit.globalRank)},
                                                   {"error", error.substr(0, error.find('\n'))}}},
                          .remedy = {.code = code::RemedyVainWait},
                          .traceback = end.exit.traceback};
    }
    return std::nullopt;
}

std::vector<int> FirstCauseFinder::consequences() const
{
    Group group = ofKind(FailureKind::PeerLost);
    for (const Failure* failure : ofKind(FailureKind::TimedOut))
        group.push_back(failure);
    return ranksOf(group);
}

} // namespace ringmaster
