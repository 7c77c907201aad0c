#include "engine/record/RunFileReader.h"

#include "engine/base/Paths.h"
#include "engine/event/Proto.h"
#include "engine/record/LogPaging.h"
#include "engine/record/RunFileReaderNative.h"

#include <limits>

#include <SQLiteCpp/Transaction.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

// Both tables are in the order of the run sequence, so SQLite merges them as they are read.
constexpr const char* EventsQuery = R"(
SELECT run_sequence, agent, sequence, node, clock, mono, wall, body FROM
    (SELECT run_sequence, source, sequence, mono, wall, body FROM events WHERE run_sequence > ?1
     UNION ALL
     SELECT run_sequence, source, sequence, mono, wall, body FROM samples WHERE run_sequence > ?1
     ORDER BY run_sequence LIMIT ?2) AS both
LEFT JOIN sources ON sources.id = both.source ORDER BY run_sequence
)";

constexpr const char* StateQuery = R"(
SELECT run_sequence, agent, sequence, node, clock, mono, wall, body
FROM events LEFT JOIN sources ON sources.id = source ORDER BY run_sequence
)";

constexpr const char* KindQuery = R"(
SELECT run_sequence, agent, sequence, node, clock, mono, wall, body
FROM events LEFT JOIN sources ON sources.id = source WHERE kind = ? ORDER BY run_sequence
)";

EventBody bodyOf(const std::string& bytes)
{
    Result<EventBody> body = parseEventBody(bytes);
    return body ? *std::move(body) : noticeInsteadOf(body.error());
}

Event eventOf(SQLite::Statement& row, const std::string& run, const std::string& body)
{
    Event event;
    event.runSequence = unsignedOf(row.getColumn(0).getInt64());
    event.id = {run, row.getColumn(1).getString(), unsignedOf(row.getColumn(2).getInt64())};
    event.node = bytesOf(row.getColumn(3));
    event.clock = row.getColumn(4).getString();
    event.at = {row.getColumn(5).getInt64(), row.getColumn(6).getInt64()};
    event.body = bodyOf(body);
    return event;
}

} // namespace

Result<RunFileReader> RunFileReader::open(const fs::path& file, Origin origin)
{
    const fs::path whole = absolutePath(file).lexically_normal();
    auto native = std::make_unique<Native>();
    native->file = whole;
    native->folder = whole.parent_path();
    native->origin = origin;
    native->opened = RM_TRY(OpenedRunFile::open(whole));
    native->identity =
        RM_TRY(guarded(whole, [&] { return schema::verify(native->database(), whole); }));
    return RunFileReader(std::move(native));
}

RunFileReader::RunFileReader(std::unique_ptr<Native> native) : m_native(std::move(native)) {}
RunFileReader::RunFileReader(RunFileReader&&) noexcept = default;
RunFileReader& RunFileReader::operator=(RunFileReader&&) noexcept = default;
RunFileReader::~RunFileReader() = default;

const std::string& RunFileReader::run() const
{
    return m_native->identity.run;
}

const std::string& RunFileReader::ringmasterVersion() const
{
    return m_native->identity.ringmasterVersion;
}

Result<std::vector<Event>> RunFileReader::events(std::uint64_t sequence) const
{
    return events(sequence, Limits());
}

Result<std::vector<Event>> RunFileReader::events(std::uint64_t sequence, Limits limits) const
{
    return guarded(m_native->file, [&] {
        SQLite::Statement query(m_native->database(), EventsQuery);
        query.bind(1, signedOf(sequence));
        query.bind(2, signedOf(limits.events));
        std::vector<Event> found;
        size_t bytes = 0;
        while (bytes < limits.bytes && query.executeStep()) {
            const std::string body = bytesOf(query.getColumn(7));
            bytes += body.size();
            found.push_back(m_native->restored(eventOf(query, m_native->identity.run, body)));
        }
        return found;
    });
}

Result<std::vector<Event>> RunFileReader::evidence() const
{
    return ofKind(Evidence());
}

