#pragma once

#include "app/model/RunHistory.h"

#include <QString>

namespace ringmaster::app {

QString word(StartPhase phase);

/// "first collective after 3.4 s"
QString summary(const StartMark& mark);
/// That, whose it is, and a line for each phase with its time.
QString details(const StartMark& mark, const RunHistory& history);

} // namespace ringmaster::app
