#include "app/jobs/WorkerTiles.h"

#include "app/jobs/TileHeading.h"
#include "app/model/WorkerTableModel.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <limits>

namespace ringmaster::app {

WorkerTiles::WorkerTiles(QWidget* parent) : QAbstractItemView(parent)
{
    setSelectionMode(SingleSelection);
    setSelectionBehavior(SelectRows);
    setEditTriggers(NoEditTriggers);
    setFrameShape(NoFrame);
    setTabKeyNavigation(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // what is behind isn't painted with it
    verticalScrollBar()->setSingleStep(24);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(),
            [this] { viewport()->update(); });
}

void WorkerTiles::setModel(QAbstractItemModel* model)
{
    QAbstractItemView::setModel(model);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &WorkerTiles::arrangeLater);
    connect(model, &QAbstractItemModel::modelReset, this, &WorkerTiles::arrangeLater);
    connect(model, &QAbstractItemModel::layoutChanged, this, &WorkerTiles::arrangeLater);
    arrangeLater();
}

int WorkerTiles::rowCount() const
{
    return model() == nullptr ? 0 : model()->rowCount();
}

bool WorkerTiles::isHeatMap() const
{
    return rowCount() > MaxTiles;
}

void WorkerTiles::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QAbstractItemView::currentChanged(current, previous);
    tellCurrentRow(this, current);
}

void WorkerTiles::arrangeLater()
{
    m_isArranged = false;
    viewport()->update();
    QMetaObject::invokeMethod(
        this, [this] { updateGeometries(); }, Qt::QueuedConnection);
}

TileLayout WorkerTiles::layoutIn(int width, int height) const
{
    TileLayout::Groups groups;
    for (const QModelIndex& first : firstOfEachHost()) {
        if (!groups.workers.empty())
            groups.workers.back() = first.row() - groups.workers.back();
        groups.workers.push_back(first.row());
        groups.headingWidth = std::max(groups.headingWidth, tileheading::widthOf(first, font()));
    }
    if (!groups.workers.empty())
        groups.workers.back() = rowCount() - groups.workers.back();
    return {groups, isHeatMap() ? TileLayout::Kind::HeatMap : TileLayout::Kind::Tiles, width,
            height};
}

QModelIndexList WorkerTiles::firstOfEachHost() const
{
    QModelIndexList found;
    QString host;
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex index = model()->index(row, 0);
        const QString node = index.data(WorkerTableModel::NodeRole).toString();
        if (row == 0 || node != host)
            found << index;
        host = node;
    }
    return found;
}

QModelIndexList WorkerTiles::headings() const
{
    const QModelIndexList hosts = firstOfEachHost();
    return hosts.size() > 1 ? hosts : QModelIndexList();
}

WorkerTiles::Height WorkerTiles::heightIn(int width) const
{
    const int frame = 2 * frameWidth();
    const int full = layoutIn(width - frame, std::numeric_limits<int>::max()).height();
    // One less than they need: smaller ones have it, if any height does.
    TileLayout smaller = layoutIn(width - frame, full - 1);
    if (smaller.tile() == TileLayout::Tile::Whole)
        smaller = layoutIn(width - frame, smaller.height() - 1);
    return {smaller.height() + frame, full + frame};
}

void WorkerTiles::updateGeometries()
{
    QAbstractItemView::updateGeometries();
    if (!std::exchange(m_isArranged, true))
        m_layout = layoutIn(viewport()->width(), viewport()->height());
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, m_layout.height() - viewport()->height()));
}

void WorkerTiles::resizeEvent(QResizeEvent* event)
{
    m_isArranged = false;
    QAbstractItemView::resizeEvent(event);
    updateGeometries();
}

void WorkerTiles::changeEvent(QEvent* event)
{
    QAbstractItemView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        m_painter.forgetCells();
    if (event->type() == QEvent::LanguageChange)
        viewport()->update();
}

bool WorkerTiles::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractItemView::viewportEvent(event);
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
    return true;
}

QString WorkerTiles::toolTipAt(const QPoint& point) const
{
    const QPoint at = point + QPoint(0, verticalScrollBar()->value());
    for (const TileLayout::Heading& heading : m_layout.headings()) {
        if (heading.rect.contains(at))
            return tileheading::toolTipOf(model()->index(heading.row, 0));
    }
    return indexAt(point).data(Qt::ToolTipRole).toString();
}

