#include "engine/text/Spelling.h"

#include <algorithm>

namespace ringmaster {

namespace {
/// Longer words are nobody's typing error; the distance costs their product.
constexpr size_t LongestWord = 64;
} // namespace

size_t editDistance(std::string_view from, std::string_view to)
{
    std::vector<std::vector<size_t>> cost(from.size() + 1, std::vector<size_t>(to.size() + 1));
    for (size_t i = 0; i <= from.size(); ++i) {
        for (size_t j = 0; j <= to.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const size_t change = from[i - 1] == to[j - 1] ? 0 : 1;
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
            const bool swapped =
                i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
            if (swapped)
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[from.size()][to.size()];
}

std::optional<std::string> nearestSpelling(std::string_view word,
                                           const std::vector<std::string>& known)
{
    if (word.empty() || word.size() > LongestWord)
        return std::nullopt;
    size_t best = word.size() / 3 + 1;
    std::optional<std::string> nearest;
    for (const std::string& candidate : known) {
        const size_t distance = editDistance(word, candidate);
        if (distance < best || (distance == best && !nearest)) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace ringmaster
