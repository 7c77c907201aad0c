#include "engine/text/TextSearch.h"

#include <algorithm>

namespace ringmaster {

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool containsAny(std::string_view text, std::span<const std::string_view> parts)
{
    return std::ranges::any_of(parts,
                               [text](std::string_view part) { return contains(text, part); });
}

std::string_view firstLine(std::string_view text)
{
    const size_t start = std::min(text.find_first_not_of("\n\r"), text.size());
    return text.substr(start, text.find_first_of("\n\r", start) - start);
}

std::string_view lastLine(std::string_view text)
{
    const size_t end = text.find_last_not_of("\n\r ");
    if (end == std::string_view::npos)
        return {};
    text = text.substr(0, end + 1);
    const size_t start = text.find_last_of("\n\r");
    return start == std::string_view::npos ? text : text.substr(start + 1);
}

} // namespace ringmaster
