#include "engine/job/StreamSelection.h"

#include "engine/job/Codes.h"
#include "engine/text/PythonText.h"

namespace ringmaster {

namespace {

constexpr size_t LongestRank = 6; // an int surely holds it

std::optional<std::uint8_t> streamMask(std::string_view text)
{
    if (text.size() != 1 || text.front() < '0' || text.front() > '3')
        return std::nullopt;
    return static_cast<std::uint8_t>(text.front() - '0');
}

} // namespace

Result<StreamSelection> parseStreamSelection(std::string_view text)
{
    StreamSelection selection;
    if (const auto mask = streamMask(text)) {
        selection.all = *mask;
        return selection;
    }
    for (const std::string& pair : split(text, ',')) {
        const size_t colon = pair.find(':');
        const auto rank = digitsToInt(std::string_view(pair).substr(0, colon), LongestRank);
        const auto mask = colon == std::string::npos
                              ? std::nullopt
                              : streamMask(std::string_view(pair).substr(colon + 1));
        if (!rank || !mask)
            return fail(code::StreamSelectionShape, {{"value", std::string(text)}});
        selection.byLocalRank[*rank] = *mask;
    }
    return selection;
}

} // namespace ringmaster
