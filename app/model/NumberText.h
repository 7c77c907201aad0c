#pragma once

#include "engine/record/NumberSummary.h"

#include <QString>

namespace ringmaster::app {

/// "0.31", "5e-05", "1,200"
QString numberText(double value);
/// "step 120/1000"
QString numberText(const NumberSummary::Latest& latest);
/// "12 %", "12 % · 4 min left"; `nowWallNs` as in NumberSummary::Progress::endWallNs.
QString progressText(const NumberSummary::Progress& progress, std::int64_t nowWallNs);

} // namespace ringmaster::app
