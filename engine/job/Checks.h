#pragma once

#include "engine/job/JobSpec.h"
#include "engine/machine/SystemInfo.h"
#include "engine/text/Finding.h"

#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// Says what is found of a job. Each part of a job has a class of its own that derives from this.
class Checks
{
public:
    /// All three outlive it; what is found is added to `findings`.
    Checks(const JobSpec& spec, const SystemInfo& systemInfo, std::vector<Finding>& findings)
        : m_spec(spec), m_systemInfo(systemInfo), m_findings(findings)
    {
    }

protected:
    void ok(std::string field, Code code, Parameters parameters = {});
    void warn(std::string field, Code code, Parameters parameters = {});
    void error(std::string field, Code code, Parameters parameters = {});
    void error(std::string field, const Message& what)
    {
        error(std::move(field), what.code, what.parameters);
    }
    void add(std::vector<Finding> findings);
    void add(Finding::Severity severity, std::string field, Code code, Parameters parameters);

    /// "role.workers", with the number of the role where there are several.
    std::string at(size_t index, std::string_view key) const;
    /// Of all roles on this node; 0 when one of them can't be counted.
    int localWorkers() const;

    const JobSpec& m_spec;
    const SystemInfo& m_systemInfo;

private:
    std::vector<Finding>& m_findings;
};

} // namespace ringmaster
