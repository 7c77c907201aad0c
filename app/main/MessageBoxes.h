#pragma once

#include "engine/base/Result.h"

class QString;
class QWidget;

namespace ringmaster::app {

/// What the window says in a box of its own. None of these blocks.

void showLaunchFailure(QWidget* window, const Error& error);
/// Of a job that was to end before the window.
void showStopFailure(QWidget* window, const QString& job, const Error& error);
void showAbout(QWidget* window);

/// There is no window to come; blocks until it is read.
void showStartFailure(const Error& error);

} // namespace ringmaster::app
