#pragma once

#include "app/bandwidth/SweepTableModel.h"
#include "engine/record/Calibration.h"

#include <QByteArray>

namespace ringmaster::app {

/// "all_reduce · float32 · sum · 4 ranks"
QString planText(const SweepPlan& plan);

/// "ring reaches 8.30 GB/s in all_reduce with 4 ranks."; empty: it has nothing to say of that.
QString foundText(const Calibration& calibration);

/// "ring 5.20 GB/s": the highest bus bandwidth, and whose it is; empty: none was measured.
QString bestText(const std::vector<SweepRow>& rows);

/// The table, for other programs: sizes in bytes, times in microseconds, bandwidths in GB/s (10^9).
QByteArray sweepCsv(const std::vector<SweepTableModel::Row>& rows);
QByteArray sweepJson(const std::vector<SweepTableModel::Row>& rows);

} // namespace ringmaster::app
