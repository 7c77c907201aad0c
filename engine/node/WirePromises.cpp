#include "engine/node/WirePromises.h"

#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <map>

namespace ringmaster {

std::vector<diagnose::WirePromise> promisesOf(const std::vector<Calibration>& calibrations)
{
    using Promises = std::vector<diagnose::WirePromise>;
    std::map<std::pair<ledger::OperationKind, int>, Promises> least;
    const auto best = [](const Promises& promises) {
        return std::ranges::max(promises, {}, &diagnose::WirePromise::busBandwidth).busBandwidth;
    };
    for (const Calibration& calibration : calibrations) {
        if (calibration.hosts.size() > 1)
            continue;
        std::map<ledger::OperationKind, Promises> own;
        for (const Calibration::Point& point : calibration.points) {
            const auto kind = ledger::operationKindOf(point.collective);
            if (kind && point.bytes > 0 && point.busBandwidth > 0)
                own[*kind].push_back({*kind, calibration.ranks,
                                      static_cast<std::uint64_t>(point.bytes), point.busBandwidth});
        }
        for (auto& [kind, promises] : own) {
            Promises& known = least[{kind, calibration.ranks}];
            if (known.empty() || best(promises) < best(known))
                known = std::move(promises);
        }
    }
    Promises all;
    for (const auto& [key, promises] : least)
        all.insert(all.end(), promises.begin(), promises.end());
    return all;
}

} // namespace ringmaster
