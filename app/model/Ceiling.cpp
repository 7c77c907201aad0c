#include "app/model/Ceiling.h"

#include "app/bridge/Words.h"
#include "engine/ledger/OperationNames.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace ringmaster::app {

namespace {

struct CeilingWords
{
    Q_DECLARE_TR_FUNCTIONS(CeilingWords)
};

/// "all_gather_into_tensor" is measured as all_gather.
std::string measuredAs(ledger::OperationKind kind)
{
    const std::string_view name = ledger::nameOf(kind);
    for (const char* family : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"}) {
        if (name.starts_with(family))
            return family;
    }
    return std::string(name);
}

} // namespace

std::optional<Ceiling> ceilingOf(const std::vector<Calibration>& calibrations,
                                 const std::string& backend, const std::string& collective,
                                 int ranks, std::int64_t bytes,
                                 const std::vector<std::string>& hosts)
{
    const Calibration* best = nullptr;
    for (const Calibration& calibration : calibrations) {
        const bool isThere =
            hosts.empty() ? calibration.hosts.size() == 1 : calibration.hosts == hosts;
        const bool fits = calibration.backend == backend && isThere;
        if (fits && (best == nullptr || (best->ranks != ranks && calibration.ranks == ranks)))
            best = &calibration;
    }
    const auto reached = best == nullptr ? std::nullopt : best->ceiling(collective, bytes);
    if (!reached)
        return std::nullopt;
    if (best->isOfPair())
        return Ceiling{CeilingWords::tr("%1 calibrated between %2 and %3 with %4")
                           .arg(QString::fromStdString(backend), QString::fromStdString(hosts[0]),
                                QString::fromStdString(hosts[1]), ranksCountText(best->ranks)),
                       *reached, backend};
    return Ceiling{CeilingWords::tr("%1 calibrated with %2")
                       .arg(QString::fromStdString(backend), ranksCountText(best->ranks)),
                   *reached, backend};
}

std::vector<std::string> hostsOf(const RunSnapshot& run, const std::vector<int>& ranks)
{
    std::set<std::string> hosts;
    for (const WorkerSnapshot& worker : run.workers) {
        const bool isMeant =
            ranks.empty() || std::ranges::count(ranks, worker.assignment.globalRank) > 0;
        const auto host = std::ranges::find(run.hosts, worker.agent, &HostSnapshot::agent);
        if (isMeant && host != run.hosts.end())
            hosts.insert(host->host);
    }
    if (hosts == std::set<std::string>{"localhost"})
        return {};
    return {hosts.begin(), hosts.end()};
}

std::optional<Ceiling> ceilingOf(const std::vector<Calibration>& calibrations,
                                 const OperationSummary& summary, const RunSnapshot& run,
                                 const std::string& backend)
{
    const auto heaviest = std::ranges::find_if(
        summary.rows, [](const diagnose::BandwidthRow& row) { return row.busBandwidth() > 0; });
    if (heaviest == summary.rows.end())
        return std::nullopt;
    const std::string recorded(ledger::nameOf(heaviest->backend));
    return ceilingOf(calibrations, recorded.empty() ? backend : recorded,
                     measuredAs(heaviest->kind), static_cast<int>(heaviest->group.members.size()),
                     static_cast<std::int64_t>(2 * heaviest->bucket),
                     hostsOf(run, heaviest->group.members));
}

} // namespace ringmaster::app
