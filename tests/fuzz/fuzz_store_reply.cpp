// A server answers whatever the fuzzer thinks of; read at once or byte by byte, it is the same
// reply. The first byte says what the client asked for.

#include "engine/store/StoreReply.h"

#include <cstdint>
#include <cstdlib>

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    const auto kind = static_cast<StoreReplyReader::Kind>(data[0] % 6);
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);

    StoreReplyReader atOnce(kind, data[0] / 6);
    const Result<bool> complete = atOnce.read(bytes);

    StoreReplyReader inPieces(kind, data[0] / 6);
    Result<bool> last = inPieces.read({});
    for (size_t count = 1; last && !*last && count <= bytes.size(); ++count)
        last = inPieces.read(bytes.substr(0, count));

    if (complete.has_value() != last.has_value() || (complete && *complete != *last))
        std::abort();
    if (complete && *complete) {
        const StoreReply first = atOnce.take();
        const StoreReply second = inPieces.take();
        if (atOnce.size() != inPieces.size() || first.number != second.number ||
            first.texts != second.texts)
            std::abort();
    }
    return 0;
}
