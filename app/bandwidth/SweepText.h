#pragma once

#include "app/bandwidth/SweepTableModel.h"

#include <QByteArray>

namespace ringmaster::app {

/// "all_reduce · float32 · sum · 4 ranks"
QString planText(const SweepPlan& plan);

/// The table, for other programs: sizes in bytes, times in microseconds, bandwidths in GB/s (10^9).
QByteArray sweepCsv(const std::vector<SweepTableModel::Row>& rows);
QByteArray sweepJson(const std::vector<SweepTableModel::Row>& rows);

} // namespace ringmaster::app
