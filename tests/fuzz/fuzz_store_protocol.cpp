#include "engine/store/StoreProtocol.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace ringmaster;

namespace {

using Progress = StoreRequestScanner::Progress;

void require(bool condition)
{
    if (!condition)
        std::abort();
}

bool isWithin(std::string_view part, std::string_view whole)
{
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

/// The end of the first request must not depend on the pieces in which its bytes arrived.
Progress scanInPieces(std::string_view bytes, std::size_t piece, std::size_t& size)
{
    StoreRequestScanner scanner;
    Progress progress = Progress::Incomplete;
    for (std::size_t arrived = 0; arrived < bytes.size() && progress == Progress::Incomplete;) {
        arrived = std::min(arrived + piece, bytes.size());
        progress = scanner.scan(bytes.substr(0, arrived));
    }
    size = scanner.size();
    return progress;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (bytes.empty())
        return 0;
    const std::size_t piece = data[0] % 16U + 1U;
    bytes.remove_prefix(1);
    StoreRequest request;
    while (!bytes.empty()) {
        std::size_t length = 0;
        std::size_t pieceLength = 0;
        const Progress progress = scanInPieces(bytes, bytes.size(), length);
        require(scanInPieces(bytes, piece, pieceLength) == progress);
        if (progress != Progress::Complete)
            break;
        require(length == pieceLength && length > 0 && length <= bytes.size());
        decodeStoreRequest(bytes.substr(0, length), request);
        for (const std::string_view part : request.strings)
            require(isWithin(part, bytes.substr(0, length)));
        bytes.remove_prefix(length);
    }
    return 0;
}
