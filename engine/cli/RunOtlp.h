#pragma once

#include "engine/base/Result.h"
#include "engine/cli/OtlpWriter.h"
#include "engine/record/RunFolder.h"

#include <cstdint>
#include <filesystem>

namespace ringmaster {

struct OtlpReport
{
    std::uint64_t spans = 0;
    std::uint64_t records = 0; ///< Lines of output, verdicts and notices.
};

/// Writes a run for OpenTelemetry: as a trace the run, its attempts, its restarts, its ranks, and
/// the operations of each kind in spans of time; as logs what its workers printed and what was said
/// of it. Secrets are masked as in an export.
Result<OtlpReport> writeOtlp(const RunFolder& folder, OtlpWriter::Sink& sink, bool withLogs);
/// The same into a file, a request a line, as the collector's file exporter and receiver have it.
/// Replaces `file` in one step.
Result<OtlpReport> writeOtlp(const RunFolder& folder, const std::filesystem::path& file,
                             bool withLogs);

} // namespace ringmaster
