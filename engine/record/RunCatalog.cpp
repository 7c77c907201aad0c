#include "engine/record/RunCatalog.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/record/Codes.h"
#include "engine/record/RunFileWriter.h"
#include "engine/record/RunLock.h"

#include <algorithm>
#include <chrono>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds WriterPatience{100};
/// Who looks at runs leaves those alone that somebody else writes or closes.
constexpr std::chrono::milliseconds NoPatience{0};

/// Nothing is known of the agent of an imported run.
bool mayBeRunning(const RunFolder& folder)
{
    const auto agent = folder.agent();
    return agent && lifeOf(*agent) != AgentLife::Gone;
}

/// By whoever looks after the agent's end.
Event closingEvent(const std::string& run, std::uint64_t last)
{
    Event event;
    event.id = {run, "closer-" + randomToken(8), 1};
    event.runSequence = last + 1;
    event.at = SystemClock().now();
    event.node = AgentRecord::current({}).host;
    event.clock = clockId();
    return event;
}

Event lostEvent(const RunFolder& folder, const RunFileReader& reader, std::uint64_t last)
{
    const auto agent = folder.agent();
    const std::string pid = agent ? std::to_string(agent->process.pid) : "unknown";
    Event event = closingEvent(reader.run(), last);
    event.body = RunStateChanged{RunState::Lost, {code::AgentGone, {{"pid", pid}}, {}}, 1};
    return event;
}

/// With its journal where it has one: the writer takes that in.
Result<void> copyIn(const fs::path& file, const fs::path& folder, const std::string& run)
{
    RM_TRY(makeFolder(folder));
    RM_TRY(writeFileAtomically(folder / "imported", file.string() + "\n"));
    const fs::path copied = folder / "run.ringrun";
    for (const char* suffix : {"", "-wal", "-journal"}) {
        std::error_code error;
        const fs::path source = file.string() + suffix;
        if (!fs::exists(source, error))
            continue;
        if (!fs::copy_file(source, copied.string() + suffix, error))
            return fail(code::FileNotReadable, {{"path", source.string()}}, error.message());
        fs::permissions(copied.string() + suffix, fs::perms::owner_read | fs::perms::owner_write,
                        error);
    }
    const auto writer = RM_TRY(RunFileWriter::open(copied, {.run = run}));
    return writer->finish();
}

/// The run `id` is here with its events up to the `last`. One event more: it was closed as Lost
/// here.
bool isThere(const fs::path& runs, const std::string& id, std::uint64_t last)
{
    const auto known = RunFolder::find(runs, id);
    if (!known)
        return false;
    const auto reader = known->openReader();
    return reader && reader->lastSequence().value_or(0) >= last;
}

/// As fs::remove_all(), which nobody can stop on its way. What can't be removed keeps the folder
/// that it is in.
std::error_code removeTree(const fs::path& path, const std::stop_token& stop)
{
    std::error_code error;
    if (fs::is_directory(fs::symlink_status(path, error))) {
        std::error_code unread;
        for (fs::directory_iterator entry(path, unread), end; !unread && entry != end;
             entry.increment(unread)) {
            if (stop.stop_requested())
                return {};
            (void)removeTree(entry->path(), stop);
        }
    }
    fs::remove(path, error);
    return error;
}

/// What a Ringmaster that was killed or ended had half made or half removed, and what could not be
/// removed.
void sweepHidden(const fs::path& runs, const std::stop_token& stop)
{
    constexpr std::chrono::minutes LongAgo{24 * 60};
    constexpr std::chrono::minutes AWhileAgo{10};
    std::error_code error;
    for (fs::directory_iterator entry(runs, error), end;
         !error && entry != end && !stop.stop_requested(); entry.increment(error)) {
        std::error_code ignored;
        const std::string name = entry->path().filename().string();
        if (!name.starts_with('.'))
            continue;
        const auto age = fs::file_time_type::clock::now() - entry->last_write_time(ignored);
        const bool isRemoved = name.ends_with(".removed"); // nobody needs it, nor takes long
        if (!ignored && age > (isRemoved ? AWhileAgo : LongAgo))
            (void)removeTree(entry->path(), stop);
    }
}

} // namespace

RunCatalog::RunCatalog(fs::path runs) : m_runs(std::move(runs)) {}

