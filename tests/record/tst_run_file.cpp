#include "engine/base/Files.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/record/Codes.h"
#include "engine/record/RunFileReader.h"
#include "engine/record/RunFileWriter.h"
#include "tests/event/EventSamples.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include <sqlite3.h>
#include <sys/stat.h>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<RunFileWriter> writerOf(const fs::path& file)
{
    auto writer = RunFileWriter::open(file, {.run = "run-1"});
    return writer ? *std::move(writer) : nullptr;
}

/// Its moments are set by hand.
struct FakeClock : Clock
{
    std::atomic<std::int64_t> ns{0};
    Moment now() const override { return {ns, ns}; }
};

/// The file as SQLite itself sees it.
class SqliteFile
{
public:
    explicit SqliteFile(const fs::path& file) { (void)sqlite3_open(file.c_str(), &m_database); }
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;
    ~SqliteFile() { (void)sqlite3_close(m_database); }

    void execute(const std::string& statements)
    {
        QCOMPARE(sqlite3_exec(m_database, statements.c_str(), nullptr, nullptr, nullptr),
                 SQLITE_OK);
    }

    std::uint64_t sum(const char* query)
    {
        std::uint64_t value = 0;
        const auto take = [](void* target, int, char** columns, char**) {
            *static_cast<std::uint64_t*>(target) = std::strtoull(columns[0], nullptr, 10);
            return 0;
        };
        (void)sqlite3_exec(m_database, query, take, &value, nullptr);
        return value;
    }

private:
    sqlite3* m_database = nullptr;
};

std::vector<Event> numbered(const std::vector<EventBody>& bodies)
{
    std::vector<Event> events;
    for (const EventBody& body : bodies)
        events.push_back(samples::event(events.size() + 1, body));
    return events;
}

} // namespace

