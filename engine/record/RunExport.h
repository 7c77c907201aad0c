#pragma once

#include "engine/base/Result.h"
#include "engine/record/RunFolder.h"
#include "engine/record/Secrets.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ringmaster {

struct ExportOptions
{
    bool withLogs = true;
    std::uint64_t logLimit = 256ULL << 20U; ///< The newest output that fits.
    /// Asked again and again; true ends it with code::Cancelled, and nothing is left of it.
    std::function<bool()> isCancelled{};
};

/// What goes out, for the user to look at before it does.
struct ExportReport
{
    std::uint64_t events = 0;
    std::uint64_t logBytes = 0;
    std::uint64_t omittedLogBytes = 0;
    std::vector<std::string> maskedNames{}; ///< Of the environment and of options.
    std::uint64_t fileBytes = 0;            ///< 0 in a preview.
    bool operator==(const ExportReport&) const = default;
};

/// What has to be masked in whatever of the run goes out: the first event has the job file, and its
/// folder what was inherited.
Result<Secrets> secretsOf(const RunFolder& folder, const RunFileReader& reader);

Result<ExportReport> previewExport(const RunFolder& folder, const ExportOptions& options);

/// Writes a run file with its logs inside, the secrets masked there too. Replaces `file` in one
/// step; the run itself, which may still be running, isn't touched.
Result<ExportReport> exportRun(const RunFolder& folder, const std::filesystem::path& file,
                               const ExportOptions& options);

} // namespace ringmaster
