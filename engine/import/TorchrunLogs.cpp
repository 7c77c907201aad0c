#include "engine/import/TorchrunLogs.h"

#include "engine/agent/FirstCauseFinder.h"
#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/import/Codes.h"
#include "engine/import/JsonValues.h"
#include "engine/worker/Codes.h"
#include "engine/worker/ErrorFile.h"
#include "engine/worker/Traceback.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t MostRunFolders = 1000;
constexpr size_t MostAttempts = 10'000;
constexpr size_t TailBytes = 64U << 10U;
constexpr size_t LargestErrorFile = 8U << 20U;

std::optional<int> numberIn(std::string_view text)
{
    int number = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return isNumber && number >= 0 && number < MostRanks ? std::optional(number) : std::nullopt;
}

/// "attempt_2"; Ringmaster's own "attempt_2_1" isn't torchrun's.
std::optional<int> attemptOf(const fs::path& folder)
{
    constexpr std::string_view Prefix = "attempt_";
    const std::string name = folder.filename().string();
    return name.starts_with(Prefix) ? numberIn(std::string_view(name).substr(Prefix.size()))
                                    : std::nullopt;
}

/// Folders in a folder, without links.
std::vector<fs::path> foldersIn(const fs::path& folder)
{
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_directory(ignored) && !entry->is_symlink(ignored))
            folders.push_back(entry->path());
    }
    std::ranges::sort(folders);
    return folders;
}

struct FileFacts
{
    std::uint64_t size = 0;
    std::int64_t changedNs = 0;
};

/// Nothing: no regular file.
std::optional<FileFacts> factsOf(const fs::path& path)
{
    struct stat facts
    {
    };
    if (lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode))
        return std::nullopt;
    return FileFacts{static_cast<std::uint64_t>(facts.st_size),
                     facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec};
}

std::int64_t changedNs(const fs::path& folder)
{
    struct stat facts
    {
    };
    return lstat(folder.c_str(), &facts) == 0
               ? facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec
               : 0;
}

std::string tailOf(const fs::path& path, std::uint64_t size)
{
    const auto file = openUntrustedFile(path);
    if (!file)
        return {};
    std::string tail(std::min<std::uint64_t>(size, TailBytes), '\0');
    const ssize_t got =
        pread(file->get(), tail.data(), tail.size(), static_cast<off_t>(size - tail.size()));
    tail.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    return tail;
}

/// Of what it printed, when that ends with it: what comes before may have been survived.
std::optional<ErrorReport> lastWords(std::string_view tail)
{
    auto report = lastTraceback(tail);
    if (!report || report->type.empty())
        return std::nullopt;
    const size_t end = tail.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos)
        return std::nullopt;
    const size_t begin = tail.rfind('\n', end);
    const std::string_view line =
        tail.substr(begin == std::string_view::npos ? 0 : begin + 1, end - begin);
    return line.find(report->type) == std::string_view::npos ? std::nullopt : report;
}

struct RankFolder
{
    fs::path path{};
    int rank = 0;
    std::map<std::string, FileFacts> files{};
};

struct AttemptFolder
{
    fs::path path{};
    int number = 0;
    std::vector<RankFolder> ranks{};
    std::int64_t beganNs = 0;
    std::int64_t endedNs = 0;
};

std::optional<AttemptFolder> attemptIn(const fs::path& folder)
{
    const auto number = attemptOf(folder);
    if (!number)
        return std::nullopt;
    AttemptFolder attempt{.path = folder, .number = *number, .beganNs = changedNs(folder)};
    for (const fs::path& path : foldersIn(folder)) {
        RankFolder found{.path = path, .rank = numberIn(path.filename().string()).value_or(-1)};
        for (const char* name : {"stdout.log", "stderr.log", "error.json"}) {
            const auto facts = factsOf(path / name);
            if (!facts)
                continue;
            found.files[name] = *facts;
            attempt.beganNs = std::min(attempt.beganNs, facts->changedNs);
            attempt.endedNs = std::max(attempt.endedNs, facts->changedNs);
        }
        // A rank that has printed nothing has a folder, too.
        if (found.rank >= 0)
            attempt.ranks.push_back(std::move(found));
    }
    attempt.endedNs = std::max(attempt.endedNs, attempt.beganNs);
    std::ranges::sort(attempt.ranks, {}, &RankFolder::rank);
    const bool hasFiles = std::ranges::any_of(
        attempt.ranks, [](const RankFolder& rank) { return !rank.files.empty(); });
    return hasFiles ? std::optional(std::move(attempt)) : std::nullopt;
}