std::vector<RunFolder> RunCatalog::folders() const
{
    std::vector<RunFolder> found;
    std::error_code error;
    for (fs::directory_iterator entry(m_runs, error), end; !error && entry != end;
         entry.increment(error)) {
        if (auto folder = RunFolder::find(m_runs, entry->path().filename().string()))
            found.push_back(*std::move(folder));
    }
    return found;
}

RunSummary RunCatalog::look(const RunFolder& folder) const
{
    RunSummary summary = folder.summary();
    if (isFinal(summary.state) && summary.unrecorded != Unrecorded{}) {
        // Where the disk is still full, the list knows more than the file.
        if (const auto done = recordTheEnd(folder, summary); done)
            return folder.summary();
        return summary;
    }
    if (isFinal(summary.state) || summary.isLive)
        return summary;
    const auto closed = closeIfLost(folder);
    summary = folder.summary();
    if (!closed && !isFinal(summary.state)) {
        // Its file can't be read or written: it is over all the same.
        summary.state = RunState::Lost;
        summary.health = {.health = Health::Lost};
        summary.reason = closed.error();
    }
    return summary;
}

std::vector<RunSummary> RunCatalog::list() const
{
    std::vector<RunSummary> runs;
    for (const RunFolder& folder : folders())
        runs.push_back(look(folder));
    std::ranges::sort(runs, [](const RunSummary& a, const RunSummary& b) {
        return std::pair(a.startedAt.wallNs, a.id) > std::pair(b.startedAt.wallNs, b.id);
    });
    return runs;
}

Result<RunFolder> RunCatalog::find(std::string_view id) const
{
    return RunFolder::find(m_runs, id);
}

Result<bool> RunCatalog::closeIfLost(const RunFolder& folder) const
{
    if (mayBeRunning(folder))
        return false;
    // Reading first finds out whose run it is; the lock comes with the writer.
    const std::string run = RM_TRY(folder.openReader()).run();
    auto writer = RunFileWriter::open(folder.runFile(), {.run = run, .lockPatience = NoPatience});
    if (!writer) {
        if (writer.error().code == code::RunFileLocked)
            return false;
        return tl::unexpected(std::move(writer).error());
    }
    bool isLost = false;
    {
        const RunFileReader reader = RM_TRY(folder.openReader());
        RunSnapshot snapshot = RM_TRY(reader.snapshot());
        isLost = !isFinal(snapshot.state);
        if (isLost) {
            const Event event = lostEvent(folder, reader, snapshot.lastSequence);
            (*writer)->append(event);
            RM_TRY((*writer)->flush());
            snapshot.apply(event);
            log::info("record", "run " + folder.id() + " closed as lost");
        }
        RM_TRY(folder.writeSummary(snapshot));
    }
    RM_TRY((*writer)->finish());
    return isLost;
}

/// What its agent could not write when it ended.
Result<void> RunCatalog::recordTheEnd(const RunFolder& folder, const RunSummary& summary) const
{
    const std::string run = RM_TRY(folder.openReader()).run();
    const auto writer = RM_TRY(RunFileWriter::open(
        folder.runFile(),
        {.run = run, .finishPatience = WriterPatience, .lockPatience = NoPatience}));
    RunSnapshot snapshot = RM_TRY(RM_TRY(folder.openReader()).snapshot());
    if (!isFinal(snapshot.state)) {
        Event event = closingEvent(run, snapshot.lastSequence);
        event.at = summary.endedAt;
        event.body = RunStateChanged{summary.state, summary.reason,
                                     summary.state == RunState::Succeeded ? 0 : 1};
        writer->append(event);
        snapshot.apply(event);
    }
    if (summary.unrecorded.logBytes > 0)
        writer->addLostOutput(summary.endedAt, summary.unrecorded.logBytes);
    RM_TRY(writer->flush());
    RM_TRY(writer->finish());
    return folder.writeSummary(snapshot);
}

Result<void> RunCatalog::remove(std::string_view id) const
{
    discard(RM_TRY(hide(id)));
    return {};
}

Result<fs::path> RunCatalog::hide(std::string_view id, const std::stop_token& stop) const
{
    return hideWithin(LockPatience, id, stop);
}

