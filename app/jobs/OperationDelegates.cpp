#include "app/jobs/OperationDelegates.h"

#include "app/model/OperationTableModel.h"
#include "app/widget/SeriesLook.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace ringmaster::app {

void OperationKindDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString words = std::exchange(cell.text, QString());
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const int line = index.data(OperationTableModel::LineRole).toInt();
    const SeriesLook look{
        .color = index.data(OperationTableModel::ColorRole).toInt(), .line = line, .shape = line};
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF area(cell.rect);
    paintPoint(*painter, look, seriesColor(look, themeTokens()),
               {area.left() + 12, area.center().y()}, 8);
    painter->setPen(themeTokens().text);
    const QRectF room = area.adjusted(22, 0, -4, 0);
    painter->drawText(
        room, Qt::AlignVCenter,
        cell.fontMetrics.elidedText(words, Qt::ElideRight, static_cast<int>(room.width())));
    painter->restore();
}

void OperationShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const Tokens& tokens = themeTokens();
    const int textWidth = cell.fontMetrics.horizontalAdvance(QStringLiteral("100 %"));
    const QRectF room = QRectF(cell.rect).adjusted(6, 0, -textWidth - 12, 0);
    if (room.width() < 10)
        return;
    const QRectF track(room.left(), room.center().y() - 4, room.width(), 8);
    const double share =
        std::clamp(index.data(OperationTableModel::ShareRole).toDouble(), 0.0, 1.0);
    const double transfer = index.data(OperationTableModel::TransferRole).toDouble();
    QRectF inside = track;
    inside.setWidth(track.width() * share);
    QRectF moving = inside;
    moving.setWidth(inside.width() * (transfer < 0 ? 1 : std::min(1.0, transfer)));
    painter->save();
    painter->setPen(Qt::NoPen);
    painter->fillRect(track, tokens.grid);
    painter->fillRect(inside, QBrush(tokens.warning.fill, Qt::BDiagPattern));
    painter->fillRect(moving, tokens.running.fill);
    painter->restore();
}

} // namespace ringmaster::app
