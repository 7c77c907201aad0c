#include "app/jobs/TilePainter.h"

#include "app/model/WorkerTableModel.h"
#include "app/widget/SizedFont.h"
#include "app/widget/SparkLine.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>

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

/// A low tile has all but the load; one of the least height has it closer together.
TilePainter::Parts TilePainter::partsOf(const QRect& tile)
{
    const int margin = tile.height() == TileLayout::LeastWholeHeight ? 4 : 7;
    const QRect inner = tile.adjusted(10, margin, -10, -margin);
    const int noteTop = inner.top() + 15 + margin;
    return {.inner = inner,
            .note = {inner.left(), noteTop, inner.width(), 17},
            .load = {inner.left(), noteTop + 13 + margin, inner.width(),
                     inner.bottom() + 1 - (noteTop + 13 + margin)}};
}

void TilePainter::paintTile(QPainter& painter, const QModelIndex& worker, const QRect& rect,
                            const Style& style, const QRegion& wanted)
{
    const Tokens& tokens = themeTokens();
    const auto health = static_cast<Health>(worker.data(WorkerTableModel::HealthRole).toInt());
    const StateLook look = lookOf(health, tokens);
    const bool isCause = worker.data(WorkerTableModel::FirstCauseRole).toBool();
    const QColor edge =
        style.isSelected ? tokens.accent : withAlpha(look.color.fill, isCause ? 1 : 0.65);
    painter.setPen(QPen(edge, style.isSelected || isCause ? 2 : 1));
    painter.setBrush(withAlpha(look.color.fill, tokens.isDark ? 0.13 : 0.08));
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 7, 7);

    const Parts parts = partsOf(rect);
    const QRect head(parts.inner.topLeft(),
                     QPoint(parts.inner.right(), std::min(parts.note.top(), rect.bottom())));
    if (wanted.intersects(head))
        paintHead(painter, worker, parts.inner, style, look);
    if (style.tile == TileLayout::Tile::Flat)
        return;
    painter.setFont(sized(style.font, 12, QFont::Normal));
    painter.setPen(tokens.mutedText);
    const QString note = worker.data(WorkerTableModel::NoteRole).toString();
    const bool isEnded = isOver(health);
    // Where nothing runs any more, how it ended may take the room of the load.
    const bool isWhole = style.tile == TileLayout::Tile::Whole;
    if (isEnded)
        paintLines(painter, isWhole ? parts.note.united(parts.load) : parts.note, note);
    else
        painter.drawText(
            parts.note, Qt::AlignVCenter,
            painter.fontMetrics().elidedText(note, Qt::ElideRight, parts.note.width()));
    if (!isEnded && isWhole && wanted.intersects(parts.load))
        paintLoad(painter, worker, parts.load, style.font);
}

void TilePainter::paintHead(QPainter& painter, const QModelIndex& worker, const QRect& inner,
                            const Style& style, const StateLook& look)
{
    painter.setFont(sized(style.font, 15, QFont::DemiBold));
    painter.setPen(themeTokens().text);
    const QString rank = worker.data(WorkerTableModel::RankRole).toString();
    painter.drawText(inner, Qt::AlignTop | Qt::AlignLeft, rank);
    const int room = inner.width() - painter.fontMetrics().horizontalAdvance(rank) - 24;
    const QFont small = sized(style.font, 12, QFont::DemiBold);
    painter.setFont(small);
    const QString word =
        painter.fontMetrics().elidedText(worker.data(WorkerTableModel::FirstCauseRole).toBool()
                                             ? tr("First cause")
                                             : worker.data(WorkerTableModel::WordRole).toString(),
                                         Qt::ElideRight, room);
    const int wordWidth = QFontMetrics(small).horizontalAdvance(word);
    paintGlyph(painter, QRectF(inner.right() - wordWidth - 15, inner.top() + 4, 10, 10), look.shape,
               look.color.fill);
    painter.setPen(look.color.text);
    painter.drawText(inner, Qt::AlignTop | Qt::AlignRight, word);
}

void TilePainter::paintLoad(QPainter& painter, const QModelIndex& worker, const QRect& area,
                            const QFont& font)
{
    const QString cpu = worker.siblingAtColumn(WorkerTableModel::Cpu).data().toString();
    if (cpu.isEmpty())
        return;
    const Tokens& tokens = themeTokens();
    const QString memory = worker.siblingAtColumn(WorkerTableModel::Memory).data().toString();
    const QString load = QStringLiteral("%1 · %2").arg(cpu, memory);
    painter.setFont(sized(font, 11, QFont::Normal));
    painter.setPen(tokens.mutedText);
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignRight, load);
    const int width = area.width() - painter.fontMetrics().horizontalAdvance(load) - 8;
    const auto values = worker.data(WorkerTableModel::SparkRole).value<std::vector<float>>();
    if (width >= 20)
        paintSparkLine(painter, QRectF(area.left(), area.top() + 2, width, area.height() - 3),
                       values, 1.0F, tokens.running.fill);
}

const QPixmap& TilePainter::cell(int health, qreal pixelRatio)
{
    if (m_cells.empty()) {
        const Tokens& tokens = themeTokens();
        for (int i = 0; i < HealthCount; ++i) {
            const StateLook look = lookOf(static_cast<Health>(i), tokens);
            QPixmap pixmap(QSize(HeatCell, HeatCell) * pixelRatio);
            pixmap.setDevicePixelRatio(pixelRatio);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(withAlpha(look.color.fill, 0.25));
            painter.drawRoundedRect(0, 0, HeatCell, HeatCell, 3, 3);
            paintGlyph(painter, QRectF(5, 5, HeatCell - 10, HeatCell - 10), look.shape,
                       look.color.fill);
            m_cells.push_back(pixmap);
        }
    }
    return m_cells[static_cast<size_t>(std::clamp(health, 0, HealthCount - 1))];
}

void TilePainter::paintCell(QPainter& painter, const QModelIndex& worker, const QRect& rect,
                            bool isSelected)
{
    painter.drawPixmap(rect.topLeft(), cell(worker.data(WorkerTableModel::HealthRole).toInt(),
                                            painter.device()->devicePixelRatio()));
    if (isSelected || worker.data(WorkerTableModel::FirstCauseRole).toBool()) {
        painter.setPen(QPen(themeTokens().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 3, 3);
    }
}

} // namespace ringmaster::app