/// One folder of torchrun's, of one run on one node.
class TorchrunRun
{
public:
    explicit TorchrunRun(std::vector<AttemptFolder> attempts) : m_attempts(std::move(attempts)) {}

    ImportedRun run()
    {
        m_run.beganNs = m_attempts.front().beganNs;
        for (AttemptFolder& attempt : m_attempts) {
            m_run.beganNs = std::min(m_run.beganNs, attempt.beganNs);
            m_run.endedNs = std::max(m_run.endedNs, attempt.endedNs);
        }
        m_run.tell(m_run.beganNs, RunStateChanged{RunState::Running});
        for (size_t i = 0; i < m_attempts.size(); ++i)
            readAttempt(m_attempts[i], static_cast<int>(i));
        m_run.fingerprint = m_fingerprint.text();
        tellSource();
        return std::move(m_run);
    }

private:
    void readAttempt(const AttemptFolder& folder, int attempt)
    {
        AttemptStarted started{.attempt = attempt,
                               .restartCount = folder.number,
                               .worldSize = static_cast<int>(folder.ranks.size()),
                               .logFolder = folder.path.string()};
        for (const RankFolder& rank : folder.ranks)
            started.workers.push_back({.localRank = rank.rank,
                                       .globalRank = rank.rank,
                                       .roleRank = rank.rank,
                                       .roleWorldSize = started.worldSize,
                                       .logFolder = rank.path.string()});
        m_run.tell(folder.beganNs, std::move(started));
        std::vector<Failure> failures;
        for (const RankFolder& rank : folder.ranks) {
            tellState(folder.beganNs, attempt, rank.rank, WorkerState::Healthy);
            addLogs(rank, attempt);
            if (auto failure = failureOf(rank, attempt))
                failures.push_back(*std::move(failure));
        }
        m_hasFailed = !failures.empty();
        if (m_hasFailed)
            tellEnds(folder, attempt, std::move(failures));
    }

    void tellState(std::int64_t atNs, int attempt, int rank, WorkerState state)
    {
        m_run.tell(atNs,
                   WorkerStateChanged{
                       .attempt = attempt, .globalRank = rank, .localRank = rank, .state = state});
    }

    void addLogs(const RankFolder& rank, int attempt)
    {
        for (const auto& [name, facts] : rank.files) {
            m_fingerprint.add(name + std::to_string(rank.rank) + " " + std::to_string(attempt) +
                              " " + std::to_string(facts.size));
            if (name == "error.json")
                continue;
            m_run.logs.push_back({attempt, rank.rank,
                                  name == "stdout.log" ? Stream::Stdout : Stream::Stderr,
                                  rank.path / name, facts.changedNs});
        }
    }

