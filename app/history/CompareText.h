#pragma once

#include "engine/control/RunComparison.h"

#include <QByteArray>
#include <QString>

namespace ringmaster::app {

/// "A", "B" …: what a run is called beside others.
QString letterOf(size_t run);
QString titleOf(const ComparedQuantity& quantity);
/// "–" where it isn't known.
QString valueText(const ComparedQuantity& quantity, size_t run);
/// "1.56 ×" of the first run; empty where that says nothing.
QString ratioText(const ComparedQuantity& quantity, size_t run);
/// More is better, or worse; 0: neither can be said.
int betterWhenMore(ComparedQuantity::Kind kind);

/// Settings that differ and results, a row each.
QByteArray comparisonCsv(const std::vector<ComparedRun>& runs, const RunComparison& comparison);

} // namespace ringmaster::app
