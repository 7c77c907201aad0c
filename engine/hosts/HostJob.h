#pragma once

#include "engine/hosts/Host.h"
#include "engine/job/JobSpec.h"

#include <string>

namespace ringmaster {

/// What is below a folder here is below another one there.
void moveRoles(JobSpec& spec, const std::string& from, const std::string& to);

/// A job as one host carries it out by itself: its folder there, its interpreter, its variables.
/// `folder` is the one here that the host's own stands for.
JobSpec jobOn(const Host& host, JobSpec spec, const std::string& folder);

} // namespace ringmaster
