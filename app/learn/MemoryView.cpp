#include "app/learn/MemoryView.h"

#include "app/bridge/Words.h"
#include "app/learn/LessonScene.h"
#include "app/widget/AccessibleRole.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"
#include "app/widget/Translated.h"

#include <QPainter>

namespace ringmaster::app {

namespace {

/// Colours of parts, and as always something else as well: every second one is hatched.
void paintPart(QPainter& painter, const QRectF& place, size_t part)
{
    const QColor color = rankColor(static_cast<int>(part), themeTokens());
    painter.fillRect(place, withAlpha(color, part % 2 == 0 ? 0.85 : 0.3));
    if (part % 2 == 1)
        painter.fillRect(place, QBrush(color, Qt::BDiagPattern));
}

/// What the rank held once and holds no more.
void paintReleased(QPainter& painter, const QRectF& place, const QString& most)
{
    constexpr double Margin = 6;
    const Tokens& tokens = themeTokens();
    painter.fillRect(place, withAlpha(tokens.mutedText, 0.15));
    if (place.width() < QFontMetricsF(painter.font()).horizontalAdvance(most) + 2 * Margin)
        return;
    painter.setPen(tokens.mutedText);
    painter.drawText(place.adjusted(0, 0, -Margin, 0), Qt::AlignRight | Qt::AlignVCenter, most);
}

QString amountText(std::uint64_t bytes)
{
    return bytesText(static_cast<std::int64_t>(bytes));
}

} // namespace

MemoryView::MemoryView(LessonPlayer& player, QWidget* parent) : QWidget(parent), m_player(player)
{
    setAccessibleRole(this, QAccessible::Graphic);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    translated(this, [this] {
        setAccessibleName(tr("Bytes that each rank holds; the table has its variables"));
        update();
    });
}

void MemoryView::setNames(std::vector<std::string> names)
{
    m_bars.setNames(std::move(names));
    refresh();
}

void MemoryView::refresh()
{
    const bool hasSteps = !m_bars.names().empty() && m_player.size() > 0;
    m_bars.follow(hasSteps ? &m_player.run()->recording() : nullptr);
    m_shown = hasSteps ? m_bars.at(m_player.position()) : std::vector<MemoryBars::Bar>();
    if (m_bars.longest() == 0)
        m_shown.clear();
    updateGeometry();
    update();
}

void MemoryView::setTypeScale(double scale)
{
    m_scale = scale;
    updateGeometry();
    update();
}

QFont MemoryView::typeFont() const
{
    QFont font = this->font();
    font.setPixelSize(static_cast<int>(10.5 * m_scale));
    return font;
}

QSize MemoryView::sizeHint() const
{
    return {300, static_cast<int>(barHeight() * (static_cast<double>(m_shown.size()) + 1.2))};
}

double MemoryView::nameWidth() const
{
    return QFontMetricsF(typeFont()).horizontalAdvance(rankText(88)) + 8;
}

double MemoryView::amountWidth() const
{
    return QFontMetricsF(typeFont()).horizontalAdvance(amountText(m_bars.longest())) + 12;
}

double MemoryView::xOf(std::uint64_t bytes) const
{
    const double room = width() - nameWidth() - amountWidth();
    return nameWidth() + room * static_cast<double>(bytes) /
                             static_cast<double>(std::max<std::uint64_t>(1, m_bars.longest()));
}

QRectF MemoryView::placeOf(int rank, size_t part) const
{
    const MemoryBars::Bar& bar = m_shown.at(static_cast<size_t>(rank));
    std::uint64_t before = 0;
    for (size_t i = 0; i < part; ++i)
        before += bar.parts[i].bytes;
    const double left = xOf(before);
    return {left, rank * barHeight() + 2, xOf(before + bar.parts[part].bytes) - left,
            barHeight() - 4};
}

void MemoryView::paintBar(QPainter& painter, int rank) const
{
    const Tokens& tokens = themeTokens();
    const MemoryBars::Bar& bar = m_shown[static_cast<size_t>(rank)];
    const QRectF line(0, rank * barHeight(), width(), barHeight());
    painter.setPen(rankColor(rank, tokens));
    painter.drawText(line, Qt::AlignVCenter, rankText(rank));
    for (size_t part = 0; part < bar.parts.size(); ++part)
        paintPart(painter, placeOf(rank, part), part);
    const double most = xOf(bar.most);
    paintReleased(painter,
                  {QPointF(xOf(bar.bytes()), line.top() + 2), QPointF(most, line.bottom() - 2)},
                  amountText(bar.most));
    painter.setPen(QPen(tokens.text, 1.5));
    painter.drawLine(QPointF(most, line.top() + 1), QPointF(most, line.bottom() - 1));
    painter.setPen(tokens.text);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, amountText(bar.bytes()));
}

/// Which part is which variable, as far as there is room.
void MemoryView::paintLegend(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    const QFontMetricsF metrics(painter.font());
    const double top = static_cast<double>(m_shown.size()) * barHeight();
    double left = nameWidth();
    const auto fits = [&](const QString& text) {
        return left + 18 + metrics.horizontalAdvance(text) <= width();
    };
    const auto say = [&](const QString& text) {
        painter.setPen(tokens.mutedText);
        painter.drawText(QPointF(left + 18, top + barHeight() / 2 + metrics.ascent() / 2 - 1),
                         text);
        left += 18 + metrics.horizontalAdvance(text) + 12;
    };
    for (size_t part = 0; part < m_bars.names().size(); ++part) {
        const QString name = QString::fromStdString(m_bars.names()[part]);
        if (!fits(name))
            return;
        paintPart(painter, {left, top + 3, 14, barHeight() - 6}, part);
        say(name);
    }
    const QString most = tr("the most until now");
    if (!fits(most))
        return;
    painter.setPen(QPen(tokens.text, 1.5));
    painter.drawLine(QPointF(left + 7, top + 2), QPointF(left + 7, top + barHeight() - 2));
    say(most);
}

void MemoryView::paintEvent(QPaintEvent*)
{
    if (isEmpty())
        return;
    QPainter painter(this);
    painter.setFont(typeFont());
    for (int rank = 0; rank < static_cast<int>(m_shown.size()); ++rank)
        paintBar(painter, rank);
    paintLegend(painter);
}

} // namespace ringmaster::app
