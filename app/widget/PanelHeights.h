#pragma once

#include <vector>

namespace ringmaster::app {

/// What a row of panels asks of the height of its page, in pixels.
struct RowNeed
{
    int least = 0;
    int wanted = 0;
    bool takesRest = false; ///< Takes whatever nobody else wants.
};

/// Of a row that is no row for the rest; the others stay the larger part of the page.
constexpr double MostOfThePage = 0.45;

/// How high each row becomes in this much room. Never below its least, also where there is too
/// little room for all: then the page scrolls.
std::vector<int> rowHeights(const std::vector<RowNeed>& rows, int room);

} // namespace ringmaster::app
