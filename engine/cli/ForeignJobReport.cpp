#include "engine/cli/ForeignJobReport.h"

#include "engine/attach/Codes.h"
#include "engine/attach/JobFindings.h"
#include "engine/attach/SeenEvidence.h"
#include "engine/attach/StackComparison.h"
#include "engine/attach/StackPlace.h"
#include "engine/base/Clock.h"
#include "engine/base/Codes.h"
#include "engine/cli/EvidenceReport.h"
#include "engine/cli/Text.h"
#include "engine/event/VerdictTraits.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

namespace ringmaster {

namespace {

std::string shownState(const ForeignRank& rank, const diagnose::ProcessView& process)
{
    switch (process.state) {
    case diagnose::ProcessView::State::Dead: return "ended";
    case diagnose::ProcessView::State::Stopped: return "stopped";
    case diagnose::ProcessView::State::Unknown:
    case diagnose::ProcessView::State::Alive: break;
    }
    return rank.isLoading ? "loading" : "runs";
}

const SeenRank* seenRank(const SeenJob& seen, int rank)
{
    const auto found = std::ranges::find_if(
        seen.ranks, [rank](const SeenRank& known) { return known.view.rank == rank; });
    return found == seen.ranks.end() ? nullptr : &*found;
}

/// "0: 12.3 GiB, 75 % busy"
std::string devicesText(const std::vector<HeldDevice>& devices)
{
    std::string text;
    for (const HeldDevice& device : devices) {
        text += (text.empty() ? "" : "; ") + std::to_string(device.index) + ": ";
        text += device.usedBytes < 0 ? "?" : sizeText(static_cast<std::uint64_t>(device.usedBytes));
        if (device.utilisation)
            text += fmt::format(", {:.0f} % busy", *device.utilisation * 100);
    }
    return text.empty() ? "–" : text;
}

/// Columns of the terminal; 0: no rank holds a GPU's memory.
size_t devicesWidth(const SeenJob& seen)
{
    constexpr size_t Between = 2;
    size_t width = 0;
    for (const SeenRank& rank : seen.ranks)
        if (!rank.devices.empty())
            width = std::max(width, devicesText(rank.devices).size() + Between);
    return width;
}

Json devicesJson(const std::vector<HeldDevice>& devices)
{
    Json list = Json::array();
    for (const HeldDevice& device : devices)
        list.push_back({{"gpu", device.index},
                        {"usedBytes", device.usedBytes < 0 ? Json() : Json(device.usedBytes)},
                        {"utilisation", device.utilisation ? Json(*device.utilisation) : Json()}});
    return list;
}

std::string rankLine(const ForeignRank& rank, const SeenRank& seen, size_t devices)
{
    const diagnose::ProcessView& process = seen.view.process;
    return padded("  " + std::to_string(rank.rank), 8) +
           padded(std::to_string(rank.process.pid), 9) + padded(shownState(rank, process), 9) +
           padded(fmt::format("{:.0f} %", process.cpuShare * 100), 7) +
           padded(sizeText(static_cast<std::uint64_t>(std::max<std::int64_t>(seen.memoryBytes, 0))),
                  11) +
           (devices > 0 ? padded(devicesText(seen.devices), devices) : "") +
           harmless(process.stack ? placeIn(*process.stack) : "?") +
           (seen.isRecorded ? "  (" + harmless(describe(seen.operation)) + ")" : "") + "\n";
}

std::string judgementText(const SeenJob& seen, const Terminal& terminal)
{
    constexpr size_t MostJudgements = 5;
    std::string text;
    const auto add = [&](const Message& message) {
        Message line = message;
        line.detail.clear(); // stacks have an option of their own
        text += "  " + harmless(describe(line)) + "\n";
    };
    const std::vector<JobJudgement> judgements = judgementsOf(seen);
    for (const JobJudgement& judgement :
         std::span(judgements).first(std::min(judgements.size(), MostJudgements))) {
        const auto style =
            judgement.isAnybodyNamed ? Terminal::Style::Yellow : Terminal::Style::Bold;
        text += terminal.styled(harmless(describe(judgement.statement)), style) + "\n";
        for (const Message& message : judgement.evidence)
            add(message);
        if (judgement.remedy.code != code::None)
            add(judgement.remedy);
    }
    return text;
}

Json verdictJson(const Verdict& verdict)
{
    Json evidence = Json::array();
    for (const Message& message : verdict.evidence)
        evidence.push_back(asJson(message));
    return {{"verdict", traitsOf(verdict.kind).name},
            {"isSure", verdict.isSure},
            {"guilty", verdict.guilty},
            {"waiting", verdict.waiting},
            {"statement", asJson(verdict.statement)},
            {"evidence", std::move(evidence)},
            {"remedy", asJson(verdict.remedy)}};
}

std::map<std::string, std::vector<int>> outputsOf(const ForeignJob& job)
{
    std::map<std::string, std::vector<int>> outputs;
    for (const ForeignRank& rank : job.ranks)
        if (!rank.output.empty())
            outputs[rank.output].push_back(rank.rank);
    return outputs;
}

} // namespace

std::string foreignJobLine(const ForeignJob& job, const Terminal& terminal)
{
    std::string line = terminal.styled(harmless(job.name), Terminal::Style::Bold) + "  " +
                       std::string(nameOf(job.launcher));
    if (job.started.pid > 0)
        line += " (pid " + std::to_string(job.started.pid) + ")";
    line += ", " + counted(job.ranks.size(), "rank");
    if (!job.user.empty())
        line += " of " + harmless(job.user);
    if (job.startedNs > 0)
        line += ", for " + durationText(SystemClock().now().wallNs - job.startedNs);
    if (job.restarts > 0)
        line += ", " + counted(static_cast<size_t>(job.restarts), "restart");
    if (!job.store.empty())
        line += ", store " + harmless(job.store);
    return line + "\n";
}

std::string foreignJobText(const ForeignJob& job, const SeenJob& seen, const Terminal& terminal)
{
    std::string text = foreignJobLine(job, terminal);
    text += judgementText(seen, terminal);
    for (const Message& remark : remarksOn(job))
        text += harmless(describe(remark)) + "\n";
    const size_t devices = devicesWidth(seen);
    text += "\n" +
            terminal.styled("  RANK  PID      STATE    CPU    MEMORY     " +
                                (devices > 0 ? padded("GPU", devices) : "") + "STANDS IN",
                            Terminal::Style::Dim) +
            "\n";
    for (const ForeignRank& rank : job.ranks)
        if (const SeenRank* known = seenRank(seen, rank.rank))
            text += rankLine(rank, *known, devices);
    for (const auto& [file, ranks] : outputsOf(job))
        text += "  Output of " + std::string(ranks.size() == 1 ? "rank " : "ranks ") +
                rankList(ranks) + ": " + harmless(file) + "\n";
    return text + terminal.styled(describe(seen.source()), Terminal::Style::Dim) + "\n";
}

Json foreignJobJson(const ForeignJob& job)
{
    Json ranks = Json::array();
    for (const ForeignRank& rank : job.ranks)
        ranks.push_back({{"rank", rank.rank},
                         {"pid", rank.process.pid},
                         {"command", rank.command},
                         {"output", rank.output},
                         {"isLoading", rank.isLoading}});
    return {{"name", job.name},
            {"launcher", nameOf(job.launcher)},
            {"pid", job.started.pid > 0 ? Json(job.started.pid) : Json()},
            {"user", job.user},
            {"store", job.store},
            {"worldSize", job.worldSize > 0 ? Json(job.worldSize) : Json()},
            {"restarts", job.restarts},
            {"areRanksKnown", job.areRanksKnown},
            {"startedNs", job.startedNs},
            {"ranks", std::move(ranks)}};
}

Json foreignJobJson(const ForeignJob& job, const SeenJob& seen)
{
    const StackComparison comparison = compareStacks(seen);
    Json json = foreignJobJson(job);
    for (Json& rank : json["ranks"]) {
        const SeenRank* known = seenRank(seen, rank["rank"].get<int>());
        if (known == nullptr)
            continue;
        const diagnose::ProcessView& process = known->view.process;
        rank["cpuShare"] = process.cpuShare;
        rank["residentBytes"] = known->memoryBytes;
        rank["gpus"] = devicesJson(known->devices);
        rank["operation"] = process.stack ? operationIn(*process.stack) : "";
        rank["hasMoved"] = known->hasMoved;
        rank["isRecorded"] = known->isRecorded;
    }
    json["odd"] = comparison.odd;
    json["others"] = comparison.others;
    json["operation"] = comparison.operation;
    json["statement"] = asJson(comparison.statement);
    json["evidence"] = Json::array();
    for (const Message& message : comparison.evidence)
        json["evidence"].push_back(asJson(message));
    json["verdicts"] = Json::array();
    for (const Verdict& verdict : seen.verdicts)
        json["verdicts"].push_back(verdictJson(verdict));
    json["stacks"] = evidenceJson(evidenceOf(seen));
    return json;
}

} // namespace ringmaster
