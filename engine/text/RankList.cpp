#include "engine/text/RankList.h"

#include <algorithm>

namespace ringmaster {

std::string rankList(std::vector<int> ranks)
{
    std::ranges::sort(ranks);
    std::string text;
    for (std::size_t first = 0; first < ranks.size();) {
        std::size_t last = first;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(ranks[first]);
        if (last > first)
            text += (last > first + 1 ? "-" : ", ") + std::to_string(ranks[last]);
        first = last + 1;
    }
    return text;
}

} // namespace ringmaster
