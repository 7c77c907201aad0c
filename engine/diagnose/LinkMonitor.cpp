#include "engine/diagnose/LinkMonitor.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/ranges.h>

namespace ringmaster::diagnose {

namespace {

/// "1.42", of bytes a second; of a slow one "0.0123".
std::string gigabytes(double bandwidth)
{
    return fmt::format("{:.{}f}", bandwidth / 1e9, bandwidth < 1e8 ? 4 : 2);
}

/// The smallest duration over the members; 0: not all have told theirs.
std::int64_t transferNs(const std::vector<const RankView*>& members, const GroupKey& group,
                        std::uint64_t number, const Operation*& any)
{
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (const RankView* view : members) {
        any = view->track->find(group, number);
        if (any == nullptr || any->outcome != Operation::Outcome::Done || any->endedNs == 0)
            return 0;
        const std::int64_t from = any->startedNs != 0 ? any->startedNs : any->enqueuedNs;
        shortest = std::min(shortest, any->endedNs - from);
    }
    return std::max<std::int64_t>(shortest, 0);
}

std::string hostOf(const RankView& view)
{
    return view.machine.empty() ? "localhost" : view.machine;
}

/// By name, sorted; empty: this machine alone.
std::vector<std::string> hostsOf(const std::vector<const RankView*>& members)
{
    std::set<std::string> hosts;
    for (const RankView* view : members)
        hosts.insert(hostOf(*view));
    if (hosts == std::set<std::string>{"localhost"})
        return {};
    return {hosts.begin(), hosts.end()};
}

/// Of a group on several hosts each pair must be promised something, and each host have as many of
/// the ranks; its slowest pair is what all of them can reach.
std::optional<WireExpectation> expectedOf(const std::vector<WirePromise>& promises,
                                          const Operation& call,
                                          const std::vector<const RankView*>& members,
                                          const std::vector<std::string>& hosts)
{
    const auto size = static_cast<int>(members.size());
    if (hosts.empty())
        return promisedBandwidth(promises, call, size);
    const auto many = static_cast<std::ptrdiff_t>(members.size() / hosts.size());
    const bool isEven = std::ranges::all_of(hosts, [&](const std::string& host) {
        return std::ranges::count(members, host,
                                  [](const RankView* view) { return hostOf(*view); }) == many;
    });
    std::optional<WireExpectation> slowest;
    for (size_t i = 0; isEven && i < hosts.size(); ++i) {
        for (size_t j = i + 1; j < hosts.size(); ++j) {
            const auto pair =
                promisedBandwidth(promises, call, static_cast<int>(2 * many), {hosts[i], hosts[j]});
            if (!pair)
                return std::nullopt;
            if (!slowest || pair->busBandwidth < slowest->busBandwidth)
                slowest = pair;
        }
    }
    return slowest;
}

} // namespace

std::optional<WireExpectation> promisedBandwidth(const std::vector<WirePromise>& promises,
                                                 const Operation& operation, int ranks,
                                                 const std::vector<std::string>& hosts)
{
    const std::uint64_t bytes = operation.bytes;
    const WirePromise* below = nullptr;
    const WirePromise* above = nullptr;
    for (const WirePromise& promise : promises) {
        if (promise.backend != operation.backend || promise.backend == ledger::Backend::Unknown ||
            promise.backend == ledger::Backend::Other || promise.kind != operation.kind ||
            promise.ranks != ranks || promise.hosts != hosts || promise.busBandwidth <= 0 ||
            promise.bytes == 0)
            continue;
        if (promise.bytes <= bytes && (below == nullptr || promise.bytes > below->bytes))
            below = &promise;
        if (promise.bytes >= bytes && (above == nullptr || promise.bytes < above->bytes))
            above = &promise;
    }
    // What is larger no longer fits into a cache; a network doesn't mind.
    if (above == nullptr && !hosts.empty())
        above = below;
    if (below == nullptr || above == nullptr)
        return std::nullopt;
    if (below->bytes == above->bytes)
        return WireExpectation{below->busBandwidth, below->run};
    const double part =
        std::log(static_cast<double>(bytes) / static_cast<double>(below->bytes)) /
        std::log(static_cast<double>(above->bytes) / static_cast<double>(below->bytes));
    return WireExpectation{below->busBandwidth + part * (above->busBandwidth - below->busBandwidth),
                           below->run};
}

void LinkMonitor::follow(GroupHistory& history, const GroupKey& group,
                         const std::vector<const RankView*>& members,
                         const std::vector<WirePromise>& promises) const
{
    std::uint64_t reached = std::numeric_limits<std::uint64_t>::max();
    for (const RankView* view : members)
        reached = std::min(reached, view->track->entered(group));
    if (reached > RankTrack::Remembered)
        history.looked = std::max(history.looked, reached - RankTrack::Remembered);
    const auto size = static_cast<int>(members.size());
    history.hosts = hostsOf(members);
    for (std::uint64_t number = history.looked + 1; number <= reached; ++number) {
        const Operation* call = nullptr;
        const std::int64_t ns = transferNs(members, group, number, call);
        if (call != nullptr && call->outcome == Operation::Outcome::Running)
            return;
        history.looked = number;
        if (ns == 0 || call == nullptr || call->bytes < m_limits.bytes ||
            !ledger::isSynchronising(call->kind))
            continue;
        const auto promised = expectedOf(promises, *call, members, history.hosts);
        if (!promised)
            continue;
        const double bandwidth = static_cast<double>(call->bytes) * 1e9 / static_cast<double>(ns) *
                                 ledger::busFactor(call->kind, size);
        history.transfers.push_back({.share = bandwidth / promised->busBandwidth,
                                     .busBandwidth = bandwidth,
                                     .tookNs = ns,
                                     .endedNs = members[0]->here(call->endedNs),
                                     .calibration = promised->run,
                                     .operation = *call});
        if (history.transfers.size() > m_limits.window)
            history.transfers.pop_front();
    }
}

void LinkMonitor::judge(const GroupHistory& history, const GroupKey& group,
                        std::vector<VerdictCandidate>& found) const
{
    if (history.transfers.size() < m_limits.operations ||
        history.transfers.back().endedNs - history.transfers.front().endedNs <
            m_limits.span.count())
        return;
    std::vector<const Transfer*> transfers;
    for (const Transfer& transfer : history.transfers)
        transfers.push_back(&transfer);
    const auto quick = transfers.begin() + static_cast<std::ptrdiff_t>(transfers.size() / 10);
    std::ranges::nth_element(transfers, quick, std::greater(), &Transfer::share);
    const Transfer& best = **quick;
    if (best.share < (history.hosts.size() > 2 ? m_limits.shareOfMany : m_limits.share))
        found.push_back({"wire/" + group.name + "/" + rankList(group.members),
                         verdictOf(history, group, best)});
}

Verdict LinkMonitor::verdictOf(const GroupHistory& history, const GroupKey& group,
                               const Transfer& best)
{
    const std::vector<std::string>& hosts = history.hosts;
    Parameters parameters = namesOf(best.operation, group);
    Parameters evidence = parameters;
    parameters["ranks"] = rankList(group.members);
    parameters["rate"] = gigabytes(best.busBandwidth);
    parameters["percent"] = std::to_string(static_cast<int>(best.share * 100));
    parameters["ceiling"] = gigabytes(best.busBandwidth / best.share);
    evidence["what"] = dataText(best.operation);
    evidence["count"] = std::to_string(history.transfers.size());
    evidence["took"] = fmt::format("{:.1f}", static_cast<double>(best.tookNs) / 1e6);
    evidence["promised"] =
        fmt::format("{:.1f}", static_cast<double>(best.tookNs) * best.share / 1e6);
    evidence["run"] = best.calibration;
    Verdict verdict{.kind = Verdict::Kind::SlowWire,
                    // Of a pair it is this wire; of more, one of theirs.
                    .isSure = hosts.empty() ? group.members.size() == 2 : hosts.size() == 2,
                    .statement = {code::SlowWire, std::move(parameters), {}},
                    .evidence = {{code::SlowWireTimes, std::move(evidence), {}}},
                    .remedy = {code::RemedySlowWire, {}, {}}};
    if (hosts.size() == 2) {
        verdict.statement.code = code::SlowWireOfHosts;
        verdict.remedy.code = code::RemedySlowWireOfHosts;
        for (Parameters* those : {&verdict.statement.parameters, &verdict.remedy.parameters}) {
            (*those)["host"] = hosts[0];
            (*those)["other"] = hosts[1];
        }
    } else if (!hosts.empty()) {
        verdict.statement.code = code::SlowWireAmongHosts;
        verdict.remedy.code = code::RemedySlowWireAmongHosts;
        for (Parameters* those : {&verdict.statement.parameters, &verdict.remedy.parameters})
            (*those)["hosts"] = fmt::format("{}", fmt::join(hosts, ","));
    }
    return verdict;
}

std::vector<VerdictCandidate> LinkMonitor::look(const std::vector<RankView>& ranks,
                                                const std::vector<WirePromise>& promises)
{
    std::vector<VerdictCandidate> found;
    if (promises.empty())
        return found;
    for (const auto& [group, members] : wholeGroups(ranks)) {
        GroupHistory& history = m_groups[group];
        follow(history, group, members, promises);
        judge(history, group, found);
    }
    return found;
}

} // namespace ringmaster::diagnose
