#pragma once

#include <QAccessible>

namespace ringmaster::app {

/// What a widget that paints itself is for screen readers: Qt can't know.
void setAccessibleRole(QWidget* widget, QAccessible::Role role);

} // namespace ringmaster::app