Result<std::vector<Event>> RunFileReader::notices() const
{
    return ofKind(Notice());
}

Result<std::vector<Event>> RunFileReader::ofKind(const EventBody& body) const
{
    return guarded(m_native->file, [&] {
        SQLite::Statement query(m_native->database(), KindQuery);
        query.bind(1, kindOf(body));
        std::vector<Event> found;
        while (query.executeStep())
            found.push_back(m_native->restored(
                eventOf(query, m_native->identity.run, bytesOf(query.getColumn(7)))));
        return found;
    });
}

Result<std::uint64_t> RunFileReader::lastSequence() const
{
    return guarded(m_native->file, [&] {
        return unsignedOf(
            m_native->database()
                .execAndGet("SELECT max(ifnull((SELECT max(run_sequence) FROM events), 0),"
                            " ifnull((SELECT max(run_sequence) FROM samples), 0))")
                .getInt64());
    });
}

Result<RunSnapshot> RunFileReader::snapshot() const
{
    RunSnapshot snapshot{.run = m_native->identity.run};
    // Samples change no state, and there are far more of them than of all the others.
    RM_TRY(guarded(m_native->file, [&]() -> Result<void> {
        // What is written meanwhile isn't in it, so it mustn't be counted either.
        const SQLite::Transaction transaction(m_native->database());
        SQLite::Statement query(m_native->database(), StateQuery);
        while (query.executeStep())
            snapshot.apply(m_native->restored(
                eventOf(query, m_native->identity.run, bytesOf(query.getColumn(7)))));
        snapshot.lastSequence = RM_TRY(lastSequence());
        return {};
    }));
    return snapshot;
}

Result<std::map<std::tuple<int, int, Stream>, std::uint64_t>>
RunFileReader::recordedLogBytes() const
{
    return guarded(m_native->file, [&] {
        SQLite::Statement query(m_native->database(),
                                "SELECT attempt, rank, stream, max(offset + length) FROM log_files "
                                "JOIN log_index ON file = id GROUP BY attempt, rank, stream");
        std::map<std::tuple<int, int, Stream>, std::uint64_t> bytes;
        while (query.executeStep()) {
            const Stream stream =
                query.getColumn(2).getInt() == 0 ? Stream::Stdout : Stream::Stderr;
            const std::int64_t end = query.getColumn(3).getInt64();
            bytes[{query.getColumn(0).getInt(), query.getColumn(1).getInt(), stream}] =
                static_cast<std::uint64_t>(std::max<std::int64_t>(end, 0));
        }
        return bytes;
    });
}

Result<LogPage> RunFileReader::readLog(const LogQuery& query) const
{
    return guarded(m_native->file, [&] {
        SQLite::Database& database = m_native->database();
        // Files and rows as of one moment: a row whose file came in between would be left out.
        const SQLite::Transaction transaction(database);
        LogFiles files(database, m_native->folder, m_native->origin);
        return logPage(database, files, query);
    });
}

Result<std::vector<LogLine>> RunFileReader::readLines(const std::vector<LogPlace>& places) const
{
    const auto bytes = RM_TRY(readLineBytes(places, std::numeric_limits<size_t>::max()));
    std::vector<LogLine> lines;
    for (size_t i = 0; i < places.size(); ++i)
        lines.push_back(lineOf(places[i], bytes[i]));
    return lines;
}

Result<std::vector<std::string>> RunFileReader::readLineBytes(const std::vector<LogPlace>& places,
                                                              size_t mostBytes) const
{
    return guarded(m_native->file, [&] {
        LogFiles files(m_native->database(), m_native->folder, m_native->origin);
        std::map<std::tuple<int, int, Stream>, int> ids;
        for (const auto& [id, file] : files.all())
            ids[{file.attempt, file.globalRank, file.stream}] = id;
        std::vector<std::string> lines;
        size_t size = 0;
        for (const LogPlace& place : places) {
            const auto id = ids.find({place.attempt, place.globalRank, place.stream});
            std::string bytes =
                id == ids.end()
                    ? std::string()
                    : files.read(id->second, place.offset,
                                 std::min<std::uint64_t>(place.length, LogAssembler::LongestLine));
            size += bytes.size();
            if (size > mostBytes && !lines.empty())
                break;
            lines.push_back(std::move(bytes));
        }
        return lines;
    });
}

