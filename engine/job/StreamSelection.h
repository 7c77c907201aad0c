#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"

#include <array>
#include <string_view>

namespace ringmaster {

/// By their mask.
constexpr std::array<std::string_view, 4> StreamNames{"none", "stdout", "stderr", "both"};

/// A parsed `-r` or `-t`: "3", or "0:1,12:3".
Result<StreamSelection> parseStreamSelection(std::string_view text);

} // namespace ringmaster
