#pragma once

#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/hosts/Host.h"
#include "engine/hosts/HostProbe.h"

#include <string>
#include <vector>

namespace ringmaster {

std::string hostTable(const std::vector<Host>& hosts);

/// What one host has said, or why it hasn't, in a few lines.
std::string hostProbeText(const ProbedHost& answer, const Terminal& terminal);

Json asJson(const Host& host);
Json asJson(const ProbedHost& answer);

} // namespace ringmaster
