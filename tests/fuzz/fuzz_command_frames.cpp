// What comes to either end of a command on another machine. The first byte says how long the pieces
// are that it comes in; that makes no difference. A request that was understood is sent again as it
// was.

#include "Fuzz.h"
#include "engine/control/CommandFrames.h"

using namespace ringmaster;

namespace {

/// As text; "-" where it isn't one.
std::string received(std::string_view bytes, std::size_t piece)
{
    CommandFrameReader frames;
    CommandRequestReader reader;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        frames.add(bytes.substr(at, piece));
        for (;;) {
            auto frame = frames.next();
            if (!frame)
                return "-";
            if (!*frame)
                break;
            fuzz::require((*frame)->body.size() <= CommandFrame::LargestBody);
            (void)exitCodeIn((*frame)->body);
            const auto isWhole = reader.take(**std::move(frame));
            if (!isWhole)
                return "-";
            if (!*isWhole)
                continue;
            const auto again = encoded(reader.request());
            return again ? *again : "-";
        }
    }
    return "-";
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    if (text.empty())
        return 0;
    const std::string_view bytes = text.substr(1);
    const std::string whole = received(bytes, std::max<std::size_t>(bytes.size(), 1));
    fuzz::require(received(bytes, 1 + static_cast<std::uint8_t>(text.front())) == whole);
    fuzz::require(whole == "-" || received(whole, whole.size()) == whole);
    return 0;
}
