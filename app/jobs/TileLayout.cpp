#include "app/jobs/TileLayout.h"

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

constexpr int Gap = 8;
constexpr int HeatGap = 3;
constexpr int SmallestTile = 148;
constexpr int SmallestFlatTile = 132;
constexpr int WidestTile = 260;
constexpr int HeadingHeight = 22;

} // namespace

TileLayout::TileLayout(const Groups& groups, Kind kind, int width, int height)
{
    if (groups.workers.empty())
        return;
    *this = arranged({groups.workers}, kind, width, height);
    const bool isRoomBeside = groups.headingWidth > 0 && groups.headingWidth < width / 3;
    if (groups.workers.size() < 2 || !isRoomBeside)
        return;
    const TileLayout beside = arranged(groups, kind, width, height);
    if (beside.isBetterThan(*this, height))
        *this = beside;
}

TileLayout TileLayout::arranged(const Groups& groups, Kind kind, int width, int height)
{
    if (kind == Kind::HeatMap)
        return withTiles(groups, kind, width, {Tile::Whole, HeatCell, HeatCell});
    const TileLayout whole = withTiles(groups, kind, width, {Tile::Whole, 74, SmallestTile});
    if (whole.m_height <= height)
        return whole;
    TileLayout smaller;
    for (const Form& form :
         {Form{Tile::Whole, LeastWholeHeight, SmallestTile}, Form{Tile::Low, 48, SmallestTile},
          Form{Tile::Flat, 30, SmallestFlatTile}}) {
        smaller = withTiles(groups, kind, width, form);
        if (smaller.m_height <= height)
            return smaller;
    }
    // One scrolls: to whole ones, unless that shows but a few of what could nearly be in sight.
    return smaller.m_height <= 2 * height ? smaller : whole;
}

TileLayout TileLayout::withTiles(const Groups& groups, Kind kind, int width, const Form& form)
{
    TileLayout layout;
    layout.m_tile = form.tile;
    const int gap = kind == Kind::HeatMap ? HeatGap : Gap;
    const int room = groups.headingWidth > 0 ? width - groups.headingWidth - Gap : width;
    layout.m_columns = std::max(1, (room + gap) / (form.leastWidth + gap));
    QSize cell(HeatCell, HeatCell);
    if (kind == Kind::Tiles) {
        const int most = *std::ranges::max_element(groups.workers);
        const int lines = (most + layout.m_columns - 1) / layout.m_columns;
        layout.m_columns = std::max(1, (most + lines - 1) / std::max(1, lines));
        cell = {std::clamp((room + gap) / layout.m_columns - gap, 60, WidestTile), form.height};
    }
    layout.place(groups, cell, gap, width);
    return layout;
}

/// All in sight is worth more than what tiles tell, and that more than height.
bool TileLayout::isBetterThan(const TileLayout& other, int height) const
{
    const bool fits = m_height <= height;
    if (fits != (other.m_height <= height))
        return fits;
    return !fits || m_tile == other.m_tile ? m_height < other.m_height : m_tile < other.m_tile;
}

void TileLayout::place(const Groups& groups, const QSize& cell, int gap, int width)
{
    m_cells.clear();
    m_headings.clear();
    m_height = 0;
    const bool isBeside = groups.headingWidth > 0;
    const int left = isBeside ? groups.headingWidth + Gap : 0;
    for (const int workers : groups.workers) {
        const int top = m_height;
        const int row = static_cast<int>(m_cells.size());
        const bool isHeaded = groups.workers.size() > 1;
        if (isHeaded && !isBeside)
            m_height += HeadingHeight;
        placeGroup(workers, cell, gap, left);
        if (isHeaded && isBeside)
            m_headings.push_back({{0, top, groups.headingWidth, m_height - gap - top}, row});
        else if (isHeaded)
            m_headings.push_back({{0, top, width, HeadingHeight}, row});
    }
    m_height -= gap;
}

void TileLayout::placeGroup(int workers, const QSize& cell, int gap, int left)
{
    for (int worker = 0; worker < workers; ++worker) {
        const QPoint at(left + worker % m_columns * (cell.width() + gap),
                        m_height + worker / m_columns * (cell.height() + gap));
        m_cells.push_back({at, cell});
    }
    m_height += (workers + m_columns - 1) / m_columns * (cell.height() + gap);
}

} // namespace ringmaster::app
