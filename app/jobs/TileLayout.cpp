#include "app/jobs/TileLayout.h"

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

constexpr int Gap = 8;
constexpr int HeatGap = 3;
constexpr int TileHeight = 74;
constexpr int LowTileHeight = 48;
constexpr int FlatTileHeight = 30;
constexpr int SmallestTile = 148;
constexpr int WidestTile = 260;
constexpr int HeadingHeight = 22;

} // namespace

TileLayout::TileLayout(const std::vector<int>& groups, Kind kind, int width, int height)
{
    if (groups.empty())
        return;
    const int gap = kind == Kind::HeatMap ? HeatGap : Gap;
    const int smallest = kind == Kind::HeatMap ? HeatCell : SmallestTile;
    m_columns = std::max(1, (width + gap) / (smallest + gap));
    QSize cell(HeatCell, HeatCell);
    if (kind == Kind::Tiles) {
        const int most = *std::ranges::max_element(groups);
        const int lines = (most + m_columns - 1) / m_columns;
        m_columns = std::max(1, (most + lines - 1) / std::max(1, lines));
        cell = {std::clamp((width + gap) / m_columns - gap, 60, WidestTile), TileHeight};
    }
    place(groups, cell, gap, width);
    if (kind == Kind::HeatMap || m_height <= height)
        return;
    for (const auto& [tile, tileHeight] :
         {std::pair(Tile::Whole, LeastWholeHeight), std::pair(Tile::Low, LowTileHeight),
          std::pair(Tile::Flat, FlatTileHeight)}) {
        TileLayout smaller = *this;
        smaller.place(groups, {cell.width(), tileHeight}, gap, width);
        smaller.m_tile = tile;
        if (smaller.m_height > height)
            continue;
        *this = smaller;
        return;
    }
}

void TileLayout::place(const std::vector<int>& groups, const QSize& cell, int gap, int width)
{
    m_cells.clear();
    m_headings.clear();
    m_height = 0;
    for (const int workers : groups) {
        if (groups.size() > 1) {
            m_headings.push_back(
                {{0, m_height, width, HeadingHeight}, static_cast<int>(m_cells.size())});
            m_height += HeadingHeight;
        }
        placeGroup(workers, cell, gap);
    }
    m_height -= gap;
}

void TileLayout::placeGroup(int workers, const QSize& cell, int gap)
{
    for (int worker = 0; worker < workers; ++worker) {
        const QPoint at(worker % m_columns * (cell.width() + gap),
                        m_height + worker / m_columns * (cell.height() + gap));
        m_cells.push_back({at, cell});
    }
    m_height += (workers + m_columns - 1) / m_columns * (cell.height() + gap);
}

} // namespace ringmaster::app
