#include "app/widget/Pill.h"

#include <QPainter>

namespace ringmaster::app {

namespace {

constexpr int Padding = 11;

QFont boldOf(QFont font, int pixelSize)
{
    font.setWeight(QFont::DemiBold);
    font.setPixelSize(pixelSize);
    return font;
}

QSize sizeOfPill(const QFont& font, const QString& text, int height)
{
    return {QFontMetrics(font).horizontalAdvance(text) + GlyphBesideText + 6 + 2 * Padding, height};
}

void paintContent(QPainter& painter, const QRect& rect, Glyph shape, const QColor& glyph,
                  const QColor& ink, const QString& text)
{
    const QRectF mark(rect.left() + Padding, rect.center().y() - GlyphBesideText / 2.0 + 0.5,
                      GlyphBesideText, GlyphBesideText);
    paintGlyph(painter, mark, shape, glyph);
    painter.setPen(ink);
    painter.drawText(rect.adjusted(Padding + GlyphBesideText + 6, 0, 0, 0),
                     Qt::AlignVCenter | Qt::AlignLeft, text);
}

} // namespace

StatusBadge::StatusBadge(QWidget* parent) : QWidget(parent)
{
    setFont(boldOf(font(), 13));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StatusBadge::setHealth(Health health, const QString& word)
{
    if (m_health == health && m_word == word)
        return;
    const QSize before = sizeHint();
    m_health = health;
    m_word = word;
    setAccessibleName(word);
    if (sizeHint() != before)
        updateGeometry();
    update();
}

QSize StatusBadge::sizeHint() const
{
    return sizeOfPill(boldOf(font(), 13), m_word, 28);
}

void StatusBadge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(boldOf(font(), 13));
    const StateLook look = lookOf(m_health, themeTokens());
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(look.color.fill, 0.16));
    painter.drawRoundedRect(rect(), 8, 8);
    paintContent(painter, rect(), look.shape, look.color.fill, look.color.text, m_word);
}

FilterChip::FilterChip(ColorOf color, Glyph shape, QWidget* parent)
    : QAbstractButton(parent), m_color(color), m_shape(shape)
{
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize FilterChip::sizeHint() const
{
    return sizeOfPill(boldOf(font(), 12), text(), 24);
}

void FilterChip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(boldOf(font(), 12));
    const Tokens& tokens = themeTokens();
    const Tokens::State& color = tokens.*m_color;
    const QRectF body = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setBrush(withAlpha(color.fill, isChecked() ? 0.34 : underMouse() ? 0.2 : 0.13));
    const QColor edge = hasFocus() ? tokens.accent : isChecked() ? color.fill : Qt::transparent;
    painter.setPen(QPen(edge, hasFocus() ? 2 : 1.2));
    painter.drawRoundedRect(body, body.height() / 2, body.height() / 2);
    paintContent(painter, rect(), m_shape, color.fill, color.text, text());
}

} // namespace ringmaster::app
