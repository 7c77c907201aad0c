#include "app/jobs/WorkerTiles.h"

#include "app/jobs/TileHeading.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/SizedFont.h"
#include "app/widget/SparkLine.h"
#include "app/widget/StateLook.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextLayout>
#include <QToolTip>

#include <limits>

namespace ringmaster::app {

namespace {

constexpr int HeatCell = TileLayout::HeatCell;
constexpr int HealthCount = static_cast<int>(Health::Lost) + 1;

/// As many lines as there is room for; the last one says that there is more.
void paintLines(QPainter& painter, const QRect& area, const QString& text)
{
    QTextLayout layout(text, painter.font());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    const int height = painter.fontMetrics().lineSpacing();
    for (int top = area.top();; top += height) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(area.width());
        const bool isLast = top + 2 * height > area.bottom() + 1;
        const QString words =
            isLast ? text.mid(line.textStart()) : text.mid(line.textStart(), line.textLength());
        painter.drawText(
            QRect(area.left(), top, area.width(), height), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(words.trimmed(), Qt::ElideRight, area.width()));
        if (isLast)
            break;
    }
    layout.endLayout();
}

} // namespace

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
        m_cellPixmaps.clear();
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
        viewport()->update(isNoteAlone ? partsOf(tile).note : tile);
    }
}

bool WorkerTiles::showsNotes() const
{
    return !isHeatMap() && m_layout.tile() != TileLayout::Tile::Flat;
}

/// A low tile has all but the load; one of the least height has it closer together.
WorkerTiles::Parts WorkerTiles::partsOf(const QRect& tile)
{
    const int margin = tile.height() == TileLayout::LeastWholeHeight ? 4 : 7;
    const QRect inner = tile.adjusted(10, margin, -10, -margin);
    const int noteTop = inner.top() + 15 + margin;
    return {.inner = inner,
            .note = {inner.left(), noteTop, inner.width(), 17},
            .load = {inner.left(), noteTop + 13 + margin, inner.width(),
                     inner.bottom() + 1 - (noteTop + 13 + margin)}};
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
        if (isHeatMap())
            paintCell(painter, model()->index(row, 0), rect);
        else
            paintTile(painter, model()->index(row, 0), rect, event->region());
    }
}

void WorkerTiles::paintTile(QPainter& painter, const QModelIndex& index, const QRect& rect,
                            const QRegion& wanted) const
{
    const Tokens& tokens = themeTokens();
    const auto health = static_cast<Health>(index.data(WorkerTableModel::HealthRole).toInt());
    const StateLook look = lookOf(health, tokens);
    const bool isSelected = selectionModel()->isSelected(index);
    const bool isCause = index.data(WorkerTableModel::FirstCauseRole).toBool();
    const QColor edge = isSelected ? tokens.accent : withAlpha(look.color.fill, isCause ? 1 : 0.65);
    painter.setPen(QPen(edge, isSelected || isCause ? 2 : 1));
    painter.setBrush(withAlpha(look.color.fill, tokens.isDark ? 0.13 : 0.08));
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 7, 7);

    const Parts parts = partsOf(rect);
    const QRect head(parts.inner.topLeft(),
                     QPoint(parts.inner.right(), std::min(parts.note.top(), rect.bottom())));
    if (wanted.intersects(head))
        paintHead(painter, index, parts.inner, isCause, look);
    if (m_layout.tile() == TileLayout::Tile::Flat)
        return;
    painter.setFont(sized(font(), 12, QFont::Normal));
    painter.setPen(tokens.mutedText);
    const QString note = index.data(WorkerTableModel::NoteRole).toString();
    const bool isEnded = isOver(health);
    // Where nothing runs any more, how it ended may take the room of the load.
    const bool isWhole = m_layout.tile() == TileLayout::Tile::Whole;
    if (isEnded)
        paintLines(painter, isWhole ? parts.note.united(parts.load) : parts.note, note);
    else
        painter.drawText(
            parts.note, Qt::AlignVCenter,
            painter.fontMetrics().elidedText(note, Qt::ElideRight, parts.note.width()));
    if (!isEnded && isWhole && wanted.intersects(parts.load))
        paintLoad(painter, index, parts.load);
}

void WorkerTiles::paintHead(QPainter& painter, const QModelIndex& index, const QRect& inner,
                            bool isCause, const StateLook& look) const
{
    painter.setFont(sized(font(), 15, QFont::DemiBold));
    painter.setPen(themeTokens().text);
    const QString rank = index.data(WorkerTableModel::RankRole).toString();
    painter.drawText(inner, Qt::AlignTop | Qt::AlignLeft, rank);
    const int room = inner.width() - painter.fontMetrics().horizontalAdvance(rank) - 24;
    const QFont small = sized(font(), 12, QFont::DemiBold);
    painter.setFont(small);
    const QString word = painter.fontMetrics().elidedText(
        isCause ? tr("First cause") : index.data(WorkerTableModel::WordRole).toString(),
        Qt::ElideRight, room);
    const int wordWidth = QFontMetrics(small).horizontalAdvance(word);
    paintGlyph(painter, QRectF(inner.right() - wordWidth - 15, inner.top() + 4, 10, 10), look.shape,
               look.color.fill);
    painter.setPen(look.color.text);
    painter.drawText(inner, Qt::AlignTop | Qt::AlignRight, word);
}

void WorkerTiles::paintLoad(QPainter& painter, const QModelIndex& index, const QRect& area) const
{
    const QString cpu = index.siblingAtColumn(WorkerTableModel::Cpu).data().toString();
    if (cpu.isEmpty())
        return;
    const Tokens& tokens = themeTokens();
    const QString memory = index.siblingAtColumn(WorkerTableModel::Memory).data().toString();
    const QString load = QStringLiteral("%1 · %2").arg(cpu, memory);
    painter.setFont(sized(font(), 11, QFont::Normal));
    painter.setPen(tokens.mutedText);
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignRight, load);
    const int width = area.width() - painter.fontMetrics().horizontalAdvance(load) - 8;
    const auto values = index.data(WorkerTableModel::SparkRole).value<std::vector<float>>();
    if (width >= 20)
        paintSparkLine(painter, QRectF(area.left(), area.top() + 2, width, area.height() - 3),
                       values, 1.0F, tokens.running.fill);
}

const QPixmap& WorkerTiles::cellPixmap(int health) const
{
    if (m_cellPixmaps.empty()) {
        const Tokens& tokens = themeTokens();
        for (int i = 0; i < HealthCount; ++i) {
            const StateLook look = lookOf(static_cast<Health>(i), tokens);
            QPixmap pixmap(QSize(HeatCell, HeatCell) * devicePixelRatio());
            pixmap.setDevicePixelRatio(devicePixelRatio());
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(withAlpha(look.color.fill, 0.25));
            painter.drawRoundedRect(0, 0, HeatCell, HeatCell, 3, 3);
            paintGlyph(painter, QRectF(5, 5, HeatCell - 10, HeatCell - 10), look.shape,
                       look.color.fill);
            m_cellPixmaps.push_back(pixmap);
        }
    }
    return m_cellPixmaps[static_cast<size_t>(std::clamp(health, 0, HealthCount - 1))];
}

void WorkerTiles::paintCell(QPainter& painter, const QModelIndex& index, const QRect& rect) const
{
    painter.drawPixmap(rect.topLeft(),
                       cellPixmap(index.data(WorkerTableModel::HealthRole).toInt()));
    if (selectionModel()->isSelected(index) ||
        index.data(WorkerTableModel::FirstCauseRole).toBool()) {
        painter.setPen(QPen(themeTokens().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 3, 3);
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
