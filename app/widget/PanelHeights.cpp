#include "app/widget/PanelHeights.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// A chart and a log of this height are a pleasure to read; only then others grow at their cost.
constexpr int ComfortableRest = 380;

} // namespace

std::vector<int> rowHeights(const std::vector<RowNeed>& rows, int room)
{
    std::vector<int> heights;
    int left = room;
    for (const RowNeed& row : rows) {
        heights.push_back(row.least);
        left -= row.least;
    }
    const auto rest = std::ranges::find_if(rows, &RowNeed::takesRest);
    for (size_t i = 0; i < rows.size() && left > 0; ++i) {
        const RowNeed& row = rows[i];
        if (row.takesRest)
            continue;
        const int most = rest == rows.end()
                             ? row.wanted
                             : std::max(row.least, static_cast<int>(MostOfThePage * room));
        int more = std::min({std::max(0, row.wanted - row.least), most - row.least, left});
        // Below the rest a row shows all that it wants or its least, not a half of something.
        const bool isBelowRest = rest != rows.end() && &row > &*rest;
        if (isBelowRest &&
            (row.least + more < row.wanted || rest->least + left - more < ComfortableRest))
            more = 0;
        heights[i] += more;
        left -= more;
    }
    if (left > 0 && !rows.empty()) {
        const auto taker =
            rest == rows.end() ? heights.size() - 1 : static_cast<size_t>(rest - rows.begin());
        heights[taker] += left;
    }
    return heights;
}

} // namespace ringmaster::app
