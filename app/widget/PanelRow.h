#pragma once

#include "app/widget/PanelHeights.h"
#include "app/widget/PanelPlace.h"
#include "app/widget/PanelSplitter.h"

namespace ringmaster::app {

/// Places of a PanelGrid beside each other, or below each other where the page is one column.
class PanelRow : public PanelSplitter
{
    Q_OBJECT

public:
    enum class Room {
        AsNeeded, ///< What their cards want.
        Rest      ///< What is left of the page.
    };
    struct Place
    {
        std::vector<GridPanel> panels{}; ///< More than one: tabs.
        int least = 0;                   ///< Height, where it is a place for the rest.
    };
    struct Description
    {
        Room room = Room::AsNeeded;
        std::vector<Place> places{};
    };

    explicit PanelRow(const Description& description, QWidget* parent = nullptr);

    /// The places that have anything to show; or `only` this one, in all of the page.
    void showPlaces(const PanelPlace* only);
    /// Gives the places their default shares.
    void share(int width);

    const std::vector<PanelPlace*>& places() const { return m_places; }
    bool isOneColumn() const { return orientation() == Qt::Vertical; }
    bool isAnyShown() const;
    bool isShown(const PanelPlace& place) const;
    RowNeed needIn(int width) const;
    int leastWidth(bool isOneColumn) const;

private:
    RowNeed needOf(size_t place, int width) const;
    int shownCount() const;

    Room m_room;
    std::vector<PanelPlace*> m_places;
    std::vector<int> m_least;
    bool m_isAlone = false;
};

} // namespace ringmaster::app
