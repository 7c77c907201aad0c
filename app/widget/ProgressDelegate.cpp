#include "app/widget/ProgressDelegate.h"

#include "app/widget/Tokens.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

constexpr int ProgressBarHeight = 5;
constexpr int ProgressGap = 6;

} // namespace

ProgressDelegate::ProgressDelegate(int role, QObject* parent)
    : QStyledItemDelegate(parent), m_role(role)
{
}

void ProgressDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QVariant done = index.data(m_role);
    if (!done.isValid()) {
        QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
        return;
    }
    const QString text = std::exchange(cell.text, {});
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const Tokens& tokens = themeTokens();
    // The text above the bar: both have the whole width.
    const QFontMetrics metrics(cell.font);
    const QRect room = cell.rect.adjusted(ProgressGap, 0, -2 * ProgressGap, 0);
    const int height = metrics.height() + 3 + ProgressBarHeight;
    const int top = room.center().y() - height / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(cell.font);
    painter->setPen(tokens.text);
    painter->drawText(QRect(room.left(), top, room.width(), metrics.height()),
                      Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(text, Qt::ElideRight, room.width()));
    const QRectF bar(room.left(), top + metrics.height() + 3, room.width(), ProgressBarHeight);
    painter->setPen(Qt::NoPen);
    painter->setBrush(tokens.border);
    painter->drawRoundedRect(bar, ProgressBarHeight / 2.0, ProgressBarHeight / 2.0);
    painter->setBrush(tokens.running.fill);
    const double part = std::clamp(done.toDouble(), 0.0, 1.0);
    painter->drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * part, ProgressBarHeight)),
                             ProgressBarHeight / 2.0, ProgressBarHeight / 2.0);
    painter->restore();
}

QSize ProgressDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(3 * ProgressGap, 0);
}

} // namespace ringmaster::app