void WorkerTiles::rowsInserted(const QModelIndex& parent, int start, int end)
{
    QAbstractItemView::rowsInserted(parent, start, end);
    arrangeLater();
}

void WorkerTiles::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                              const QList<int>& roles)
{
    constexpr int Few = 32;
    const bool isNoteAlone = roles.contains(WorkerTableModel::NoteRole);
    if (isNoteAlone && !showsNotes())
        return;
    if (!isNoteAlone) // it repaints all
        QAbstractItemView::dataChanged(topLeft, bottomRight, roles);
    if (bottomRight.row() - topLeft.row() > Few) {
        viewport()->update();
        return;
    }
    for (int row = topLeft.row(); row <= bottomRight.row(); ++row) {
        const QRect tile = visualRect(model()->index(row, 0));
        viewport()->update(isNoteAlone ? TilePainter::partsOf(tile).note : tile);
    }
}

bool WorkerTiles::showsNotes() const
{
    return !isHeatMap() && m_layout.tile() != TileLayout::Tile::Flat;
}

QRect WorkerTiles::visualRect(const QModelIndex& index) const
{
    const auto row = static_cast<size_t>(index.row());
    if (!index.isValid() || row >= m_layout.cells().size())
        return {};
    return m_layout.cells()[row].translated(0, -verticalScrollBar()->value());
}

QModelIndex WorkerTiles::indexAt(const QPoint& point) const
{
    const QPoint at = point + QPoint(0, verticalScrollBar()->value());
    for (size_t row = 0; row < m_layout.cells().size(); ++row) {
        if (m_layout.cells()[row].contains(at))
            return model()->index(static_cast<int>(row), 0);
    }
    return {};
}

void WorkerTiles::scrollTo(const QModelIndex& index, ScrollHint)
{
    const QRect rect = visualRect(index);
    if (rect.top() < 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.top());
    else if (rect.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.bottom() -
                                      viewport()->height() + 1);
}

void WorkerTiles::paintEvent(QPaintEvent* event)
{
    if (!m_isArranged)
        updateGeometries();
    QPainter painter(viewport());
    painter.fillRect(event->rect(), themeTokens().card);
    painter.setRenderHint(QPainter::Antialiasing);
    const int offset = verticalScrollBar()->value();
    for (const TileLayout::Heading& heading : m_layout.headings()) {
        const QRect rect = heading.rect.translated(0, -offset);
        if (event->region().intersects(rect))
            tileheading::paint(painter, rect, model()->index(heading.row, 0), font());
    }
    const int rows = std::min(rowCount(), static_cast<int>(m_layout.cells().size()));
    for (int row = 0; row < rows; ++row) {
        const QRect rect = m_layout.cells()[static_cast<size_t>(row)].translated(0, -offset);
        if (!event->region().intersects(rect))
            continue;
        const QModelIndex index = model()->index(row, 0);
        const bool isSelected = selectionModel()->isSelected(index);
        if (isHeatMap())
            m_painter.paintCell(painter, index, rect, isSelected);
        else
            TilePainter::paintTile(
                painter, index, rect,
                {.font = font(), .tile = m_layout.tile(), .isSelected = isSelected},
                event->region());
    }
}

QModelIndex WorkerTiles::moveCursor(CursorAction action, Qt::KeyboardModifiers)
{
    if (rowCount() == 0)
        return {};
    int row = currentIndex().isValid() ? currentIndex().row() : 0;
    switch (action) {
    case MoveLeft:
    case MovePrevious: --row; break;
    case MoveRight:
    case MoveNext: ++row; break;
    case MoveUp: row -= m_layout.columns(); break;
    case MoveDown: row += m_layout.columns(); break;
    case MovePageUp:
    case MoveHome: row = 0; break;
    case MovePageDown:
    case MoveEnd: row = rowCount() - 1; break;
    }
    return model()->index(std::clamp(row, 0, rowCount() - 1), 0);
}

int WorkerTiles::verticalOffset() const
{
    return verticalScrollBar()->value();
}

void WorkerTiles::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags)
{
    const QModelIndex index = indexAt(rect.center());
    if (index.isValid())
        selectionModel()->select(index, flags | QItemSelectionModel::Rows);
    else
        selectionModel()->clearSelection();
}

QRegion WorkerTiles::visualRegionForSelection(const QItemSelection& selection) const
{
    QRegion region;
    for (const QModelIndex& index : selection.indexes())
        region += visualRect(index);
    return region;
}

} // namespace ringmaster::app
