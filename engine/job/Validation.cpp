#include "engine/job/Validation.h"

#include "engine/job/Checks.h"

#include <algorithm>

namespace ringmaster {

void Checks::add(Finding::Severity severity, std::string field, Code code, Parameters parameters)
{
    m_findings.push_back({severity, {code, std::move(parameters), {}}, {std::move(field), 0, 0}});
}

void Checks::ok(std::string field, Code code, Parameters parameters)
{
    add(Finding::Severity::Ok, std::move(field), code, std::move(parameters));
}

void Checks::warn(std::string field, Code code, Parameters parameters)
{
    add(Finding::Severity::Warning, std::move(field), code, std::move(parameters));
}

void Checks::error(std::string field, Code code, Parameters parameters)
{
    add(Finding::Severity::Error, std::move(field), code, std::move(parameters));
}

std::vector<Finding> validate(const JobSpec& spec, const SystemInfo& systemInfo,
                              const std::map<std::string, Place>& places)
{
    Checks checks(spec, systemInfo);
    for (size_t i = 0; i < spec.roles.size(); ++i)
        checks.checkRole(i);
    checks.checkRanges();
    checks.checkCounts();
    checks.checkDevices();
    checks.checkRendezvous();
    checks.checkSlurm();
    checks.checkContainer();
    checks.checkRestart();
    checks.checkLogs();
    checks.checkOthers();
    std::vector<Finding> findings = checks.take();
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
