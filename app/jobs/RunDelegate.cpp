#include "app/jobs/RunDelegate.h"

#include "app/model/RunListModel.h"
#include "app/widget/StateLook.h"

#include <QPainter>

namespace ringmaster::app {

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const
{
    const Tokens& tokens = themeTokens();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF row = QRectF(option.rect).adjusted(0, 1, 0, -1);
    if (option.state.testFlag(QStyle::State_Selected) ||
        option.state.testFlag(QStyle::State_MouseOver)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(option.state.testFlag(QStyle::State_Selected) ? tokens.selection
                                                                        : tokens.hover);
        painter->drawRoundedRect(row, 6, 6);
    }
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(tokens.accent);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(row.adjusted(.5, .5, -.5, -.5), 6, 6);
    }
    const auto health = static_cast<Health>(index.data(RunListModel::HealthRole).toInt());
    const StateLook look = lookOf(health, tokens);
    paintGlyph(*painter, {row.left() + 10, row.center().y() - 5, 10, 10}, look.shape,
               look.color.fill);
    const int left = 30;
    const QVariant progress = index.data(RunListModel::ProgressRole);
    const QRect text = option.rect.adjusted(left, 4, -6, progress.isValid() ? -8 : -4);
    const auto write = [&](const QString& line, Qt::Alignment align, const QColor& color) {
        painter->setPen(color);
        painter->drawText(text, align,
                          painter->fontMetrics().elidedText(line, Qt::ElideRight, text.width()));
    };
    QFont font = option.font;
    font.setPixelSize(13);
    painter->setFont(font);
    write(index.data().toString(), Qt::AlignTop | Qt::AlignLeft, tokens.text);
    font.setPixelSize(12);
    painter->setFont(font);
    write(index.data(RunListModel::LineRole).toString(), Qt::AlignBottom | Qt::AlignLeft,
          tokens.mutedText);
    if (progress.isValid()) {
        const QRectF whole(text.left(), row.bottom() - 5, text.width(), 2);
        painter->setPen(Qt::NoPen);
        painter->setBrush(tokens.border);
        painter->drawRoundedRect(whole, 1, 1);
        painter->setBrush(look.color.fill);
        painter->drawRoundedRect(
            QRectF(whole.topLeft(), QSizeF(whole.width() * progress.toDouble(), whole.height())), 1,
            1);
    }
    painter->restore();
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {120, 44};
}

} // namespace ringmaster::app
