#include "app/widget/ElidedLabel.h"

#include "app/widget/Tokens.h"

#include <QPainter>

namespace ringmaster::app {

ElidedLabel::ElidedLabel(QWidget* parent) : QFrame(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text)
{
    if (m_text == text)
        return;
    const QSize minimum = minimumSizeHint();
    const bool didFit = isInPlace();
    m_text = text;
    setAccessibleName(text);
    if (!didFit || !isInPlace() || minimumSizeHint() != minimum)
        updateGeometry();
    updateToolTip();
    update();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode)
{
    m_mode = mode;
    update();
}

/// Its text decides on no other widget's place: it has what the others leave, and that is enough.
/// A page isn't laid out anew for each second that is counted.
bool ElidedLabel::isInPlace() const
{
    const QSizePolicy::Policy policy = sizePolicy().horizontalPolicy();
    return policy == QSizePolicy::Ignored ||
           ((policy & QSizePolicy::ExpandFlag) != 0 && isVisible() && !isElided());
}

bool ElidedLabel::isElided() const
{
    return fontMetrics().horizontalAdvance(m_text) > contentsRect().width();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), 40), sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    QPainter painter(this);
    const bool muted = property("look").toString() == QLatin1String("muted");
    painter.setPen(muted ? themeTokens().mutedText : palette().color(QPalette::WindowText));
    painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft, shownText());
}

/// Whole parts, where some fit: half a word says nothing.
QString ElidedLabel::shownText() const
{
    const QFontMetrics metrics = fontMetrics();
    const int room = contentsRect().width();
    const QString separator = QStringLiteral(" · ");
    if (m_mode == Qt::ElideRight && isElided()) {
        for (qsizetype end = m_text.lastIndexOf(separator); end > 0;
             end = m_text.lastIndexOf(separator, end - 1)) {
            const QString parts = m_text.left(end) + QStringLiteral(" …");
            if (metrics.horizontalAdvance(parts) <= room)
                return parts;
        }
        // Half a word of several parts only looks broken; the tool tip has them.
        const QString first = m_text.section(separator, 0, 0);
        if (first != m_text && room * 10 < metrics.horizontalAdvance(first) * 8)
            return {};
    }
    return metrics.elidedText(m_text, m_mode, room);
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    updateToolTip();
}

void ElidedLabel::updateToolTip()
{
    setToolTip(isElided() ? m_text : QString());
}

} // namespace ringmaster::app