Result<std::vector<LogFile>> RunFileReader::logFiles() const
{
    return guarded(m_native->file, [&] {
        SQLite::Statement query(m_native->database(),
                                "SELECT attempt, rank, stream, path FROM log_files ORDER BY id");
        std::vector<LogFile> files;
        while (query.executeStep()) {
            files.push_back({query.getColumn(0).getInt(), query.getColumn(1).getInt(),
                             query.getColumn(2).getInt() == 0 ? Stream::Stdout : Stream::Stderr,
                             m_native->folder / bytesOf(query.getColumn(3))});
        }
        return files;
    });
}

Result<RunFileReader::OperationPage> RunFileReader::operations(std::uint64_t cursor,
                                                               size_t limit) const
{
    return guarded(m_native->file, [&] {
        OperationPage page{.cursor = cursor};
        if (!schema::hasOperations(m_native->database()))
            return page;
        SQLite::Statement query(m_native->database(),
                                "SELECT id, attempt, rank, first_mono, last_mono, count, body "
                                "FROM operations WHERE id > ? ORDER BY id LIMIT ?");
        query.bind(1, signedOf(cursor));
        query.bind(2, signedOf(limit));
        while (query.executeStep()) {
            page.cursor = unsignedOf(query.getColumn(0).getInt64());
            page.rows.push_back({.attempt = query.getColumn(1).getInt(),
                                 .globalRank = query.getColumn(2).getInt(),
                                 .firstNs = query.getColumn(3).getInt64(),
                                 .lastNs = query.getColumn(4).getInt64(),
                                 .count = unsignedOf(query.getColumn(5).getInt64()),
                                 .block = bytesOf(query.getColumn(6))});
        }
        return page;
    });
}

Result<std::int64_t> RunFileReader::foldedBefore() const
{
    return guarded(m_native->file, [&] {
        SQLite::Database& database = m_native->database();
        return schema::hasFolds(database) ? schema::foldedBefore(database) : std::int64_t(0);
    });
}

Result<RunFileReader::Folded> RunFileReader::foldedOperations() const
{
    Folded folded{.beforeNs = RM_TRY(foldedBefore())};
    if (folded.beforeNs == 0)
        return folded;
    RM_TRY(guarded(m_native->file, [&] {
        SQLite::Statement query(m_native->database(),
                                "SELECT attempt, first_mono, until_mono, count, body "
                                "FROM operation_folds WHERE until_mono <= ? ORDER BY id");
        query.bind(1, folded.beforeNs);
        while (query.executeStep())
            folded.rows.push_back({.attempt = query.getColumn(0).getInt(),
                                   .firstNs = query.getColumn(1).getInt64(),
                                   .untilNs = query.getColumn(2).getInt64(),
                                   .count = unsignedOf(query.getColumn(3).getInt64()),
                                   .block = bytesOf(query.getColumn(4))});
    }));
    return folded;
}

Result<std::vector<RecordGap>> RunFileReader::gaps() const
{
    return guarded(m_native->file, [&] {
        SQLite::Statement query(m_native->database(),
                                "SELECT kind, first_wall, last_wall, rows, bytes FROM gaps "
                                "WHERE kind BETWEEN 0 AND 4 ORDER BY id");
        std::vector<RecordGap> gaps;
        while (query.executeStep()) {
            gaps.push_back({static_cast<RecordGap::Kind>(query.getColumn(0).getInt()),
                            query.getColumn(1).getInt64(), query.getColumn(2).getInt64(),
                            unsignedOf(query.getColumn(3).getInt64()),
                            unsignedOf(query.getColumn(4).getInt64())});
        }
        return gaps;
    });
}

} // namespace ringmaster
