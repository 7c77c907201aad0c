#include "engine/cli/HostsOfLostRun.h"

#include "engine/base/Clock.h"
#include "engine/base/Paths.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/job/JobFile.h"
#include "engine/lead/Codes.h"
#include "engine/lead/LinkTimes.h"
#include "engine/record/RunCatalog.h"
#include "engine/rendezvous/Settings.h"

namespace ringmaster {

namespace {

bool mayWork(HostChanged::State state)
{
    switch (state) {
    case HostChanged::State::Connected:
    case HostChanged::State::StandingBy:
    case HostChanged::State::Reconnecting:
    case HostChanged::State::Lost: return true;
    case HostChanged::State::Connecting:
    case HostChanged::State::Gone:
    case HostChanged::State::Finished: break;
    }
    return false;
}

/// Agents end by themselves when no lead has come for so long.
std::chrono::nanoseconds patienceOf(const RunSnapshot& run)
{
    RendezvousSettings settings;
    if (const auto job = parseJobFile(run.started.jobFile))
        (void)applyConfiguration(job->spec.rendezvous.configuration, settings);
    return LinkTimes(settings.nodeTimeout).heldTimeout + settings.leadTimeout;
}

std::optional<RunSnapshot> lastSnapshot(const RunSummary& run)
{
    const auto folder = RunCatalog(runsFolder()).find(run.id);
    const auto reader = folder ? folder->openReader() : tl::unexpected(folder.error());
    auto snapshot = reader ? reader->snapshot() : tl::unexpected(reader.error());
    return snapshot ? std::optional(*std::move(snapshot)) : std::nullopt;
}

} // namespace

std::string HostsAtWork::line() const
{
    std::string names;
    for (const std::string& host : hosts)
        names += (names.empty() ? "" : ", ") + harmless(host);
    return "The lead of " + run + " is gone; " + names + " may still work for it until " +
           timeText(untilNs) + ". `" + takeover() + "` goes on with it.";
}

std::optional<HostsAtWork> hostsAtWork(const RunSnapshot& run)
{
    if (run.state != RunState::Lost)
        return std::nullopt;
    HostsAtWork left{.run = run.run, .untilNs = run.endedAt.wallNs + patienceOf(run).count()};
    if (SystemClock().now().wallNs > left.untilNs)
        return std::nullopt;
    for (const HostSnapshot& host : latestOfEachHost(run))
        if (mayWork(host.state))
            left.hosts.push_back(host.host);
    return left.hosts.empty() ? std::nullopt : std::optional(std::move(left));
}

std::optional<HostsAtWork> hostsAtWork(const RunSummary& run)
{
    const auto snapshot = run.state == RunState::Lost ? lastSnapshot(run) : std::nullopt;
    return snapshot ? hostsAtWork(*snapshot) : std::nullopt;
}

std::string hostsOfLostRuns(const std::vector<RunSummary>& runs)
{
    std::string text;
    for (const RunSummary& run : runs)
        if (const auto left = hostsAtWork(run))
            text += left->line() + "\n";
    return text;
}

std::string hostsLeftOut(const std::vector<RunSummary>& runs)
{
    std::string text;
    for (const RunSummary& run : runs) {
        const auto snapshot = run.isLive && run.isOnHosts ? lastSnapshot(run) : std::nullopt;
        if (!snapshot)
            continue;
        for (const HostSnapshot& host : latestOfEachHost(*snapshot))
            if (host.reason.code == code::HostFailedTooOften)
                text += run.id + ": " + harmless(describe(host.reason)) + "\n";
    }
    return text;
}

} // namespace ringmaster