/// Nobody lists a run that is half gone. The name is a fresh one: remains of a run of this id that
/// was here before may still lie about.
Result<fs::path> RunCatalog::hideWithin(std::chrono::milliseconds patience, std::string_view id,
                                        const std::stop_token& stop) const
{
    const RunFolder folder = RM_TRY(find(id));
    if (folder.summary().isLive)
        return fail(code::RunStillRunning, {{"run", std::string(id)}});
    const RunLock lock = RM_TRY(RunLock::acquire(folder.path(), patience, stop));
    fs::path hidden = m_runs / ("." + folder.id() + "." + randomToken(6) + ".removed");
    std::error_code error;
    fs::rename(folder.path(), hidden, error);
    if (error)
        return fail(code::FolderNotWritable, {{"path", folder.path().string()}}, error.message());
    return hidden;
}

void RunCatalog::discard(const fs::path& hidden, const std::stop_token& stop)
{
    const std::error_code error = removeTree(hidden, stop);
    // NFS keeps a file that somebody still has open. The run is gone all the same, and what is left
    // of it goes when others are tidied up.
    if (error && !stop.stop_requested())
        log::warning("record", hidden.string() + " stays for now: " + error.message());
}

std::vector<std::string> RunCatalog::prune(const Retention& retention,
                                           const std::function<void(const RunSummary& run)>& before,
                                           const std::stop_token& stop) const
{
    sweepHidden(m_runs, stop);
    std::vector<RunSummary> runs = list();
    size_t count = runs.size();
    std::uint64_t bytes = 0;
    for (const RunSummary& run : runs)
        bytes += run.sizeBytes;

    std::vector<std::string> removed;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        const bool isWithinBounds = count <= retention.runs && bytes <= retention.bytes;
        if (isWithinBounds || stop.stop_requested())
            break;
        if (run->isPinned || run->isLive)
            continue;
        if (before)
            before(*run);
        const auto hidden = hideWithin(retention.patience, run->id, stop);
        // Others tidy up at the same time, and whoever has the lock removes it.
        std::error_code ignored;
        const bool isGoing = hidden || hidden.error().code == code::RunFileLocked ||
                             !fs::exists(m_runs / run->id, ignored);
        if (!isGoing) {
            log::warning("record", "old run is kept: " + describe(hidden.error()));
            continue;
        }
        count -= 1;
        bytes -= run->sizeBytes;
        if (!hidden)
            continue;
        removed.push_back(run->id);
        discard(*hidden, stop);
    }
    return removed;
}

Result<std::string> RunCatalog::import(const fs::path& file) const
{
    const RunFileReader reader = RM_TRY(RunFileReader::open(file));
    const std::uint64_t last = RM_TRY(reader.lastSequence());
    const std::string run = reader.run();
    if (isThere(m_runs, run, last))
        return run;
    const RunSnapshot snapshot = RM_TRY(reader.snapshot());
    const fs::path hidden = m_runs / ("." + randomToken(12) + ".import");
    RM_TRY(copyIn(file, hidden, run));
    std::string id = run;
    std::error_code error;
    if (!RunFolder::isId(id) || fs::exists(m_runs / id, error))
        id = makeRunId(snapshot.started.name, snapshot.startedAt.wallNs, randomToken(6));
    // Somebody else may open the same at the same time: it is found here, or has taken the name.
    if (!isThere(m_runs, run, last)) {
        fs::rename(hidden, m_runs / id, error);
        if (!error) {
            RM_TRY(closeIfLost(RM_TRY(find(id))));
            return id;
        }
    }
    std::error_code ignored;
    fs::remove_all(hidden, ignored);
    if (isThere(m_runs, run, last))
        return run;
    return fail(code::FolderNotWritable, {{"path", m_runs.string()}}, error.message());
}

Result<std::string>
RunCatalog::add(const std::string& id, const fs::path& source,
                const std::function<Result<void>(const fs::path& folder)>& fill) const
{
    if (find(id))
        return id;
    const fs::path hidden = m_runs / ("." + randomToken(12) + ".import");
    RM_TRY(makeFolder(hidden));
    Result<void> filled = writeFileAtomically(hidden / "imported", source.string() + "\n");
    if (filled)
        filled = fill(hidden);
    std::error_code error;
    if (filled)
        fs::rename(hidden, m_runs / id, error);
    if (filled && !error) {
        RM_TRY(closeIfLost(RM_TRY(find(id))));
        return id;
    }
    std::error_code ignored;
    fs::remove_all(hidden, ignored);
    // Somebody else may have opened the same at the same time.
    if (filled && find(id))
        return id;
    return filled ? fail(code::FolderNotWritable, {{"path", m_runs.string()}}, error.message())
                  : tl::unexpected(std::move(filled).error());
}

} // namespace ringmaster
