#pragma once

#include "engine/hosts/Host.h"
#include "engine/hosts/HostReport.h"

#include <string_view>
#include <vector>

namespace ringmaster {

/// What `ringmaster host … --json` and `ringmaster check --json` print, read back. An error that
/// they print is the result.
Result<std::vector<Host>> hostsFromJson(std::string_view text);
Result<std::vector<std::string>> namesFromJson(std::string_view text);
Result<std::vector<HostReport>> reportsFromJson(std::string_view text);
Result<std::vector<PreflightFinding>> findingsFromJson(std::string_view text);
/// Of what prints nothing where it succeeds.
Result<void> doneFromJson(std::string_view text);

} // namespace ringmaster