class tst_run_file : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = fs::path(m_folder->path().toStdString()) / "run.ringrun";
    }

    void bringsEveryKindOfEventBack()
    {
        const auto events = numbered(samples::everyBody());
        {
            const auto writer = writerOf(m_file);
            for (const Event& event : events)
                writer->append(event);
            QVERIFY(writer->finish().has_value());
        }
        const auto reader = RunFileReader::open(m_file);
        QVERIFY2(reader.has_value(), reader ? "" : describe(reader.error()).c_str());
        QVERIFY(reader->events().value() == events);
        QVERIFY(reader->events(7).value() == std::vector<Event>(events.begin() + 7, events.end()));
        QCOMPARE(reader->events(0, {.events = 3}).value().size(), size_t(3));
        QCOMPARE(reader->events(0, {.bytes = 1}).value().size(), size_t(1));
        QCOMPARE(reader->lastSequence().value(), events.size());
        QCOMPARE(reader->run(), std::string("run-1"));
    }

    void bringsEveryCodeBack()
    {
        std::vector<EventBody> bodies;
        for (const Code code : allCodes())
            bodies.push_back(Notice{Notice::Severity::Info, 1, {code, {{"a", "b"}}, "d"}});
        const auto events = numbered(bodies);
        const auto writer = writerOf(m_file);
        for (const Event& event : events)
            writer->append(event);
        QVERIFY(writer->flush().has_value());
        QVERIFY(RunFileReader::open(m_file)->events().value() == events);
    }

    void givesTheSnapshotThatTheEventsAmountTo()
    {
        const auto events = numbered(samples::everyBody());
        RunSnapshot expected;
        const auto writer = writerOf(m_file);
        for (const Event& event : events) {
            writer->append(event);
            expected.apply(event);
        }
        QVERIFY(writer->flush().has_value());
        QVERIFY(RunFileReader::open(m_file)->snapshot().value() == expected);
    }

    void aSnapshotCountsNoEventThatItHasNot()
    {
        constexpr std::uint64_t Before = 2000;
        const auto writer = writerOf(m_file);
        // To read them takes long enough for others to come.
        for (std::uint64_t sequence = 1; sequence <= Before; ++sequence)
            writer->append(samples::event(sequence, Notice{}));
        QVERIFY(writer->flush().has_value());
        const auto reader = RunFileReader::open(m_file);
        QVERIFY(reader.has_value());
        const std::jthread writing([&](const std::stop_token& stop) {
            for (int attempt = 1; !stop.stop_requested(); ++attempt) {
                const auto sequence = Before + static_cast<std::uint64_t>(attempt);
                writer->append(samples::event(sequence, AttemptStarted{.attempt = attempt}));
                (void)writer->flush();
            }
        });
        for (int attempt = 0; attempt < 100;) {
            const auto snapshot = reader->snapshot();
            QVERIFY(snapshot.has_value());
            attempt = std::max(snapshot->attempt, 0);
            QCOMPARE(snapshot->lastSequence, Before + static_cast<std::uint64_t>(attempt));
        }
    }

    void takesAnEventThatComesTwiceOnce()
    {
        const auto writer = writerOf(m_file);
        const Event event = samples::event(1, Notice{});
        Event again = event;
        again.runSequence = 2;
        writer->append(event);
        writer->append(event);
        writer->append(again);
        QVERIFY(writer->flush().has_value());
        QVERIFY(RunFileReader::open(m_file)->events().value() == std::vector<Event>{event});
    }

    void isReadWhileItIsWritten()
    {
        const auto writer = writerOf(m_file);
        writer->append(samples::event(1, Notice{}));
        QVERIFY(writer->flush().has_value());
        const auto reader = RunFileReader::open(m_file);
        QCOMPARE(reader->lastSequence().value(), std::uint64_t(1));
        writer->append(samples::event(2, Notice{}));
        QVERIFY(writer->flush().has_value());
        QCOMPARE(reader->lastSequence().value(), std::uint64_t(2));
        QVERIFY2(writer->finish().has_value(), "an open reader doesn't keep a run from ending");
    }

    void isOnePrivateFileAtTheEnd()
    {
        writerOf(m_file)->append(samples::event(1, Notice{}));
        struct stat info
        {
        };
        QCOMPARE(::stat(m_file.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        QVERIFY(!fs::exists(m_file.string() + "-wal"));
        const fs::path copy = m_file.parent_path() / "elsewhere" / "copy.ringrun";
        fs::create_directory(copy.parent_path());
        fs::copy_file(m_file, copy);
        QCOMPARE(RunFileReader::open(copy)->lastSequence().value(), std::uint64_t(1));
    }

    void isWholeAtTheEndEvenWhileSomebodyReads()
    {
        auto writer = writerOf(m_file);
        writer->append(samples::event(1, Notice{}));
        QVERIFY(writer->flush().has_value());
        const auto reader = RunFileReader::open(m_file);
        QVERIFY(reader->lastSequence().has_value());
        QVERIFY(writer->finish().has_value());
        const fs::path copy = m_file.parent_path() / "copy.ringrun";
        fs::copy_file(m_file, copy);
        QCOMPARE(RunFileReader::open(copy)->lastSequence().value(), std::uint64_t(1));
    }

    void refusesASecondWriter()
    {
        const auto writer = writerOf(m_file);
        const auto second = RunFileWriter::open(m_file, {.run = "run-1", .lockPatience = {}});
        QVERIFY(second.error().code == code::RunFileLocked);
        QCOMPARE(second.error().parameters.at("pid"), std::to_string(::getpid()));
    }

    /// Whoever closes a lost run has its lock for a moment; then a new lead goes on with it.
    void waitsForOneWhoIsAboutToEnd()
    {
        auto first = writerOf(m_file);
        const auto open = [&] {
            return RunFileWriter::open(m_file,
                                       {.run = "run-1", .lockPatience = std::chrono::minutes(1)})
                .has_value();
        };
        auto second = std::async(std::launch::async, open);
        const auto early = second.wait_for(std::chrono::milliseconds(200));
        first.reset();
        QVERIFY(early == std::future_status::timeout);
        QVERIFY(second.get());
    }

    void goesOnInAFileOfTheSameRunOnly()
    {
        writerOf(m_file)->append(samples::event(1, Notice{}));
        writerOf(m_file)->append(samples::event(2, Notice{}));
        QCOMPARE(RunFileReader::open(m_file)->lastSequence().value(), std::uint64_t(2));
        QVERIFY(RunFileWriter::open(m_file, {.run = "other"}).error().code == code::RunFileNotOne);
    }

    void takesAHundredThousandLogRowsAtOnce()
    {
        const auto writer = writerOf(m_file);
        std::vector<int> files;
        for (int rank = 0; rank < 8; ++rank)
            files.push_back(writer->addLogFile({0, rank, Stream::Stdout, "/none"}));
        std::uint64_t bytes = 0;
        for (std::int64_t i = 0; i < 100'000; ++i) {
            const auto offset = static_cast<std::uint64_t>(i / 8) * 20;
            writer->appendLog(
                {files[static_cast<size_t>(i % 8)], {i * 1'000'000'000, i}, offset, 20});
            bytes += 20;
        }
        QVERIFY(writer->flush().has_value());
        SqliteFile file(m_file);
        QCOMPARE(file.sum("SELECT sum(length) FROM log_index"), bytes);
        QCOMPARE(file.sum("SELECT max(cursor) FROM log_index"),
                 file.sum("SELECT count(*) FROM log_index"));
    }

    void readsAFileOfFormat1()
    {
        // As Ringmaster 0.1 wrote it, in text form: later versions have to read it.
        const std::string dump =
            readFile(RINGMASTER_SOURCE_DIR "/tests/record/format-1.sql").value();
        SqliteFile(m_file).execute(dump);
        const auto reader = RunFileReader::open(m_file);
        QVERIFY2(reader.has_value(), reader ? "" : describe(reader.error()).c_str());
        QCOMPARE(reader->ringmasterVersion(), std::string("0.1.0"));
        const auto events = reader->events().value();
        constexpr size_t KindsOfFormat1 = 10; // Later ones follow these in everyBody().
        auto bodies = samples::everyBody();
        bodies.resize(KindsOfFormat1);
        for (EventBody& body : bodies) // What came later has its default.
            if (auto* exit = std::get_if<WorkerExited>(&body))
                exit->matchesOnlyIf = exit->matchesUnless = false;
        QCOMPARE(events.size(), bodies.size());
        for (std::uint64_t i = 1; i <= events.size(); ++i)
            QVERIFY(events[i - 1] == samples::event(i, bodies[i % bodies.size()]));
        QCOMPARE(reader->snapshot()->worldSize, 8);
        const LogPage page = reader->readLog({}).value();
        QCOMPARE(page.chunks.at(0).offset, std::uint64_t(10));
        QCOMPARE(page.lostBytes, std::uint64_t(99));
    }

    void goesOnInAFileOfFormat1()
    {
        const std::string dump =
            readFile(RINGMASTER_SOURCE_DIR "/tests/record/format-1.sql").value();
        SqliteFile(m_file).execute(dump);
        const std::string run = RunFileReader::open(m_file)->run();
        QVERIFY(RunFileReader::open(m_file)->operations()->rows.empty());
        const size_t events = RunFileReader::open(m_file)->events()->size();
        {
            const auto writer = RunFileWriter::open(m_file, {.run = run}).value();
            writer->appendOperations({.attempt = 1, .globalRank = 2, .count = 3, .block = "b"});
            QVERIFY(writer->finish().has_value());
        }
        const auto reader = RunFileReader::open(m_file).value();
        QCOMPARE(reader.operations()->rows.size(), size_t(1));
        QCOMPARE(reader.events()->size(), events);
    }

    void goesOnInAFileOfFormat2()
    {
        const std::string dump =
            readFile(RINGMASTER_SOURCE_DIR "/tests/record/format-2.sql").value();
        SqliteFile(m_file).execute(dump);
        const std::string run = RunFileReader::open(m_file)->run();
        const auto rows = RunFileReader::open(m_file)->operations()->rows;
        QCOMPARE(rows.size(), size_t(2));
        const OperationBatch batch = unpackOperations(rows[1].block).value();
        QCOMPARE(batch.operations.size(), size_t(8));
        QCOMPARE(batch.groups.at(0).members, (std::vector<int>{0, 1}));
        QVERIFY(batch.sites.empty());
        const Operation& bucket = batch.operations.back();
        QVERIFY(bucket.kind == ledger::OperationKind::AllReduce && bucket.bytes == 1088);
        QVERIFY(bucket.backend == ledger::Backend::Unknown && bucket.site == 0);
        QVERIFY(bucket.enqueuedNs <= bucket.startedNs && bucket.startedNs <= bucket.endedNs);
        QCOMPARE(RunFileReader::open(m_file)->foldedOperations()->rows.size(), size_t(0));
        {
            const auto writer = RunFileWriter::open(m_file, {.run = run}).value();
            writer->appendFold({.attempt = 1, .untilNs = 3, .count = 3, .block = "b"});
            QVERIFY(writer->finish().has_value());
        }
        SqliteFile file(m_file);
        QCOMPARE(file.sum("SELECT count(*) FROM operation_folds"), std::uint64_t(1));
        QCOMPARE(file.sum("SELECT count(*) FROM operations"), std::uint64_t(2));
    }

    void operationsOlderThanAnHourAreFoldsOnly()
    {
        constexpr std::int64_t Minute = 60'000'000'000;
        FakeClock clock;
        const auto writer = RunFileWriter::open(m_file, {.run = "r", .clock = &clock}).value();
        for (int minute = 0; minute <= 90; ++minute) {
            clock.ns = (minute + 1) * Minute;
            writer->appendOperations({.firstNs = minute * Minute,
                                      .lastNs = minute * Minute + 1,
                                      .count = 7,
                                      .block = "block"});
            writer->appendFold({.firstNs = minute * Minute,
                                .untilNs = (minute + 1) * Minute,
                                .count = 7,
                                .block = "fold"});
            QVERIFY(writer->flush().has_value());
        }
        const auto reader = RunFileReader::open(m_file).value();
        const auto folded = reader.foldedOperations().value();
        // At ninety minutes, the latest of every ten.
        QCOMPARE(folded.beforeNs, 30 * Minute);
        QCOMPARE(reader.foldedBefore().value(), folded.beforeNs);
        QCOMPARE(folded.rows.size(), size_t(30));
        QCOMPARE(
            folded.rows[3],
            (FoldRow{.firstNs = 3 * Minute, .untilNs = 4 * Minute, .count = 7, .block = "fold"}));
        const auto exact = reader.operations().value().rows;
        QVERIFY(exact.front().firstNs >= 29 * Minute);
        QCOMPARE(exact.back().firstNs, 90 * Minute);
    }

    void whatThereIsNoFoldOfStays()
    {
        constexpr std::int64_t Hour = 3600'000'000'000;
        FakeClock clock;
        const auto writer = RunFileWriter::open(m_file, {.run = "r", .clock = &clock}).value();
        writer->appendOperations({.lastNs = 1, .count = 7, .block = "block"});
        QVERIFY(writer->flush().has_value());
        clock.ns = 5 * Hour;
        writer->appendOperations({.lastNs = 2, .count = 7, .block = "block"});
        QVERIFY(writer->flush().has_value());
        const auto reader = RunFileReader::open(m_file).value();
        QCOMPARE(reader.operations()->rows.size(), size_t(2));
        QCOMPARE(reader.foldedBefore().value(), std::int64_t(0));
    }

    void keepsBlocksOfOperationsInTheirOrder()
    {
        const auto writer = RunFileWriter::open(m_file, {.run = "r"}).value();
        std::vector<OperationRow> rows;
        for (int i = 0; i < 5; ++i) {
            rows.push_back({.attempt = 0,
                            .globalRank = i % 2,
                            .firstNs = i,
                            .lastNs = i + 10,
                            .count = 7,
                            .block = std::string(3, static_cast<char>(i))});
            writer->appendOperations(rows.back());
        }
        QVERIFY(writer->flush().has_value());
        const auto reader = RunFileReader::open(m_file).value();
        const auto first = reader.operations(0, 3).value();
        QVERIFY(first.rows == std::vector(rows.begin(), rows.begin() + 3));
        const auto second = reader.operations(first.cursor, 3).value();
        QVERIFY(second.rows == std::vector(rows.begin() + 3, rows.end()));
        QCOMPARE(reader.operations(second.cursor)->cursor, second.cursor);
        QVERIFY(reader.operations(second.cursor)->rows.empty());
    }

    void doesNotUseWalOnANetworkFileSystem()
    {
        QVERIFY(RunFileWriter::journalModeFor(true) == RunFileWriter::JournalMode::Delete);
        QVERIFY(RunFileWriter::journalModeFor(false) == RunFileWriter::JournalMode::Wal);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_file;
};

QTEST_GUILESS_MAIN(tst_run_file)
#include "tst_run_file.moc"
