#include "app/model/Ceiling.h"

#include "app/bridge/Words.h"
#include "engine/ledger/OperationNames.h"

#include <QCoreApplication>

#include <algorithm>

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
                                 int ranks, std::int64_t bytes)
{
    const Calibration* best = nullptr;
    for (const Calibration& calibration : calibrations) {
        const bool fits = calibration.backend == backend && calibration.hosts.size() == 1;
        if (fits && (best == nullptr || (best->ranks != ranks && calibration.ranks == ranks)))
            best = &calibration;
    }
    const auto reached = best == nullptr ? std::nullopt : best->ceiling(collective, bytes);
    if (!reached)
        return std::nullopt;
    return Ceiling{CeilingWords::tr("%1 calibrated with %2")
                       .arg(QString::fromStdString(backend), ranksCountText(best->ranks)),
                   *reached};
}

std::optional<Ceiling> ceilingOf(const std::vector<Calibration>& calibrations,
                                 const OperationSummary& summary, const std::string& backend)
{
    const auto heaviest = std::ranges::find_if(
        summary.rows, [](const diagnose::BandwidthRow& row) { return row.busBandwidth() > 0; });
    if (heaviest == summary.rows.end())
        return std::nullopt;
    const std::string recorded(ledger::nameOf(heaviest->backend));
    return ceilingOf(calibrations, recorded.empty() ? backend : recorded,
                     measuredAs(heaviest->kind), static_cast<int>(heaviest->group.members.size()),
                     static_cast<std::int64_t>(2 * heaviest->bucket));
}

} // namespace ringmaster::app
