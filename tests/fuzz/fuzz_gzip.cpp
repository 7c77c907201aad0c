// A gzipped file, which somebody sent: however it is packed, what comes of it is bounded.

#include "Fuzz.h"
#include "engine/import/UnpackedFile.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::uint64_t Most = 4U << 20U;
    static const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("fuzz_gzip." + std::to_string(getpid()));
    std::ofstream(path, std::ios::binary) << fuzz::textOf(data, size);
    const auto content = readUnpacked(path, Most);
    if (content)
        fuzz::require(content->size() <= Most);
    return 0;
}
