#include "engine/job/Checks.h"

#include "engine/job/WorkerCounts.h"

#include <algorithm>

namespace ringmaster {

void Checks::add(Finding::Severity severity, std::string field, Code code, Parameters parameters)
{
    m_findings.push_back({severity, {code, std::move(parameters), {}}, {std::move(field), 0, 0}});
}

void Checks::add(std::vector<Finding> findings)
{
    std::ranges::move(findings, std::back_inserter(m_findings));
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

std::string Checks::at(size_t index, std::string_view key) const
{
    return roleField(index, m_spec.roles.size(), key);
}

int Checks::localWorkers() const
{
    int sum = 0;
    for (const Role& role : m_spec.roles) {
        const auto count = resolveWorkers(role.workers, m_systemInfo.counts());
        if (!count || *count <= 0)
            return 0;
        sum += std::min(*count, 1'000'000);
    }
    return sum;
}

} // namespace ringmaster
