#pragma once

#include "engine/event/SweepEvents.h"

#include <string>
#include <vector>

namespace ringmaster {

/// The rows of a sweep with a line of column names, for a spreadsheet (RFC 4180); times in
/// microseconds, bandwidths in GB/s (1e9), as nccl-tests has them. A row that couldn't be measured
/// has its problem in the last column.
std::string sweepCsv(const std::vector<SweepRow>& rows);

/// nccl-tests' columns, with the percentiles before #wrong: the two lines above a table, and one of
/// its lines, without a line break.
std::string sweepHeader();
std::string sweepLine(const SweepRow& row);

} // namespace ringmaster
