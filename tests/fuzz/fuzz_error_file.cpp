// A worker leaves whatever the fuzzer thinks of as its error.json. What is read of it is bounded,
// and the copy for whoever started the agent says the same.

#include "Fuzz.h"
#include "engine/base/Files.h"
#include "engine/worker/ErrorFile.h"

#include <unistd.h>

using namespace ringmaster;

namespace {

constexpr std::size_t LongestText = 20U << 10U;
constexpr std::size_t LongestTraceback = 260U << 10U;

/// A type is what stands before a colon.
std::string wordsOf(const ErrorReport& report)
{
    std::string words = report.type + report.text;
    std::erase_if(words, [](char character) { return character == ':' || character == ' '; });
    return words;
}

/// A folder in memory, gone with the process.
struct Folder
{
    std::filesystem::path path = "/dev/shm/fuzz_error_file-" + std::to_string(::getpid());

    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Folder folder;
    const std::string_view content = fuzz::textOf(data, size);
    const std::optional<ErrorReport> report = parseErrorFile(content);
    if (!report)
        return 0;
    fuzz::require(report->text.size() <= LongestText &&
                  report->traceback.size() <= LongestTraceback &&
                  report->file.size() <= LongestTraceback);
    const std::filesystem::path copy = folder.path / "error.json";
    fuzz::require(copyErrorFile({}, *report, 1, copy).has_value());
    const std::optional<ErrorReport> copied = readErrorFile(copy);
    fuzz::require(copied.has_value() && copied->timestamp == report->timestamp);
    // What isn't UTF-8 has no place in JSON: it is replaced.
    fuzz::require(wordsOf(*copied) == wordsOf(*report) ||
                  wordsOf(*copied).find("\xEF\xBF\xBD") != std::string::npos);
    return 0;
}
