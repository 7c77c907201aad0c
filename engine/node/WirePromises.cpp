#include "engine/node/WirePromises.h"

#include "engine/ledger/OperationNames.h"

namespace ringmaster {

std::vector<diagnose::WirePromise> promisesOf(const std::vector<Calibration>& calibrations)
{
    std::vector<diagnose::WirePromise> promises;
    for (const Calibration& calibration : calibrations) {
        if (calibration.hosts.size() > 1)
            continue;
        const ledger::Backend backend = ledger::backendNamed(calibration.backend);
        for (const Calibration::Point& point : calibration.points) {
            const auto kind = ledger::operationKindOf(point.collective);
            if (kind && point.bytes > 0 && point.busBandwidth > 0)
                promises.push_back({backend, *kind, calibration.ranks,
                                    static_cast<std::uint64_t>(point.bytes), point.busBandwidth});
        }
    }
    return promises;
}

} // namespace ringmaster
