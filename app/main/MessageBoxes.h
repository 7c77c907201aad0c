#pragma once

#include "engine/base/Result.h"

class QWidget;

namespace ringmaster::app {

/// What the window says in a box of its own. None blocks.

void showLaunchFailure(QWidget* window, const Error& error);
void showAbout(QWidget* window);

} // namespace ringmaster::app
