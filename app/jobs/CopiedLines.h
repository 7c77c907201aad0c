#pragma once

#include <QModelIndexList>
#include <QString>

namespace ringmaster::app {

/// Rows of a LogModel as text, in their order, for a ticket: "12:00:01.5 [3] loss 0.2".
QString copiedLines(QModelIndexList rows, bool withTimes);

} // namespace ringmaster::app
