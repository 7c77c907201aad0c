#include "engine/record/LogPaging.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr std::uint64_t LongestChunk = 1U << 20U;
constexpr std::uint64_t LongestPage = 8U << 20U;
/// Of more files it is cheaper to read the index of all and leave out what isn't wanted.
constexpr size_t MostMergedFiles = 64;

struct Row
{
    std::uint64_t cursor = 0;
    int file = 0;
    Moment at{};
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

using Direction = LogQuery::Direction;

/// Rows of the index beyond a cursor, of one file or of all, as they are asked for.
class Rows
{
public:
    Rows(SQLite::Database& database, const LogQuery& query, std::optional<int> file)
        : m_statement(database, text(query, file.has_value()))
    {
        if (query.cursor != 0 || query.direction == Direction::Forward)
            m_statement.bind(1, signedOf(query.cursor));
        if (file)
            m_statement.bind(2, *file);
        advance();
    }

    const std::optional<Row>& next() const { return m_next; }

    void advance()
    {
        m_next.reset();
        if (!m_statement.executeStep())
            return;
        m_next = Row{unsignedOf(m_statement.getColumn(0).getInt64()),
                     m_statement.getColumn(1).getInt(),
                     {m_statement.getColumn(2).getInt64(), m_statement.getColumn(3).getInt64()},
                     unsignedOf(m_statement.getColumn(4).getInt64()),
                     unsignedOf(m_statement.getColumn(5).getInt64())};
    }

private:
    static std::string text(const LogQuery& query, bool ofOneFile)
    {
        const bool isForward = query.direction == Direction::Forward;
        const bool isFromEnd = !isForward && query.cursor == 0;
        return std::string(
                   "SELECT cursor, file, mono, wall, offset, length FROM log_index WHERE ") +
               (isFromEnd   ? "1 "
                : isForward ? "cursor > ?1 "
                            : "cursor < ?1 ") +
               (ofOneFile ? "AND file = ?2 " : "") +
               (isForward ? "ORDER BY cursor" : "ORDER BY cursor DESC");
    }

    SQLite::Statement m_statement;
    std::optional<Row> m_next;
};

/// The rows of the files that a query is about, merged in the order that it asks for.
class Selection
{
public:
    Selection(SQLite::Database& database, const LogQuery& query, const LogFiles& files)
        : m_database(database), m_isForward(query.direction == Direction::Forward)
    {
        for (const auto& [id, file] : files.all()) {
            const bool isRank =
                query.ranks.empty() ||
                std::ranges::find(query.ranks, file.globalRank) != query.ranks.end();
            if (isRank && (query.attempt < 0 || query.attempt == file.attempt))
                m_files.insert(id);
        }
        m_isAll = m_files.size() == files.all().size();
        if (m_isAll || m_files.size() > MostMergedFiles) {
            m_sources.emplace_back(database, query, std::nullopt);
            return;
        }
        for (const int id : m_files)
            m_sources.emplace_back(database, query, id);
    }

    std::optional<Row> next()
    {
        for (;;) {
            Rows* first = nullptr;
            for (Rows& rows : m_sources) {
                if (rows.next() && (first == nullptr || isBefore(*rows.next(), *first->next())))
                    first = &rows;
            }
            if (first == nullptr)
                return std::nullopt;
            const Row row = *first->next();
            first->advance();
            if (m_files.contains(row.file))
                return row;
        }
    }

    /// Oldest and newest cursor that there is.
    std::pair<std::uint64_t, std::uint64_t> bounds()
    {
        SQLite::Statement query(m_database, m_isAll ? "SELECT (SELECT min(cursor) FROM log_index), "
                                                      "(SELECT max(cursor) FROM log_index)"
                                                    : "SELECT (SELECT min(cursor) FROM log_index "
                                                      "WHERE file = ?1), (SELECT max(cursor) FROM "
                                                      "log_index WHERE file = ?1)");
        std::pair<std::uint64_t, std::uint64_t> bounds{0, 0};
        const auto include = [&] {
            if (!query.executeStep() || query.getColumn(0).isNull())
                return;
            const auto oldest = unsignedOf(query.getColumn(0).getInt64());
            bounds.first = bounds.first == 0 ? oldest : std::min(bounds.first, oldest);
            bounds.second = std::max(bounds.second, unsignedOf(query.getColumn(1).getInt64()));
        };
        if (m_isAll) {
            include();
            return bounds;
        }
        for (const int id : m_files) {
            query.reset();
            query.bind(1, id);
            include();
        }
        return bounds;
    }

private:
    bool isBefore(const Row& a, const Row& b) const
    {
        return m_isForward ? a.cursor < b.cursor : a.cursor > b.cursor;
    }

    SQLite::Database& m_database;
    bool m_isForward;
    bool m_isAll = false;
    std::set<int> m_files;
    std::vector<Rows> m_sources;
};

/// Behind the chunks that had come before that moment.
std::uint64_t cursorBefore(SQLite::Database& database, std::int64_t ns)
{
    SQLite::Statement first(
        database, "SELECT cursor FROM log_index WHERE mono >= ?1 ORDER BY cursor LIMIT 1");
    first.bind(1, ns);
    if (first.executeStep())
        return unsignedOf(first.getColumn(0).getInt64()) - 1;
    return unsignedOf(
        database.execAndGet("SELECT ifnull(max(cursor), 0) FROM log_index").getInt64());
}

} // namespace

LogPage logPage(SQLite::Database& database, LogFiles& files, LogQuery query)
{
    if (query.fromNs != 0 && query.direction == Direction::Forward)
        query.cursor = cursorBefore(database, query.fromNs);
    Selection selection(database, query, files);
    LogPage page;
    std::uint64_t left = std::min<std::uint64_t>(query.maxBytes, LongestPage);
    bool isFirst = true;
    while (const auto row = selection.next()) {
        const std::uint64_t length = std::min(row->length, LongestChunk);
        if (!isFirst && length > left)
            break;
        isFirst = false;
        left -= std::min(left, std::max<std::uint64_t>(length, 1));
        const LogFiles::File& file = files.all().at(row->file);
        page.chunks.push_back({row->cursor, row->at, file.attempt, file.globalRank, file.stream,
                               row->offset, files.read(row->file, row->offset, length)});
    }
    if (query.direction == Direction::Backward)
        std::ranges::reverse(page.chunks);
    std::tie(page.firstCursor, page.lastCursor) = selection.bounds();
    page.lostBytes = unsignedOf(
        database.execAndGet("SELECT ifnull(sum(bytes), 0) FROM gaps WHERE kind = 2").getInt64());
    page.problems = files.takeProblems();
    return page;
}

} // namespace ringmaster
