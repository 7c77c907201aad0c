#include "app/widget/WarningLabel.h"

#include "app/widget/Card.h"
#include "app/widget/StateLook.h"

#include <QPainter>

namespace ringmaster::app {

namespace {
constexpr int GlyphRoom = 16;
} // namespace

WarningLabel::WarningLabel(QWidget* parent) : QLabel(parent)
{
    setLook(this, "warning");
    setWordWrap(true);
    setContentsMargins(GlyphRoom, 0, 0, 0);
}

void WarningLabel::paintEvent(QPaintEvent* event)
{
    QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int line = QFontMetrics(font()).height();
    paintGlyph(painter, QRectF(0, (line - GlyphBesideText) / 2.0, GlyphBesideText, GlyphBesideText),
               Glyph::Triangle, themeTokens().warning.fill);
}

} // namespace ringmaster::app
