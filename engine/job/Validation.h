#pragma once

#include "engine/job/JobSpec.h"
#include "engine/machine/SystemInfo.h"
#include "engine/text/Finding.h"

#include <map>
#include <string>
#include <vector>

namespace ringmaster {

/// Everything that is wrong with a job, that may be, and that was found in order: the editor's list
/// of checks. Errors first. The order of the others is that of the job's fields. `places` is that
/// of the file that the job came from, if any.
std::vector<Finding> validate(const JobSpec& spec, const SystemInfo& systemInfo,
                              const std::map<std::string, Place>& places = {});

} // namespace ringmaster
