#include "engine/import/ImportFile.h"

#include "engine/base/Codes.h"
#include "engine/import/Codes.h"
#include "engine/import/JsonValues.h"
#include "engine/import/UnpackedFile.h"

#include <algorithm>
#include <charconv>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t BeginningBytes = 16U << 10U;
constexpr size_t MostFiles = 70'000; // a rank has one

Result<ImportFile> fileAt(const fs::path& path)
{
    const auto content = RM_TRY(UnpackedFile::open(path, UINT64_MAX));
    ImportFile found{.path = path, .changedNs = content->changedNs()};
    found.beginning.resize(BeginningBytes);
    found.beginning.resize(static_cast<size_t>(
        content->sgetn(found.beginning.data(), static_cast<std::streamsize>(BeginningBytes))));
    if (content->problem())
        found.problem = ofFile(*content->problem(), path);
    return found;
}

} // namespace

std::optional<int> ImportFile::rankInName() const
{
    std::string name = path.filename().string();
    for (const std::string_view ending :
         {".gz", ".json", ".log", ".txt", ".pkl", ".pickle", ".pt", ".trace"}) {
        if (name.ends_with(ending))
            name.resize(name.size() - ending.size());
    }
    const auto isDigit = [](char character) { return character >= '0' && character <= '9'; };
    const auto last = std::find_if(name.rbegin(), name.rend(), isDigit);
    const auto before = std::find_if_not(last, name.rend(), isDigit);
    const std::string digits(before.base(), last.base());
    int rank = -1;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    const bool isRank = read.ec == std::errc() && rank >= 0 && rank < MostRanks;
    return isRank ? std::optional(rank) : std::nullopt;
}

Result<std::vector<ImportFile>> importFilesAt(const fs::path& path)
{
    std::error_code error;
    if (!fs::exists(path, error))
        return fail(code::FileNotFound, {{"path", path.string()}});
    if (!fs::is_directory(path, error))
        return std::vector<ImportFile>{RM_TRY(fileAt(path))};
    std::vector<fs::path> paths;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored))
            paths.push_back(entry->path());
        if (paths.size() > MostFiles)
            return fail(code::ImportTooMany,
                        {{"path", path.string()}, {"most", std::to_string(MostFiles)}});
    }
    if (error)
        return fail(code::FileNotReadable, {{"path", path.string()}}, error.message());
    std::ranges::sort(paths);
    std::vector<ImportFile> files;
    for (const fs::path& each : paths)
        files.push_back(RM_TRY(fileAt(each)));
    return files;
}

Error ofFile(Error error, const fs::path& path)
{
    error.parameters.try_emplace("path", path.string());
    return error;
}

} // namespace ringmaster
