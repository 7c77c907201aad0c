// A run file that somebody sent, whose tables hold whatever the fuzzer thinks of. Everything in it
// can be asked for; no answer is larger than it may be, and no file outside its folder is shown.
// The input is a line of [table][a value for each column].

#include "Fuzz.h"
#include "engine/base/Files.h"
#include "engine/event/Proto.h"
#include "engine/record/RunFileReader.h"
#include "engine/record/RunFileWriter.h"

#include <array>

#include <sqlite3.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

constexpr std::string_view OutsideText = "nobody's business";

struct Table
{
    const char* insert;
    std::string_view columns; ///< i: a number, t: text, b: bytes, e: an event's
};

constexpr auto Tables = std::to_array<Table>({
    {"INSERT OR REPLACE INTO meta VALUES (?, ?)", "tt"},
    {"INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", "itbt"},
    {"INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", "iiiiiib"},
    {"INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?, ?, ?)", "iiiiiib"},
    {"INSERT OR REPLACE INTO log_files VALUES (?, ?, ?, ?, ?)", "iiiib"},
    {"INSERT OR REPLACE INTO log_index VALUES (?, ?, ?, ?, ?, ?)", "iiiiii"},
    {"INSERT OR REPLACE INTO log_data VALUES (?, ?, ?)", "iib"},
    {"INSERT OR REPLACE INTO gaps VALUES (?, ?, ?, ?, ?, ?)", "iiiiii"},
    {"INSERT OR REPLACE INTO operations VALUES (?, ?, ?, ?, ?, ?, ?)", "iiiiiib"},
    {"INSERT OR REPLACE INTO operation_folds VALUES (?, ?, ?, ?, ?, ?)", "iiiiib"},
});

/// Numbers are small ones, mostly, so that rows find each other.
std::int64_t numberIn(fuzz::Input& input)
{
    const auto small = input.number<std::int8_t>();
    return small == INT8_MIN ? input.number<std::int64_t>() : small;
}

/// One run file in memory, whose rows are replaced for each input.
class RunFile
{
public:
    RunFile()
    {
        std::filesystem::create_directories(m_folder / "run");
        fuzz::require(writeFileAtomically(m_folder / "outside.log", OutsideText).has_value());
        fuzz::require(writeFileAtomically(m_folder / "run/inside.log", "0123456789").has_value());
        {
            auto writer = RunFileWriter::open(path(), {.run = "run"});
            fuzz::require(writer.has_value() && (*writer)->finish().has_value());
        }
        fuzz::require(sqlite3_open(path().c_str(), &m_database) == SQLITE_OK);
        run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
        for (std::size_t table = 0; table < Tables.size(); ++table)
            fuzz::require(sqlite3_prepare_v2(m_database, Tables[table].insert, -1,
                                             &m_inserts[table], nullptr) == SQLITE_OK);
    }
    ~RunFile()
    {
        for (sqlite3_stmt* insert : m_inserts)
            sqlite3_finalize(insert);
        sqlite3_close(m_database);
        std::filesystem::remove_all(m_folder);
    }
    RunFile(const RunFile&) = delete;
    RunFile& operator=(const RunFile&) = delete;

    std::filesystem::path path() const { return m_folder / "run/run.ringrun"; }

    void fill(fuzz::Input& input)
    {
        run("BEGIN; DELETE FROM sources; DELETE FROM events; DELETE FROM samples; DELETE FROM "
            "log_files;"
            "DELETE FROM log_index; DELETE FROM log_data; DELETE FROM gaps; DELETE FROM operations;"
            "DELETE FROM operation_folds; DELETE FROM meta WHERE name NOT IN ('format', 'run')");
        while (!input.isEmpty())
            insert(input);
        run("COMMIT");
    }

private:
    void insert(fuzz::Input& input)
    {
        const std::size_t table = input.number<std::uint8_t>() % Tables.size();
        sqlite3_stmt* insert = m_inserts[table];
        int place = 0;
        for (const char kind : Tables[table].columns) {
            ++place;
            if (kind == 'i') {
                sqlite3_bind_int64(insert, place, numberIn(input));
                continue;
            }
            const std::string_view text = input.text(input.number<std::uint8_t>());
            if (kind == 't')
                sqlite3_bind_text(insert, place, text.data(), static_cast<int>(text.size()),
                                  SQLITE_TRANSIENT);
            else
                sqlite3_bind_blob(insert, place, text.data(), static_cast<int>(text.size()),
                                  SQLITE_TRANSIENT);
        }
        (void)sqlite3_step(insert); // A row that the table itself refuses isn't there.
        sqlite3_reset(insert);
    }

    void run(const char* statements)
    {
        fuzz::require(sqlite3_exec(m_database, statements, nullptr, nullptr, nullptr) == SQLITE_OK);
    }

    std::filesystem::path m_folder = "/dev/shm/fuzz_run_file-" + std::to_string(::getpid());
    sqlite3* m_database = nullptr;
    std::array<sqlite3_stmt*, Tables.size()> m_inserts{};
};

void checkLogs(const RunFileReader& reader)
{
    for (const auto direction : {LogQuery::Direction::Forward, LogQuery::Direction::Backward}) {
        LogQuery query{.direction = direction, .maxBytes = 4096};
        for (int page = 0; page < 8; ++page) {
            const Result<LogPage> read = reader.readLog(query);
            if (!read || read->chunks.empty())
                break;
            std::uint64_t last = 0;
            std::size_t bytes = 0;
            for (const LogChunk& chunk : read->chunks) {
                fuzz::require(chunk.cursor >= last);
                fuzz::require(chunk.bytes.find(OutsideText.substr(0, 8)) == std::string::npos);
                last = chunk.cursor;
                bytes += chunk.bytes.size();
            }
            fuzz::require(bytes <= 1U << 20U);
            query.cursor =
                direction == LogQuery::Direction::Forward ? last : read->chunks.front().cursor;
        }
    }
    (void)reader.readLog({.fromNs = 5, .ranks = {0, 1}, .attempt = 0});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static RunFile file;
    fuzz::Input input(data, size);
    file.fill(input);
    const auto reader = RunFileReader::open(file.path());
    fuzz::require(reader.has_value());
    std::uint64_t sequence = 0;
    while (const auto events = reader->events(sequence, {.events = 3, .bytes = 1000})) {
        if (events->empty())
            break;
        fuzz::require(events->size() <= 3);
        for (const Event& event : *events) {
            fuzz::require(event.runSequence >= sequence);
            sequence = event.runSequence;
        }
    }
    if (const auto snapshot = reader->snapshot())
        fuzz::require(snapshot->verdicts.size() <= RunSnapshot::MostVerdicts);
    std::uint64_t cursor = 0;
    while (const auto page = reader->operations(cursor, 2)) {
        if (page->rows.empty())
            break;
        fuzz::require(page->cursor > cursor);
        cursor = page->cursor;
    }
    (void)reader->lastSequence();
    (void)reader->foldedOperations();
    (void)reader->gaps();
    (void)reader->logFiles();
    checkLogs(*reader);
    return 0;
}
