#include "engine/text/Finding.h"

#include <algorithm>

namespace ringmaster {

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
