#include "engine/record/RunFileWriter.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/base/Thread.h"
#include "engine/record/Codes.h"
#include "engine/record/RecordTables.h"
#include "engine/record/RunLock.h"
#include "engine/record/Schema.h"

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <sqlite3.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

using SteadyClock = std::chrono::steady_clock;

/// Above this a batch doesn't wait for its delay.
constexpr size_t WantedBatch = 4096;
constexpr std::chrono::minutes FoldingPeriod{10};
constexpr std::chrono::seconds ShortLife{30};

Unrecorded unrecordedIn(const WriteQueue::Batch& batch)
{
    Unrecorded lost{.events = batch.events.size()};
    for (const LogIndexEntry& row : batch.logRows)
        lost.logBytes += row.length;
    for (const RecordGap& gap : batch.gaps)
        if (gap.kind == RecordGap::Kind::LogOutput)
            lost.logBytes += gap.bytes;
    return lost;
}

} // namespace

struct RunFileWriter::Native
{
    Native(fs::path path, Options given, RunLock runLock)
        : file(std::move(path))
        , options(std::move(given))
        , lock(std::move(runLock))
        , queue(options.limits)
        , clock(options.clock != nullptr ? *options.clock : systemClock)
        , lastFoldingNs(clock.now().monotonicNs)
    {
    }

    Result<void> openDatabase();
    Result<void> start();
    void work();
    bool writeNext(std::unique_lock<std::mutex>& guard);
    void writeSucceeded(size_t events);
    void writeFailed(const Error& error, size_t events);
    void foldSometimes();
    Result<void> settle();
    template <class Item>
    void enqueue(Item&& item);

    const fs::path file;
    const Options options;
    const RunLock lock;

    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable written;
    WriteQueue queue;
    std::uint64_t flushAsked = 0;
    std::uint64_t flushDone = 0;
    std::optional<Error> trouble;
    std::optional<SteadyClock::time_point> giveUpAt;
    size_t inFlight = 0; ///< Events of the batch that is being written.
    int lastLogFile = 0;

    // The thread's own.
    std::optional<SQLite::Database> database;
    std::optional<RecordTables> tables;
    const SystemClock systemClock{};
    const Clock& clock;
    std::int64_t lastFoldingNs;
    const SteadyClock::time_point openedAt = SteadyClock::now();
    bool isNew = false; ///< Made by this writer.
    Unrecorded unrecorded{};

    std::thread thread;
};

RunFileWriter::JournalMode RunFileWriter::journalModeFor(bool isNetworkFileSystem)
{
    return isNetworkFileSystem ? JournalMode::Delete : JournalMode::Wal;
}

