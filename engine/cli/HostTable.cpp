#include "engine/cli/HostTable.h"

#include "engine/cli/Text.h"
#include "engine/hosts/Remedy.h"

#include <cmath>

#include <fmt/format.h>

namespace ringmaster {

namespace {

/// Clocks this far apart make times of two hosts hard to compare.
constexpr double WorryingOffset = 1.0;

double inSeconds(std::chrono::nanoseconds time)
{
    return std::chrono::duration<double>(time).count();
}

std::string groupsText(const std::vector<std::string>& texts)
{
    std::string text;
    for (const std::string& each : texts)
        text += (text.empty() ? "" : ",") + each;
    return text;
}

std::string gpuText(const MachineFacts& facts)
{
    if (facts.gpus.empty())
        return "no GPU";
    std::int64_t freeBytes = 0;
    for (const MachineFacts::Gpu& gpu : facts.gpus)
        freeBytes += gpu.totalBytes - gpu.usedBytes;
    return fmt::format("{} x {}, {} free", facts.gpus.size(), facts.gpus.front().name,
                       sizeText(static_cast<std::uint64_t>(std::max<std::int64_t>(freeBytes, 0))));
}

std::string pythonText(const MachineFacts& facts)
{
    if (facts.pythonVersion.empty())
        return facts.interpreter.empty() ? "no Python" : "no Python at " + facts.interpreter;
    std::string text = facts.interpreter + ": Python " + facts.pythonVersion;
    text += facts.torchVersion.empty() ? ", no torch" : ", torch " + facts.torchVersion;
    return facts.ncclVersion.empty() ? text : text + ", NCCL " + facts.ncclVersion;
}

} // namespace

std::string hostTable(const std::vector<Host>& hosts)
{
    std::string text = padded("HOST", 20) + padded("SSH", 24) + padded("WORKERS", 9) + "GROUPS\n";
    for (const Host& host : hosts) {
        text += padded(host.name, 20) + padded(host.sshDestination(), 24) +
                padded(host.slots > 0 ? std::to_string(host.slots) : "any", 9) +
                groupsText(host.groups) + "\n";
    }
    return text;
}

std::string hostProbeText(const ProbedHost& answer, const Terminal& terminal)
{
    const std::string name = padded(answer.host.name, 16);
    if (!answer.facts)
        return terminal.styled(name + "bad   ", Terminal::Style::Red) +
               harmless(describe(answer.facts.error())) + "\n";
    const MachineFacts& facts = *answer.facts;
    const std::string indent(22, ' ');
    const double offset = inSeconds(answer.clockOffset);
    std::string text =
        terminal.styled(name + "ok    ", Terminal::Style::Green) +
        fmt::format("{} processors, load {:.1f}, {} of {} memory free, {}\n", facts.processors,
                    facts.load, sizeText(static_cast<std::uint64_t>(facts.availableBytes)),
                    sizeText(static_cast<std::uint64_t>(facts.memoryBytes)), gpuText(facts));
    text += indent + harmless(pythonText(facts)) + "\n";
    text += indent +
            fmt::format("agent {}{}, answers in {:.1f} ms, clock {:+.4f} s within {:.4f} s",
                        facts.version, answer.wasCopied ? " (copied now)" : "",
                        inSeconds(answer.roundTrip) * 1e3, offset, inSeconds(answer.clockBound)) +
            "\n";
    if (std::abs(offset) > WorryingOffset)
        text += indent +
                terminal.styled("Its clock is wrong: let NTP set it.", Terminal::Style::Yellow) +
                "\n";
    if (!facts.problem.empty() && facts.gpus.empty())
        text += indent + harmless(facts.problem) + "\n";
    return text;
}

Json asJson(const Host& host)
{
    return {{"name", host.name},
            {"ssh", host.sshDestination()},
            {"slots", host.slots},
            {"groups", host.groups},
            {"interpreter", host.interpreter},
            {"code", host.code},
            {"sync", textOf(host.sync)},
            {"exclude", host.exclude},
            {"interface", host.interface},
            {"address", host.address},
            {"environment", host.environment}};
}

Json asJson(const ProbedHost& answer)
{
    Json json{{"host", answer.host.name}, {"isUsable", answer.facts.has_value()}};
    json["problem"] = answer.facts ? Json() : asJson(answer.facts.error());
    if (!answer.facts) {
        json["fix"] = remedyFor(answer.facts.error(), answer.host);
        return json;
    }
    json["connectingNs"] = answer.connecting.count();
    json["roundTripNs"] = answer.roundTrip.count();
    json["clockOffsetNs"] = answer.clockOffset.count();
    json["clockBoundNs"] = answer.clockBound.count();
    json["wasCopied"] = answer.wasCopied;
    json["facts"] = Json::parse(toJson(*answer.facts), nullptr, false);
    return json;
}

} // namespace ringmaster
