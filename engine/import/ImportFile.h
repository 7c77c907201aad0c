#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// A file that may be what something else wrote of a job, known by how it begins.
struct ImportFile
{
    std::filesystem::path path{};
    std::string beginning{};        ///< A few kilobytes, unpacked where it is gzipped.
    std::optional<Error> problem{}; ///< Of a packed one, whose beginning can't be read.
    std::int64_t changedNs = 0;

    /// By its name, where that has a number: the last one.
    std::optional<int> rankInName() const;
};

/// Of one file, or of all in a folder, by name; what is no regular file isn't looked at.
Result<std::vector<ImportFile>> importFilesAt(const std::filesystem::path& path);

/// The error names the file that it is about.
Error ofFile(Error error, const std::filesystem::path& path);

} // namespace ringmaster
