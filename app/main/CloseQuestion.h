#pragma once

#include <functional>

class QWidget;

namespace ringmaster::app {

class Session;

/// Says that jobs keep running without the window, and asks. Doesn't block; `close` is called where
/// the window may go, with true when the jobs shall end first.
void askBeforeClosing(QWidget* window, Session& session, int running,
                      std::function<void(bool stopsJobs)> close);

} // namespace ringmaster::app
