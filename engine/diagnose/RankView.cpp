#include "engine/diagnose/RankView.h"

#include <algorithm>

namespace ringmaster::diagnose {

std::string ranksText(std::vector<int> ranks)
{
    std::ranges::sort(ranks);
    std::string text;
    for (size_t first = 0; first < ranks.size();) {
        size_t last = first;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        if (!text.empty())
            text += ',';
        text += std::to_string(ranks[first]);
        if (last > first)
            text += (last == first + 1 ? "," : "-") + std::to_string(ranks[last]);
        first = last + 1;
    }
    return text;
}

std::string ranksPhrase(const std::vector<int>& ranks)
{
    return (ranks.size() == 1 ? "rank " : "ranks ") + ranksText(ranks);
}

} // namespace ringmaster::diagnose
