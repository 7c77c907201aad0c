#include "app/widget/FlowLayout.h"

#include <QWidget>

#include <algorithm>

namespace ringmaster::app {

FlowLayout::FlowLayout(QWidget* parent, int spacing, Lines lines) : QLayout(parent), m_lines(lines)
{
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
    qDeleteAll(m_items);
}

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.append(item);
}

int FlowLayout::count() const
{
    return static_cast<int>(m_items.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return m_items.value(index);
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const
{
    const std::vector<QRect> places = placesIn(evenWidth(width));
    int height = 0;
    for (const QRect& place : places)
        height = std::max(height, place.bottom() + 1);
    return height;
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items)
        size = size.expandedTo(item->minimumSize());
    return size;
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    const std::vector<QRect> places = placesIn(evenWidth(rect.width()));
    size_t next = 0;
    for (QLayoutItem* item : m_items) {
        if (!item->isEmpty())
            item->setGeometry(places[next++].translated(rect.topLeft()));
    }
}

std::vector<QRect> FlowLayout::placesIn(int width) const
{
    std::vector<QRect> places;
    int x = 0;
    int y = 0;
    int lineHeight = 0;
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (x + size.width() > width && lineHeight > 0) {
            x = 0;
            y += lineHeight + spacing();
            lineHeight = 0;
        }
        places.emplace_back(QPoint(x, y), size);
        x += size.width() + spacing();
        lineHeight = std::max(lineHeight, size.height());
    }
    return places;
}

int FlowLayout::evenWidth(int width) const
{
    const auto linesIn = [this](int tried) {
        const std::vector<QRect> places = placesIn(tried);
        return std::ranges::count(places, 0, &QRect::x);
    };
    const auto lines = linesIn(width);
    if (m_lines == Lines::Full || lines < 2)
        return width;
    int tooNarrow = 0;
    while (width - tooNarrow > 1) {
        const int middle = (tooNarrow + width) / 2;
        (linesIn(middle) > lines ? tooNarrow : width) = middle;
    }
    return width;
}

} // namespace ringmaster::app
