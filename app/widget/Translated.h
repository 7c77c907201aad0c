#pragma once

#include <functional>

class QWidget;

namespace ringmaster::app {

/// Calls `setTexts` now and again whenever the language changes, as long as the widget lives.
void translated(QWidget* widget, std::function<void()> setTexts);

} // namespace ringmaster::app
