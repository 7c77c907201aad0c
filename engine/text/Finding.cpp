#include "engine/text/Finding.h"

#include <algorithm>

namespace ringmaster {

Finding errorAt(std::string field, Code code, Parameters parameters)
{
    return {Finding::Severity::Error, {code, std::move(parameters), {}}, {std::move(field), 0, 0}};
}

bool hasErrors(const std::vector<Finding>& findings)
{
    return std::ranges::any_of(
        findings, [](const Finding& f) { return f.severity == Finding::Severity::Error; });
}

std::string describe(const Finding& finding)
{
    std::string text = describe(finding.message);
    if (finding.place.line > 0)
        text = "line " + std::to_string(finding.place.line) + ", column " +
               std::to_string(finding.place.column) + ": " + text;
    return text;
}

} // namespace ringmaster
