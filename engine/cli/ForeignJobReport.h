#pragma once

#include "engine/attach/ForeignJob.h"
#include "engine/attach/JobLook.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"

#include <string>

namespace ringmaster {

/// A job that Ringmaster didn't start, in one line: what, whose, by what, since when.
std::string foreignJobLine(const ForeignJob& job, const Terminal& terminal);
/// What was seen of it: who differs, then a line a rank.
std::string foreignJobText(const ForeignJob& job, const SeenJob& seen, const Terminal& terminal);

Json foreignJobJson(const ForeignJob& job);
Json foreignJobJson(const ForeignJob& job, const SeenJob& seen);

} // namespace ringmaster
