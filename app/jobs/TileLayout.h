#pragma once

#include <QRect>

#include <limits>
#include <vector>

namespace ringmaster::app {

/// Where the tiles of workers stand in a width, group by group, each with its heading above or
/// beside it, whichever needs less height; as a heat map their cells. Lines are filled evenly: four
/// tiles that don't fit beside each other are two and two.
class TileLayout
{
public:
    enum class Kind { Tiles, HeatMap };
    enum class Tile {
        Whole,
        Low,  ///< Without its load.
        Flat, ///< Only rank and state.
    };

    struct Heading
    {
        QRect rect{};
        int row = 0; ///< of its first worker
    };

    struct Groups
    {
        std::vector<int> workers{}; ///< How many each has. A single one needs no heading.
        int headingWidth = 0;       ///< Beside the tiles; 0: headings are above them.
    };

    TileLayout() = default;
    /// Tiles are low or flat where all, or most, have a place in this height by that.
    TileLayout(const Groups& groups, Kind kind, int width,
               int height = std::numeric_limits<int>::max());

    const std::vector<QRect>& cells() const { return m_cells; }
    const std::vector<Heading>& headings() const { return m_headings; }
    int columns() const { return m_columns; }
    int height() const { return m_height; }
    Tile tile() const { return m_tile; }
    static constexpr int HeatCell = 20;
    static constexpr int LeastWholeHeight = 66; ///< Of a tile that still has all that is told.

private:
    struct Form
    {
        Tile tile = Tile::Whole;
        int height = 0;
        int leastWidth = 0;
    };

    /// With the headings at that side.
    static TileLayout arranged(const Groups& groups, Kind kind, int width, int height);
    static TileLayout withTiles(const Groups& groups, Kind kind, int width, const Form& form);
    void place(const Groups& groups, const QSize& cell, int gap, int width);
    void placeGroup(int workers, const QSize& cell, int gap, int left);
    bool isBetterThan(const TileLayout& other, int height) const;

    std::vector<QRect> m_cells;
    std::vector<Heading> m_headings;
    int m_columns = 1;
    int m_height = 0;
    Tile m_tile = Tile::Whole;
};

} // namespace ringmaster::app
