#include "app/widget/PanelRow.h"

#include "app/widget/Card.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// In one column all is scrolled anyway: a panel may be as high as it wants, within reason.
constexpr int HighestInColumn = 420;

} // namespace

PanelRow::PanelRow(const Description& description, QWidget* parent)
    : PanelSplitter(Qt::Horizontal, parent), m_room(description.room)
{
    for (const Place& place : description.places) {
        m_places.push_back(new PanelPlace(place.panels));
        m_least.push_back(place.least);
        addWidget(m_places.back());
    }
}

void PanelRow::showPlaces(const PanelPlace* only)
{
    m_isAlone = only != nullptr;
    for (PanelPlace* place : m_places)
        place->setVisible(m_isAlone ? place == only : place->hasAny() && !place->isFolded());
    setVisible(isAnyShown());
}

bool PanelRow::isShown(const PanelPlace& place) const
{
    return !place.isHidden();
}

int PanelRow::shownCount() const
{
    return static_cast<int>(std::ranges::count_if(
        m_places, [this](const PanelPlace* place) { return isShown(*place); }));
}

bool PanelRow::isAnyShown() const
{
    return shownCount() > 0;
}

int PanelRow::leastWidth(bool isOneColumn) const
{
    int least = 0;
    for (const PanelPlace* place : m_places) {
        if (!isShown(*place))
            continue;
        const int width = place->minimumSizeHint().width();
        least = isOneColumn  ? std::max(least, width)
                : least == 0 ? width
                             : least + handleWidth() + width;
    }
    return least;
}

RowNeed PanelRow::needOf(size_t place, int width) const
{
    const Card::Height height = m_places[place]->current().card->heightIn(width);
    if (m_room == Room::Rest || m_isAlone)
        return {.least = std::max(m_least[place], height.least), .takesRest = true};
    if (!isOneColumn())
        return {.least = height.least, .wanted = height.wanted};
    const int all = std::min(height.wanted, HighestInColumn);
    return {.least = all, .wanted = all};
}

RowNeed PanelRow::needIn(int width) const
{
    RowNeed need;
    const int gaps = (shownCount() - 1) * handleWidth();
    for (size_t i = 0; i < m_places.size(); ++i) {
        if (!isShown(*m_places[i]))
            continue;
        const int share = isOneColumn() ? width
                          : isChosen()  ? m_places[i]->width()
                                        : (width - gaps) / shownCount();
        const RowNeed one = needOf(i, share);
        need.takesRest = one.takesRest;
        need.least = isOneColumn() ? need.least + one.least : std::max(need.least, one.least);
        need.wanted = isOneColumn() ? need.wanted + one.wanted : std::max(need.wanted, one.wanted);
    }
    if (isOneColumn()) {
        need.least += gaps;
        need.wanted += gaps;
    }
    return need;
}

void PanelRow::share(int width)
{
    QList<int> sizes;
    for (size_t i = 0; i < m_places.size(); ++i) {
        const int size = isOneColumn() ? needOf(i, width).least : width;
        sizes << (isShown(*m_places[i]) ? size : 0);
    }
    setDefaultSizes(sizes);
}

} // namespace ringmaster::app
