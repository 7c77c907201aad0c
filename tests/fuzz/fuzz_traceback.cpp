// A worker's last words on its standard error, after which it failed. What is found there stands
// there, and is bounded; a terminal's line ends make no difference.

#include "Fuzz.h"
#include "engine/worker/Traceback.h"

using namespace ringmaster;

namespace {

std::string withCarriageReturns(std::string_view text)
{
    std::string lines;
    for (const char character : text) {
        if (character == '\n')
            lines += '\r';
        lines += character;
    }
    return lines;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view said = fuzz::textOf(data, size);
    const std::optional<ErrorReport> report = lastTraceback(said);
    if (said.find('\r') == std::string_view::npos)
        fuzz::require(lastTraceback(withCarriageReturns(said)) == report);
    if (!report)
        return 0;
    fuzz::require(report->text.size() <= size && report->type.size() <= size + 18);
    fuzz::require(report->file.empty() ||
                  report->traceback.find(report->file) != std::string::npos);
    (void)isConsequence(*report);
    return 0;
}
