#include "engine/cli/RankList.h"

#include "engine/cli/Codes.h"

#include <charconv>
#include <set>
#include <string_view>

namespace ringmaster {

namespace {

constexpr int MostRanks = 1'000'000;

bool parseNumber(std::string_view text, int& number)
{
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number >= 0 &&
           number < MostRanks;
}

} // namespace

Result<std::vector<int>> parseRanks(const std::string& text)
{
    std::set<int> ranks;
    std::string_view rest = text;
    while (!rest.empty()) {
        const size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view item = rest.substr(0, comma);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        const size_t dash = item.find('-');
        int first = 0;
        int last = 0;
        const bool isRange = dash != std::string_view::npos;
        if (!parseNumber(item.substr(0, dash), first) ||
            (isRange && !parseNumber(item.substr(dash + 1), last)) || (isRange && last < first))
            return fail(code::RankInvalid, {{"value", text}});
        for (int rank = first; rank <= (isRange ? last : first); ++rank)
            ranks.insert(rank);
    }
    return std::vector<int>(ranks.begin(), ranks.end());
}

} // namespace ringmaster
