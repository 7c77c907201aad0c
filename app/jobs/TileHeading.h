#pragma once

#include <QModelIndex>

class QFont;
class QPainter;
class QRect;

namespace ringmaster::app {

/// What stands above or beside the tiles of a host's workers: its name, and how it stands as shape,
/// colour and word.
namespace tileheading {

/// Of the heading beside tiles, the same in each state of the host.
int widthOf(const QModelIndex& firstWorker, const QFont& font);
/// In two lines where there is room for them.
void paint(QPainter& painter, const QRect& rect, const QModelIndex& firstWorker, const QFont& font);
QString toolTipOf(const QModelIndex& firstWorker);

} // namespace tileheading

} // namespace ringmaster::app
