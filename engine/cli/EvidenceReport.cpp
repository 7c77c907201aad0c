#include "engine/cli/EvidenceReport.h"

#include "engine/base/Codes.h"
#include "engine/cli/JsonBodies.h"
#include "engine/cli/Text.h"
#include "engine/event/States.h"
#include "engine/text/RankList.h"

#include <utility>

namespace ringmaster {

namespace {

std::string frameText(const StackFrame& frame)
{
    std::string place = frame.file;
    if (frame.line > 0)
        place += ":" + std::to_string(frame.line);
    return "      " + harmless(frame.function) +
           (place.empty() ? "" : " (" + harmless(place) + ")") + "\n";
}

std::string threadsText(const std::vector<ThreadStack>& threads, const std::string& how)
{
    std::string text;
    for (const ThreadStack& thread : threads) {
        text += "  " + (thread.name.empty() ? "A thread" : harmless(thread.name)) + ", " + how +
                (thread.holdsGil ? ", holds the GIL" : "") + "\n";
        for (const StackFrame& frame : thread.frames)
            text += frameText(frame);
        if (thread.leftOut > 0)
            text += "      … and " + counted(static_cast<size_t>(thread.leftOut), "call") +
                    " that are left out\n";
    }
    return text;
}

std::string systemText(const RankEvidence& rank)
{
    std::string text = "  Its process: " + std::string(nameOf(rank.process));
    if (!rank.systemCall.empty())
        text += " in " + harmless(rank.systemCall);
    if (!rank.systemFile.empty())
        text += " on " + harmless(rank.systemFile);
    if (!rank.waitChannel.empty())
        text += " (kernel: " + harmless(rank.waitChannel) + ")";
    return text + ", by /proc\n";
}

std::string foldText(const EvidenceFold& fold, const Terminal& terminal)
{
    const RankEvidence& rank = fold.common;
    std::string text = (fold.ranks.size() == 1 ? "Rank " : "Ranks ") + rankList(fold.ranks) +
                       (rank.pid > 0 ? " (pid " + std::to_string(rank.pid) + ")" : std::string());
    text = terminal.styled(text, Terminal::Style::Bold) + "\n";
    if (rank.operation.code != code::None)
        text += "  " + harmless(describe(rank.operation)) + "\n";
    if (rank.problem.code != code::None)
        text += "  " + harmless(describe(rank.problem)) + "\n";
    text += threadsText(rank.threads, "read by " + std::string(nameOf(rank.source)));
    text += systemText(rank);
    return text + threadsText(rank.nativeThreads, "with C code, read by py-spy");
}

Json bare(Json json)
{
    json.erase("kind");
    return json;
}

} // namespace

std::string evidenceText(const KeptEvidence& kept, const Terminal& terminal)
{
    const Evidence& evidence = kept.evidence;
    std::string text = "Attempt " + std::to_string(evidence.attempt) + ", " +
                       timeText(kept.at.wallNs) + ", taken in " + durationText(evidence.tookNs);
    if (evidence.reason.code != code::None)
        text += ". " + describe(evidence.reason);
    text = harmless(text) + "\n";
    if (evidence.isPart)
        text += "It was too much: a part is left out.\n";
    for (const EvidenceFold& fold : foldsOf(evidence))
        text += "\n" + foldText(fold, terminal);
    return text;
}

Json evidenceJson(const KeptEvidence& kept)
{
    Json json = bare(bodyAsJson(kept.evidence));
    json["at"] = {{"ns", kept.at.wallNs}, {"text", timeText(kept.at.wallNs)}};
    json["folds"] = Json::array();
    for (const EvidenceFold& fold : foldsOf(kept.evidence)) {
        Json common = bare(bodyAsJson(Evidence{.ranks = {fold.common}})["ranks"][0]);
        common.erase("rank");
        common["ranks"] = fold.ranks;
        json["folds"].push_back(std::move(common));
    }
    return json;
}

} // namespace ringmaster
