#include "engine/job/Validation.h"

#include "engine/job/DeviceChecks.h"
#include "engine/job/JobChecks.h"
#include "engine/job/RendezvousChecks.h"
#include "engine/job/RoleChecks.h"

#include <algorithm>

namespace ringmaster {

std::vector<Finding> validate(const JobSpec& spec, const SystemInfo& systemInfo,
                              const std::map<std::string, Place>& places)
{
    std::vector<Finding> findings;
    for (size_t i = 0; i < spec.roles.size(); ++i)
        RoleChecks(spec, systemInfo, findings).check(i);
    DeviceChecks(spec, systemInfo, findings).check();
    RendezvousChecks(spec, systemInfo, findings).check();
    JobChecks(spec, systemInfo, findings).check();
    for (Finding& finding : findings) {
        if (const auto place = places.find(finding.place.field); place != places.end())
            finding.place = place->second;
    }
    std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
        return a.severity == Finding::Severity::Error && b.severity != Finding::Severity::Error;
    });
    return findings;
}

} // namespace ringmaster
