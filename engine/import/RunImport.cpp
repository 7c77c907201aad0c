#include "engine/import/RunImport.h"

#include "engine/base/Files.h"
#include "engine/import/Codes.h"
#include "engine/import/FlightRecorderRun.h"
#include "engine/import/ImportFile.h"
#include "engine/import/ProfilerTrace.h"
#include "engine/import/RunFileOfImport.h"
#include "engine/import/TorchrunLogs.h"

#include <algorithm>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LargestDump = 64U << 20U;

bool isRunFile(const ImportFile& file)
{
    return file.beginning.starts_with("SQLite format 3");
}

Result<FlightRecorderDump> dumpIn(const ImportFile& file, Fingerprint& fingerprint)
{
    const auto rank = file.rankInName();
    if (!rank)
        return fail(code::ImportNoRank, {{"path", file.path.string()}});
    const std::string content = RM_TRY(readUntrustedFile(file.path, LargestDump));
    auto dump = readFlightRecorder(content);
    if (!dump)
        return tl::unexpected(ofFile(std::move(dump).error(), file.path));
    fingerprint.add(content);
    dump->file = file.path;
    dump->writtenNs = file.changedNs;
    dump->rank = *rank;
    return dump;
}

Result<ImportedRun> runOfDumps(const std::vector<ImportFile>& files, Fingerprint& fingerprint)
{
    std::vector<FlightRecorderDump> dumps;
    for (const ImportFile& file : files)
        dumps.push_back(RM_TRY(dumpIn(file, fingerprint)));
    return runOf(std::move(dumps));
}

Result<ImportedRun> runOfTraces(const std::vector<ImportFile>& files, Fingerprint& fingerprint)
{
    std::vector<ProfilerTrace> traces;
    for (const ImportFile& file : files) {
        auto trace = readProfilerTrace(file.path);
        if (!trace)
            return tl::unexpected(ofFile(std::move(trace).error(), file.path));
        fingerprint.add(file.beginning);
        fingerprint.add(std::to_string(trace->operations.size()));
        trace->file = file.path;
        if (trace->rank < 0)
            trace->rank = file.rankInName().value_or(-1);
        if (trace->rank < 0)
            return fail(code::ImportNoRank, {{"path", file.path.string()}});
        traces.push_back(*std::move(trace));
    }
    return runOf(std::move(traces));
}

std::string nameOf(const fs::path& path)
{
    const fs::path whole = fs::absolute(path).lexically_normal();
    const fs::path last = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
    return last.string();
}

/// Of files that are a rank's each.
Result<ImportedRun> readRankFiles(const fs::path& path)
{
    std::vector<ImportFile> dumps;
    std::vector<ImportFile> traces;
    for (ImportFile& file : RM_TRY(importFilesAt(path))) {
        if (looksLikeProfilerTrace(file.beginning))
            traces.push_back(std::move(file));
        else if (looksLikeFlightRecorder(file.beginning))
            dumps.push_back(std::move(file));
    }
    if (dumps.empty() && traces.empty())
        return fail(code::ImportUnknown, {{"path", path.string()}});
    Fingerprint fingerprint;
    // Where both are, the dumps tell what the job ended in.
    ImportedRun run =
        RM_TRY(dumps.empty() ? runOfTraces(traces, fingerprint) : runOfDumps(dumps, fingerprint));
    run.fingerprint = fingerprint.text();
    run.name = nameOf(path);
    run.source = fs::absolute(path).lexically_normal();
    return run;
}

Result<std::vector<ImportedRun>> readRuns(const fs::path& path)
{
    std::error_code error;
    if (fs::is_directory(path, error)) {
        std::vector<ImportedRun> runs = RM_TRY(readTorchrunLogs(path));
        if (!runs.empty())
            return runs;
    }
    return std::vector<ImportedRun>{RM_TRY(readRankFiles(path))};
}

} // namespace

Result<std::vector<std::string>> importRuns(const RunCatalog& catalog, const fs::path& path)
{
    std::error_code error;
    if (fs::is_regular_file(path, error) && isRunFile(RM_TRY(importFilesAt(path)).front()))
        return std::vector<std::string>{RM_TRY(catalog.import(path))};
    std::vector<std::string> ids;
    for (const ImportedRun& run : RM_TRY(readRuns(path)))
        ids.push_back(RM_TRY(keepRun(catalog, run)));
    return ids;
}

Result<std::string> keepRun(const RunCatalog& catalog, const ImportedRun& run)
{
    const std::string id = makeRunId(run.name, run.beganNs, run.fingerprint);
    return catalog.add(id, run.source,
                       [&](const fs::path& folder) { return writeRunFile(run, id, folder); });
}

} // namespace ringmaster
