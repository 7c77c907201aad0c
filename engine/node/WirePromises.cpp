#include "engine/node/WirePromises.h"

#include "engine/ledger/OperationNames.h"

namespace ringmaster {

std::vector<diagnose::WirePromise> promisesOf(const std::vector<Calibration>& calibrations)
{
    std::vector<diagnose::WirePromise> promises;
    for (const Calibration& calibration : calibrations) {
        const auto hosts =
            calibration.hosts.size() > 1 ? calibration.hosts : std::vector<std::string>();
        const ledger::Backend backend = ledger::backendNamed(calibration.backend);
        for (const Calibration::Point& point : calibration.points) {
            const auto kind = ledger::operationKindOf(point.collective);
            if (kind && point.bytes > 0 && point.busBandwidth > 0)
                promises.push_back({backend, *kind, calibration.ranks,
                                    static_cast<std::uint64_t>(point.bytes), point.busBandwidth,
                                    hosts, calibration.run});
        }
    }
    return promises;
}

} // namespace ringmaster
