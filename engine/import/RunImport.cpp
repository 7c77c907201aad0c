#include "engine/import/RunImport.h"

#include "engine/base/Paths.h"
#include "engine/import/ClogLog.h"
#include "engine/import/Codes.h"
#include "engine/import/FlightRecorderRun.h"
#include "engine/import/ImportFile.h"
#include "engine/import/NcclInspectorRun.h"
#include "engine/import/NcclTests.h"
#include "engine/import/ProfilerRun.h"
#include "engine/import/RunFileOfImport.h"
#include "engine/import/TorchrunLogs.h"
#include "engine/import/UnpackedFile.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LargestDump = 64U << 20U;
constexpr std::uint64_t LargestRankLog = 2ULL << 30U;
constexpr size_t LargestTestOutput = 16U << 20U;

bool isRunFile(const ImportFile& file)
{
    return file.beginning.starts_with("SQLite format 3");
}

Result<FlightRecorderDump> dumpIn(const ImportFile& file, Fingerprint& fingerprint)
{
    const auto rank = file.rankInName();
    if (!rank)
        return fail(code::ImportNoRank, {{"path", file.path.string()}});
    const std::string content = RM_TRY(readUnpacked(file.path, LargestDump));
    auto dump = readFlightRecorder(content);
    if (!dump)
        return tl::unexpected(ofFile(std::move(dump).error(), file.path));
    fingerprint.add(content);
    dump->file = file.path;
    dump->writtenNs = file.changedNs;
    dump->rank = *rank;
    return dump;
}

/// What `read` makes of the lines of a log.
template <class Read>
auto logIn(const ImportFile& file, Read read) -> decltype(read(std::declval<std::istream&>()))
{
    const auto content = RM_TRY(UnpackedFile::open(file.path, LargestRankLog));
    std::istream lines(content.get());
    auto log = read(lines);
    if (content->problem())
        return tl::unexpected(ofFile(*content->problem(), file.path));
    if (!log)
        return tl::unexpected(ofFile(std::move(log).error(), file.path));
    log->file = file.path;
    return log;
}

void add(Fingerprint& fingerprint, const ImportFile& file, size_t operations)
{
    fingerprint.add(file.beginning);
    fingerprint.add(std::to_string(operations));
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
        add(fingerprint, file, trace->operations.size());
        trace->file = file.path;
        if (trace->rank < 0)
            trace->rank = file.rankInName().value_or(-1);
        if (trace->rank < 0)
            return fail(code::ImportNoRank, {{"path", file.path.string()}});
        traces.push_back(*std::move(trace));
    }
    return runOf(std::move(traces));
}

Result<ImportedRun> runOfClogs(const std::vector<ImportFile>& files, Fingerprint& fingerprint)
{
    std::vector<FlightRecorderDump> logs;
    for (const ImportFile& file : files) {
        FlightRecorderDump log = RM_TRY(logIn(file, readClog));
        add(fingerprint, file, log.entries.size());
        if (log.rank < 0)
            log.rank = file.rankInName().value_or(-1);
        if (log.rank < 0)
            return fail(code::ImportNoRank, {{"path", file.path.string()}});
        logs.push_back(std::move(log));
    }
    return runOf(std::move(logs));
}

Result<ImportedRun> runOfInspector(const std::vector<ImportFile>& files, Fingerprint& fingerprint)
{
    std::vector<NcclInspectorLog> logs;
    for (const ImportFile& file : files) {
        logs.push_back(RM_TRY(logIn(file, readNcclInspector)));
        add(fingerprint, file, logs.back().entries.size());
    }
    return runOf(std::move(logs));
}

std::string nameOf(const fs::path& path)
{
    const fs::path whole = absolutePath(path).lexically_normal();
    const fs::path last = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
    return last.string();
}

/// Each table is a sweep: they are compared with each other, and with one's own.
Result<std::vector<ImportedRun>> runsOfNcclTests(const std::vector<ImportFile>& files)
{
    std::vector<ImportedRun> runs;
    for (const ImportFile& file : files) {
        const std::string content = RM_TRY(readUnpacked(file.path, LargestTestOutput));
        auto tables = readNcclTests(content);
        if (!tables)
            return tl::unexpected(ofFile(std::move(tables).error(), file.path));
        for (size_t i = 0; i < tables->size(); ++i) {
            (*tables)[i].file = file.path;
            (*tables)[i].writtenNs = file.changedNs;
            ImportedRun run = RM_TRY(runOf((*tables)[i]));
            Fingerprint fingerprint;
            fingerprint.add(content);
            fingerprint.add(std::to_string(i));
            run.fingerprint = fingerprint.text();
            run.source = absolutePath(file.path).lexically_normal();
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

using ReadFiles = Result<ImportedRun>(const std::vector<ImportFile>&, Fingerprint&);

/// Of files that are a rank's or a process' each. Where several kinds are, the first tells most of
/// what the job ended in.
struct KindOfFiles
{
    bool (*isOne)(std::string_view beginning);
    ReadFiles* read;
};

/// A trace may begin with what a dump has, too.
constexpr std::array<size_t, 4> Sniffed{2, 0, 1, 3};
constexpr std::array<KindOfFiles, 4> KindsOfFiles{{{looksLikeFlightRecorder, runOfDumps},
                                                   {looksLikeClog, runOfClogs},
                                                   {looksLikeProfilerTrace, runOfTraces},
                                                   {looksLikeNcclInspector, runOfInspector}}};

Result<std::vector<ImportedRun>> readFiles(const fs::path& path)
{
    std::array<std::vector<ImportFile>, KindsOfFiles.size()> found;
    std::vector<ImportFile> tests;
    std::optional<Error> problem;
    for (ImportFile& file : RM_TRY(importFilesAt(path))) {
        const auto kind = std::ranges::find_if(
            Sniffed, [&](size_t each) { return KindsOfFiles[each].isOne(file.beginning); });
        if (kind != Sniffed.end())
            found[*kind].push_back(std::move(file));
        else if (looksLikeNcclTests(file.beginning))
            tests.push_back(std::move(file));
        else if (file.problem)
            problem = std::move(file.problem);
    }
    for (size_t kind = 0; kind < found.size(); ++kind) {
        if (found[kind].empty())
            continue;
        Fingerprint fingerprint;
        ImportedRun run = RM_TRY(KindsOfFiles[kind].read(found[kind], fingerprint));
        run.fingerprint = fingerprint.text();
        run.name = nameOf(path);
        run.source = absolutePath(path).lexically_normal();
        return std::vector<ImportedRun>{std::move(run)};
    }
    if (!tests.empty())
        return runsOfNcclTests(tests);
    if (problem)
        return tl::unexpected(*std::move(problem));
    return fail(code::ImportUnknown, {{"path", path.string()}});
}

Result<std::vector<ImportedRun>> readRuns(const fs::path& path)
{
    std::error_code error;
    if (fs::is_directory(path, error)) {
        std::vector<ImportedRun> runs = RM_TRY(readTorchrunLogs(path));
        if (!runs.empty())
            return runs;
    }
    return readFiles(path);
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