    /// A rank that raised under @record wrote a file; of another its last words may tell it.
    std::optional<Failure> failureOf(const RankFolder& rank, int attempt)
    {
        std::optional<ErrorReport> report;
        Failure failure{.logFolder = rank.path.string()};
        if (const auto file = rank.files.find("error.json"); file != rank.files.end()) {
            const auto content = readUntrustedFile(rank.path / "error.json", LargestErrorFile);
            if (content) {
                m_fingerprint.add(*content);
                report = parseErrorFile(*content);
                failure.exit.errorFile = rank.path / "error.json";
                failure.at = {file->second.changedNs, file->second.changedNs};
            }
        }
        if (const auto log = rank.files.find("stderr.log"); log != rank.files.end()) {
            failure.stderrTail = tailOf(rank.path / "stderr.log", log->second.size);
            m_fingerprint.add(failure.stderrTail);
            if (!report) {
                report = lastWords(failure.stderrTail);
                failure.at = {log->second.changedNs, log->second.changedNs};
            }
        }
        if (!report)
            return std::nullopt;
        locate(*report);
        failure.raisedAt = report->timestamp;
        failure.file = report->file;
        failure.line = report->line;
        WorkerExited& exit = failure.exit;
        exit.attempt = attempt;
        exit.globalRank = exit.localRank = rank.rank;
        exit.status.code = 1; // as Python's after an exception that nobody catches
        exit.errorType = report->type;
        exit.errorText = report->text;
        exit.traceback = report->traceback;
        exit.explanation = {report->line > 0 ? code::WorkerRaisedAt : code::WorkerRaised,
                            {{"rank", std::to_string(rank.rank)},
                             {"type", report->type},
                             {"text", report->text},
                             {"file", report->file},
                             {"line", std::to_string(report->line)}},
                            {}};
        return failure;
    }

    void tellEnds(const AttemptFolder& folder, int attempt, std::vector<Failure> failures)
    {
        for (const Failure& failure : failures)
            m_run.tell(failure.at.wallNs, failure.exit);
        for (const RankFolder& rank : folder.ranks) {
            const bool isTold = std::ranges::any_of(failures, [&](const Failure& failure) {
                return failure.exit.globalRank == rank.rank;
            });
            // torchrun has ended it, or it had succeeded before: nobody says which.
            if (!isTold)
                tellState(folder.endedNs, attempt, rank.rank, WorkerState::Unknown);
        }
        if (auto cause = FirstCauseFinder(std::move(failures)).find(attempt))
            m_run.tell(folder.endedNs, *std::move(cause));
    }

    void tellSource()
    {
        m_run.note({code::ImportedTorchrun,
                    {{"path", m_attempts.front().path.parent_path().string()}},
                    {}});
        m_run.note({code::ImportedLocalRanks, {}, {}});
        m_run.note({code::ImportedLineTimes, {}, {}});
        if (m_hasFailed)
            m_run.end = {.state = RunState::Failed, .exitCode = 1};
        else
            m_run.note({code::ImportedNoFailure, {}, {}});
    }

    std::vector<AttemptFolder> m_attempts;
    bool m_hasFailed = false; ///< The last attempt.
    Fingerprint m_fingerprint;
    ImportedRun m_run;
};

std::vector<AttemptFolder> attemptsIn(const fs::path& folder)
{
    std::vector<AttemptFolder> attempts;
    for (const fs::path& path : foldersIn(folder)) {
        if (auto attempt = attemptIn(path); attempt && attempts.size() < MostAttempts)
            attempts.push_back(*std::move(attempt));
    }
    std::ranges::sort(attempts, {}, &AttemptFolder::number);
    return attempts;
}

} // namespace

Result<std::vector<ImportedRun>> readTorchrunLogs(const fs::path& given)
{
    std::error_code error;
    const fs::path real = fs::weakly_canonical(given, error);
    const fs::path path = error ? given : real;
    std::vector<ImportedRun> runs;
    const auto add = [&](const fs::path& folder, std::vector<AttemptFolder> attempts) {
        if (attempts.empty())
            return;
        ImportedRun run = TorchrunRun(std::move(attempts)).run();
        run.name = folder.filename().string();
        run.source = folder;
        runs.push_back(std::move(run));
    };
    if (auto attempt = attemptIn(path)) {
        add(path.parent_path(), {*std::move(attempt)});
        return runs;
    }
    add(path, attemptsIn(path));
    if (!runs.empty())
        return runs;
    for (const fs::path& folder : foldersIn(path)) {
        add(folder, attemptsIn(folder));
        if (runs.size() > MostRunFolders)
            return fail(code::ImportTooMany,
                        {{"path", path.string()}, {"most", std::to_string(MostRunFolders)}});
    }
    return runs;
}

} // namespace ringmaster
