#include "engine/node/ExpectedBandwidth.h"

#include "engine/ledger/OperationNames.h"

namespace ringmaster {

namespace {

/// A sweep measures the forms with one tensor, which FSDP calls; those with a list move the same.
std::vector<ledger::OperationKind> kindsOf(const std::string& collective)
{
    using ledger::OperationKind;
    const auto kind = ledger::operationKindOf(collective);
    if (!kind)
        return {};
    if (*kind == OperationKind::AllGather)
        return {*kind, OperationKind::AllGatherIntoTensor};
    if (*kind == OperationKind::ReduceScatter)
        return {*kind, OperationKind::ReduceScatterTensor};
    return {*kind};
}

} // namespace

std::vector<diagnose::WirePromise> promisesOf(const std::vector<Calibration>& calibrations)
{
    std::vector<diagnose::WirePromise> promises;
    for (const Calibration& calibration : calibrations) {
        const auto hosts =
            calibration.hosts.size() > 1 ? calibration.hosts : std::vector<std::string>();
        const ledger::Backend backend = ledger::backendNamed(calibration.backend);
        for (const Calibration::Point& point : calibration.points) {
            if (point.bytes <= 0 || point.busBandwidth <= 0)
                continue;
            for (const ledger::OperationKind kind : kindsOf(point.collective))
                promises.push_back({backend, kind, calibration.ranks,
                                    static_cast<std::uint64_t>(point.bytes), point.busBandwidth,
                                    hosts, calibration.run});
        }
    }
    return promises;
}

} // namespace ringmaster
