#pragma once

#include <QAction>
#include <QList>

namespace ringmaster::app {

/// Shows every key there is; doesn't block.
void showShortcutSheet(QWidget* parent, const QList<QAction*>& actions);

} // namespace ringmaster::app
