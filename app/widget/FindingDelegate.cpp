#include "app/widget/FindingDelegate.h"

#include "app/widget/StateLook.h"
#include "engine/text/Finding.h"

#include <QListView>
#include <QPainter>

namespace ringmaster::app {

namespace {

constexpr int GlyphSpace = 24;
constexpr int Margin = 5;

QRect textRect(const QStyleOptionViewItem& option)
{
    return option.rect.adjusted(GlyphSpace, Margin, -6, -Margin);
}

std::pair<Tokens::State, Glyph> lookOf(Finding::Severity severity, const Tokens& tokens)
{
    switch (severity) {
    case Finding::Severity::Ok: return {tokens.finished, Glyph::Tick};
    case Finding::Severity::Warning: return {tokens.warning, Glyph::Triangle};
    case Finding::Severity::Error: return {tokens.failed, Glyph::Cross};
    }
    return {tokens.neutral, Glyph::Circle};
}

} // namespace

void FindingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    QStyleOptionViewItem background = option;
    initStyleOption(&background, index);
    background.text.clear();
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &background, painter,
                                        option.widget);
    const auto severity = static_cast<Finding::Severity>(index.data(m_role).toInt());
    const auto [color, shape] = lookOf(severity, themeTokens());
    const int line = option.fontMetrics.height();
    const QRectF glyph(option.rect.left() + 6, option.rect.top() + Margin + (line - 11) / 2.0, 11,
                       11);
    paintGlyph(*painter, glyph, shape, color.fill);
    painter->setPen(color.text);
    painter->drawText(textRect(option), Qt::TextWordWrap, index.data().toString());
}

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* view = qobject_cast<const QListView*>(option.widget);
    QStyleOptionViewItem wide = option;
    wide.rect.setWidth(view != nullptr ? view->viewport()->width() : 300);
    wide.rect.setHeight(10'000);
    const QRect bounds =
        option.fontMetrics.boundingRect(textRect(wide), Qt::TextWordWrap, index.data().toString());
    return {wide.rect.width(), bounds.height() + 2 * Margin};
}

} // namespace ringmaster::app
