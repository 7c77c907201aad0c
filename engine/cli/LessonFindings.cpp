#include "engine/cli/LessonFindings.h"

#include "engine/cli/Terminal.h"
#include "engine/diagnose/WaitVerdicts.h"
#include "engine/event/VerdictTraits.h"
#include "engine/text/RankList.h"

#include <fmt/format.h>

namespace ringmaster {

namespace {

std::string waitText(const lesson::Wait& wait)
{
    std::string on;
    for (const int rank : wait.on)
        on += (on.empty() ? "" : wait.isAny ? " or " : ", ") + std::to_string(rank);
    return fmt::format("  rank {} waits in {} at {}:{}{}\n", wait.rank, wait.call.operation,
                       wait.at.file, wait.at.line, on.empty() ? "" : " for rank " + on);
}

std::string callText(const LessonCall& call)
{
    std::string text = call.operation;
    if (call.operation == "new_group")
        text += " of " + rankList(call.members);
    if (!call.reduction.empty())
        text += " " + call.reduction;
    if (call.peer >= 0)
        text += " (rank " + std::to_string(call.peer) + ")";
    const auto& values = call.inputs.empty() ? call.outputs : call.inputs;
    if (!values.empty() && !values.front().type.empty())
        text += fmt::format(" ({}, {} bytes)", values.front().type, values.front().bytes);
    return text;
}

/// What nobody but the program itself can know: a call of which torch has told nobody, or that it
/// never made.
std::string mistakesOf(const lesson::State& end)
{
    std::string text;
    for (const lesson::OutsiderCall& outsider : end.calls().outsiders())
        text +=
            fmt::format("Rank {} calls {} at {}:{} of a group that it isn't a member of: torch "
                        "warns and does nothing.\n",
                        outsider.rank, outsider.call.operation, outsider.at.file, outsider.at.line);
    for (const lesson::Collective& group : end.calls().skippedGroups()) {
        const auto& [rank, part] = *group.parts.begin();
        text +=
            (fmt::format("The new_group that rank {} called at {}:{} was never called by {}: every "
                         "rank must make every group, in the same order.\n",
                         rank, part.at.file, part.at.line, rankWords(group.missing())));
    }
    for (const lesson::PeerMessage& message : end.calls().otherSizes())
        text += fmt::format("Rank {} sends {} bytes to rank {} at {}:{}, which receives {} at "
                            "{}:{}.\n",
                            message.from, message.data.bytes, message.to, message.sentAt.file,
                            message.sentAt.line, message.room.bytes, message.receivedAt.file,
                            message.receivedAt.line);
    if (const auto& ring = end.wholeTensorRing(); ring && ring->isWrong)
        text +=
            (fmt::format("The ring at {}:{}: each rank passes on the sum that it has made instead "
                         "of what it received, so inputs count more than once and the result is "
                         "wrong.\n",
                         ring->sentAt.file, ring->sentAt.line));
    else if (ring)
        text += fmt::format("The ring at {}:{} passes whole tensors round: the sum is right, but "
                            "each rank sends {} bytes; in {} chunks it would send {}.\n",
                            ring->sentAt.file, ring->sentAt.line, ring->bytes, ring->ranks,
                            ring->chunkedBytes);
    for (const lesson::BrokenWait& broken : end.brokenWaits())
        if (!broken.gone.empty())
            text +=
                (fmt::format("Rank {} waited in {} at {}:{} for {}, which had ended or left its "
                             "process group without it.\n",
                             broken.wait.rank, broken.wait.call.operation, broken.wait.at.file,
                             broken.wait.at.line, rankWords(broken.gone)));
    return text;
}

} // namespace

std::string rankWords(const std::vector<int>& ranks)
{
    return (ranks.size() == 1 ? "rank " : "ranks ") + rankList(ranks);
}

std::string judgementsOf(const lesson::Recording& recording)
{
    std::string text;
    for (const auto& [verdict, step] : recording.judgements()) {
        const bool isError = traitsOf(verdict.kind).severity == Notice::Severity::Error;
        const bool saysMore = verdict.isStanding && !diagnose::isMereWait(verdict);
        if (diagnose::isOver(verdict) || (!isError && !saysMore))
            continue;
        text += describe(verdict.statement) + "\n";
        if (verdict.remedy.code != code::None)
            text += "  " + describe(verdict.remedy) + "\n";
    }
    return text;
}

std::string findingsOf(const lesson::State& end)
{
    std::string text = mistakesOf(end);
    for (const lesson::Hazard& hazard : end.hazards())
        text += fmt::format("Rank {}: {} was {} at {}:{}, before the wait() for {} of line {}.\n",
                            hazard.rank, hazard.tensor, hazard.isWrite ? "written" : "read",
                            hazard.touchedAt.file, hazard.touchedAt.line, hazard.call.operation,
                            hazard.startedAt.line);
    for (const lesson::Collective& collective : end.calls().disagreements()) {
        const std::string what = collective.disagreement();
        text +=
            (what == "members"
                 ? std::string("The ranks don't make the same groups in the same order:\n")
                 : fmt::format("The ranks of group {} don't agree about the {} of collective {}:\n",
                               collective.group, what, collective.number));
        for (const auto& [rank, part] : collective.parts)
            text += fmt::format("  rank {} calls {} at {}:{}\n", rank, callText(part.call),
                                part.at.file, part.at.line);
    }
    if (const auto& deadlock = end.deadlock()) {
        text += "A deadlock: these ranks can never go on.\n";
        for (const lesson::Wait& wait : deadlock->waits)
            text += waitText(wait);
    }
    for (int rank = 0; rank < end.rankCount(); ++rank)
        if (!end.rank(rank).error.empty())
            text += fmt::format("Rank {}, {}:{}: {}\n", rank, end.rank(rank).file,
                                end.rank(rank).line, harmless(end.rank(rank).error));
    return text;
}

} // namespace ringmaster