Result<void> RunFileWriter::Native::openDatabase()
{
    // Before SQLite does it, which would let others read it; the journal takes the mode over.
    const FileDescriptor created(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!created.isOpen()) {
        return fail(errno == ENOSPC ? code::DiskFull : code::FileNotWritable,
                    {{"path", file.string()}}, errnoText(errno));
    }
    return guarded(file, [&]() -> Result<void> {
        database.emplace(file.string(), SQLite::OPEN_READWRITE, BusyTimeoutMs);
        // An imported run's file is anybody's.
        (void)sqlite3_db_config(database->getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        // A file that is just being made is worth nothing yet: no waiting for the disk.
        database->exec("PRAGMA synchronous = OFF");
        isNew = database->execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
        if (isNew)
            schema::create(*database, {options.run, options.ringmasterVersion});
        const auto mode = journalModeFor(isOnNetworkFileSystem(file.parent_path()));
        if (mode == JournalMode::Wal)
            (void)database->execAndGet("PRAGMA journal_mode = WAL");
        else // It stays as it is while somebody reads it so.
            (void)database->tryExec("PRAGMA journal_mode = DELETE");
        database->exec("PRAGMA synchronous = NORMAL");
        (void)database->execAndGet("PRAGMA journal_size_limit = 8388608");
        const schema::Identity found = RM_TRY(schema::verify(*database, file));
        if (found.run != options.run)
            return fail(code::RunFileNotOne, {{"path", file.string()}},
                        "another run: " + found.run);
        schema::upgrade(*database);
        tables.emplace(*database, file.parent_path());
        lastLogFile = tables->lastLogFile();
        return {};
    });
}

Result<void> RunFileWriter::Native::start()
{
    thread = RM_TRY(startThread("rm-record", [this] { work(); }));
    return {};
}

void RunFileWriter::Native::work()
{
    std::unique_lock guard(mutex);
    for (;;) {
        wake.wait(guard, [&] { return queue.size() > 0 || flushAsked != flushDone || giveUpAt; });
        const auto isUrgent = [&] {
            return giveUpAt || flushAsked != flushDone || queue.size() >= WantedBatch;
        };
        wake.wait_for(guard, options.batchDelay, isUrgent);
        if (!writeNext(guard)) {
            if (giveUpAt && SteadyClock::now() >= *giveUpAt)
                return;
            const auto retryAt = SteadyClock::now() + options.retryDelay;
            const bool wasEnding = giveUpAt.has_value();
            wake.wait_until(guard, retryAt, [&] { return giveUpAt && !wasEnding; });
        } else if (giveUpAt && queue.size() == 0) {
            return;
        }
    }
}

/// One transaction with all that waits. False: it waits again.
bool RunFileWriter::Native::writeNext(std::unique_lock<std::mutex>& guard)
{
    const std::uint64_t flushing = flushAsked;
    WriteQueue::Batch batch = queue.take();
    const size_t events = batch.events.size();
    inFlight = events;
    guard.unlock();
    const Result<void> done = guarded(file, [&] {
        if (batch.size() > 0)
            tables->write(batch);
    });
    guard.lock();
    inFlight = 0;
    if (!done)
        queue.putBack(std::move(batch));
    const size_t waiting = queue.eventCount();
    guard.unlock();

    if (done)
        writeSucceeded(events);
    else
        writeFailed(done.error(), waiting);
    guard.lock();
    if (done)
        trouble.reset();
    else
        trouble = done.error();
    flushDone = flushing;
    written.notify_all();
    return done.has_value();
}

/// On the thread, without the mutex: the callback may append.
void RunFileWriter::Native::writeSucceeded(size_t events)
{
    if (trouble) {
        log::info("record", "run file is written again");
        if (options.onTrouble)
            options.onTrouble({code::RecordResumed,
                               {{"path", file.string()}, {"events", std::to_string(events)}},
                               {}});
    }
    foldSometimes();
}

void RunFileWriter::Native::writeFailed(const Error& error, size_t events)
{
    if (trouble)
        return;
    log::warning("record", "run file can't be written: " + describe(error));
    if (options.onTrouble)
        options.onTrouble({code::RecordStalled,
                           {{"path", file.string()}, {"events", std::to_string(events)}},
                           describe(error)});
}

void RunFileWriter::Native::foldSometimes()
{
    const Moment now = clock.now();
    if (std::chrono::nanoseconds(now.monotonicNs - lastFoldingNs) < FoldingPeriod)
        return;
    lastFoldingNs = now.monotonicNs;
    const auto folded = guarded(file, [&] {
        tables->foldOldSamples(now.wallNs);
        tables->foldOldOperations(now.monotonicNs);
    });
    if (!folded)
        log::warning("record", "what is old could not be folded: " + describe(folded.error()));
}

/// After the thread's end: one file without a journal.
Result<void> RunFileWriter::Native::settle()
{
    unrecorded = unrecordedIn(queue.take());
    const std::uint64_t lost = unrecorded.events;
    tables.reset();
    Result<void> settled = guarded(file, [&] {
        // Only a power cut within seconds could cost such a run its record, and waiting for the
        // disk would take longer than the run did.
        if (isNew && SteadyClock::now() - openedAt < ShortLife)
            database->exec("PRAGMA synchronous = OFF");
        (void)database->execAndGet("PRAGMA wal_checkpoint(TRUNCATE)");
        // A reader elsewhere keeps the mode from changing; what it leaves is whole all the same.
        (void)database->tryExec("PRAGMA journal_mode = DELETE");
    });
    database.reset();
    if (lost > 0)
        return fail(code::RecordIncomplete,
                    {{"path", file.string()}, {"events", std::to_string(lost)}},
                    trouble ? describe(*trouble) : "");
    return settled;
}

template <class Item>
void RunFileWriter::Native::enqueue(Item&& item)
{
    const std::lock_guard guard(mutex);
    queue.add(std::forward<Item>(item));
    wake.notify_one();
}

Result<std::unique_ptr<RunFileWriter>> RunFileWriter::open(const fs::path& file, Options options)
{
    const fs::path whole = absolutePath(file).lexically_normal();
    RunLock lock = RM_TRY(RunLock::acquire(whole.parent_path(), options.lockPatience));
    auto native = std::make_unique<Native>(whole, std::move(options), std::move(lock));
    RM_TRY(native->openDatabase());
    RM_TRY(native->start());
    return std::unique_ptr<RunFileWriter>(new RunFileWriter(std::move(native)));
}

RunFileWriter::RunFileWriter(std::unique_ptr<Native> native) : m_native(std::move(native)) {}

RunFileWriter::~RunFileWriter()
{
    if (const Result<void> finished = finish(); !finished)
        log::error("record", describe(finished.error()));
}

void RunFileWriter::append(Event event)
{
    assert(event.runSequence != 0);
    m_native->enqueue(std::move(event));
}

int RunFileWriter::addLogFile(LogFile file)
{
    const std::lock_guard guard(m_native->mutex);
    m_native->queue.add(++m_native->lastLogFile, std::move(file));
    m_native->wake.notify_one();
    return m_native->lastLogFile;
}

void RunFileWriter::appendLog(const LogIndexEntry& entry)
{
    m_native->enqueue(entry);
}

void RunFileWriter::appendOperations(OperationRow row)
{
    m_native->enqueue(std::move(row));
}

void RunFileWriter::appendFold(FoldRow row)
{
    m_native->enqueue(std::move(row));
}

void RunFileWriter::addLostOutput(Moment at, std::uint64_t bytes)
{
    m_native->enqueue(RecordGap{RecordGap::Kind::LogOutput, at.wallNs, at.wallNs, 1, bytes});
}

Result<void> RunFileWriter::flush()
{
    std::unique_lock guard(m_native->mutex);
    const std::uint64_t mine = ++m_native->flushAsked;
    m_native->wake.notify_one();
    m_native->written.wait(guard, [&] { return m_native->flushDone >= mine; });
    if (m_native->trouble)
        return tl::unexpected(*m_native->trouble);
    return {};
}

Result<void> RunFileWriter::finish()
{
    if (!m_native->thread.joinable())
        return {};
    {
        const std::lock_guard guard(m_native->mutex);
        m_native->giveUpAt = SteadyClock::now() + m_native->options.finishPatience;
        m_native->wake.notify_one();
    }
    m_native->thread.join();
    return m_native->settle();
}

Unrecorded RunFileWriter::unrecorded() const
{
    return m_native->unrecorded;
}

size_t RunFileWriter::pendingEvents() const
{
    const std::lock_guard guard(m_native->mutex);
    return m_native->queue.eventCount() + m_native->inFlight;
}

} // namespace ringmaster
