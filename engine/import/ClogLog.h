#pragma once

#include "engine/base/Result.h"
#include "engine/import/FlightRecorder.h"

#include <istream>
#include <string_view>

namespace ringmaster {

/// Whether this, the beginning of a file, may be the log that torchcomms' ClogHook wrote of a rank.
bool looksLikeClog(std::string_view beginning);

/// Line by line; what comes of it is what a flight recorder's dump tells. The rank is in it.
/// Bounded, whatever the bytes are.
Result<FlightRecorderDump> readClog(std::istream& lines);

} // namespace ringmaster
