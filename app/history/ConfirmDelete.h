#pragma once

#include "engine/record/RunSummary.h"

#include <functional>
#include <vector>

class QWidget;

namespace ringmaster::app {

/// Asks before runs are deleted, with what goes with them; `confirmed` is called if so. Returns at
/// once.
void confirmDelete(QWidget* parent, const std::vector<RunSummary>& runs,
                   std::function<void()> confirmed);

} // namespace ringmaster::app
