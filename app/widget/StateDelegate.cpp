#include "app/widget/StateDelegate.h"

#include "app/widget/StateLook.h"

#include <QApplication>
#include <QPainter>

namespace ringmaster::app {

namespace {
constexpr int Indent = 8;
} // namespace

StateDelegate::StateDelegate(Kind kind, int role, QObject* parent)
    : QStyledItemDelegate(parent), m_kind(kind), m_role(role)
{
}

void StateDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString word = std::exchange(cell.text, {});
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const Tokens& tokens = themeTokens();
    const int state = index.data(m_role).toInt();
    StateLook look;
    switch (m_kind) {
    case Kind::Health: look = lookOf(static_cast<Health>(state), tokens); break;
    case Kind::Severity: look = lookOf(static_cast<Notice::Severity>(state), tokens); break;
    }
    const QRectF mark(cell.rect.left() + Indent,
                      cell.rect.center().y() - GlyphBesideText / 2.0 + 0.5, GlyphBesideText,
                      GlyphBesideText);
    paintGlyph(*painter, mark, look.shape, look.color.fill);
    const QRect room = cell.rect.adjusted(Indent + GlyphBesideText + 7, 0, -4, 0);
    painter->setPen(look.color.text);
    painter->setFont(cell.font);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                      cell.fontMetrics.elidedText(word, Qt::ElideRight, room.width()));
}

QSize StateDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(Indent + GlyphBesideText + 4, 0);
}

} // namespace ringmaster::app
