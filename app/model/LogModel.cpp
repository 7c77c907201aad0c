#include "app/model/LogModel.h"

#include "app/bridge/Words.h"

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

constexpr size_t PageBytes = 128U << 10U;
/// So many full pages in a row mean that output comes faster than it is read.
constexpr int TooManyFullPages = 12;

QList<StyledPiece> piecesOf(const LogLine& line)
{
    QList<StyledPiece> pieces;
    const std::string_view text = line.text;
    const auto add = [&](size_t begin, size_t end, const TextStyle& style) {
        if (begin < end)
            pieces.append(
                {QString::fromUtf8(text.data() + begin, static_cast<qsizetype>(end - begin)),
                 style});
    };
    const size_t plain = line.runs.empty() ? text.size() : line.runs.front().begin;
    add(0, plain, {});
    for (size_t i = 0; i < line.runs.size(); ++i) {
        const bool isLast = i + 1 == line.runs.size();
        add(line.runs[i].begin, isLast ? text.size() : line.runs[i + 1].begin, line.runs[i].style);
    }
    return pieces;
}

} // namespace

LogModel::LogModel(EngineBridge& bridge, std::string run, QObject* parent)
    : QAbstractListModel(parent), m_bridge(bridge), m_run(std::move(run))
{
    m_poll.setInterval(100ms);
    m_poll.setSingleShot(true);
    connect(&m_poll, &QTimer::timeout, this, [this] { read(LogQuery::Direction::Forward); });
}

void LogModel::setActive(bool active)
{
    if (std::exchange(m_isActive, active) == active || !active)
        return;
    if (m_newestCursor == 0)
        reload();
    else if (m_isFollowing)
        read(LogQuery::Direction::Forward);
}

void LogModel::setLive(bool live)
{
    // Once more after the end: the last output may have come since the last page.
    if (std::exchange(m_isLive, live) && !live && m_isFollowing)
        m_poll.start();
}

void LogModel::setFilter(const LogFilter& filter, int globalRank)
{
    const std::vector<int> ranksBefore = wantedRanks();
    m_filter = filter;
    m_rank = globalRank;
    if (wantedRanks() == ranksBefore)
        refilter();
    else
        reload();
}

bool LogModel::matches(const LogLine& line) const
{
    return (m_rank < 0 || line.globalRank == m_rank) && m_filter.matches(line);
}

std::vector<int> LogModel::wantedRanks() const
{
    if (m_rank >= 0)
        return {m_rank};
    return {m_filter.ranks().begin(), m_filter.ranks().end()};
}

void LogModel::setFollowing(bool following)
{
    if (std::exchange(m_isFollowing, following) == following)
        return;
    if (following) {
        m_fromNs = 0;
        m_fromCursor = 0;
    }
    if (following && !m_isAtEnd)
        reload();
    else if (following)
        read(LogQuery::Direction::Forward);
    Q_EMIT followingChanged(following);
}

void LogModel::showFrom(std::int64_t ns)
{
    setFollowing(false);
    m_fromNs = ns;
    m_fromCursor = 0;
    reload();
}

void LogModel::showFromCursor(std::uint64_t cursor)
{
    setFollowing(false);
    m_fromNs = 0;
    m_fromCursor = cursor;
    reload();
}

int LogModel::rowOf(const LogPlace& place) const
{
    const auto found = std::ranges::find_if(m_visible, [&](LineId id) {
        const LogLine& line = m_buffer.line(id);
        return line.offset == place.offset && line.globalRank == place.globalRank &&
               line.stream == place.stream && line.attempt == place.attempt;
    });
    return found == m_visible.end() ? -1 : static_cast<int>(found - m_visible.begin());
}

void LogModel::mark(std::optional<std::pair<std::int64_t, std::int64_t>> span)
{
    if (std::exchange(m_marked, span) != span && rowCount() > 0)
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), {SpanRole});
}

bool LogModel::isMarked(const LogLine& line) const
{
    return m_marked && line.at.monotonicNs >= m_marked->first &&
           line.at.monotonicNs < m_marked->second;
}

int LogModel::firstMarkedRow() const
{
    const auto first =
        std::ranges::find_if(m_visible, [this](LineId id) { return isMarked(m_buffer.line(id)); });
    return first == m_visible.end() ? -1 : static_cast<int>(first - m_visible.begin());
}

void LogModel::reload()
{
    beginResetModel();
    m_buffer.clear();
    m_visible.clear();
    endResetModel();
    ++m_generation;
    m_oldestCursor = m_newestCursor = 0;
    m_isReading = m_hasEarlier = m_hasSkipped = false;
    m_isAtEnd = true;
    m_fullPages = 0;
    if (m_isActive)
        read(m_fromNs != 0 || m_fromCursor != 0 ? LogQuery::Direction::Forward
                                                : LogQuery::Direction::Backward);
}

void LogModel::loadEarlier()
{
    if (m_hasEarlier)
        read(LogQuery::Direction::Backward);
}

void LogModel::loadLater()
{
    if (!m_isAtEnd)
        read(LogQuery::Direction::Forward);
}

void LogModel::read(LogQuery::Direction direction)
{
    if (m_isReading || !m_isActive)
        return;
    m_isReading = true;
    LogQuery query;
    query.direction = direction;
    query.cursor = direction == LogQuery::Direction::Forward ? m_newestCursor : m_oldestCursor;
    if (m_newestCursor == 0 && direction == LogQuery::Direction::Forward) {
        query.fromNs = m_fromNs;
        query.cursor = m_fromCursor == 0 ? 0 : m_fromCursor - 1;
    }
    query.ranks = wantedRanks();
    query.attempt = m_filter.attempt().value_or(-1);
    query.maxBytes = PageBytes;
    m_bridge.readLog(m_run, query, this,
                     [this, direction, asked = m_generation](const Result<LogPage>& page) {
                         if (asked != m_generation)
                             return;
                         m_isReading = false;
                         if (page)
                             arrived(direction, *page);
                         else
                             Q_EMIT readFailed(page.error());
                     });
}

void LogModel::arrived(LogQuery::Direction direction, const LogPage& page)
{
    m_lostBytes = page.lostBytes;
    // Nothing came after that moment: the end is the nearest.
    if (m_newestCursor == 0 && page.chunks.empty() && std::exchange(m_fromNs, 0) != 0)
        return read(LogQuery::Direction::Backward);
    const bool isFirst = m_newestCursor == 0;
    if (m_newestCursor == 0 || direction == LogQuery::Direction::Forward)
        append(page);
    else
        prepend(page);
    m_hasEarlier = m_oldestCursor > 0 && page.firstCursor > 0 && page.firstCursor < m_oldestCursor;
    if (isFirst && (m_fromNs != 0 || m_fromCursor != 0))
        Q_EMIT placed();
    Q_EMIT pageArrived();
    readOn(page);
}

void LogModel::readOn(const LogPage& page)
{
    m_isAtEnd = m_newestCursor >= page.lastCursor;
    m_fullPages = m_isAtEnd ? 0 : m_fullPages + 1;
    if (!m_isFollowing)
        return;
    if (m_fullPages > TooManyFullPages) {
        reload();
        m_hasSkipped = true;
    } else if (!m_isAtEnd) {
        read(LogQuery::Direction::Forward);
    } else if (m_isLive) {
        m_poll.start();
    }
}

void LogModel::append(const LogPage& page)
{
    if (page.chunks.empty())
        return;
    if (m_oldestCursor == 0)
        m_oldestCursor = page.chunks.front().cursor;
    m_newestCursor = page.chunks.back().cursor;
    const LineId oldEnd = m_buffer.endId();
    refresh(m_buffer.append(page.chunks));
    showAppended(oldEnd);
    trimFront();
}

void LogModel::showAppended(LineId oldEnd)
{
    std::vector<LineId> added;
    for (LineId id = oldEnd; id < m_buffer.endId(); ++id) {
        if (matches(m_buffer.line(id)))
            added.push_back(id);
    }
    if (added.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
    m_visible.insert(m_visible.end(), added.begin(), added.end());
    endInsertRows();
}

void LogModel::prepend(const LogPage& page)
{
    if (page.chunks.empty())
        return;
    m_oldestCursor = page.chunks.front().cursor;
    const LineId oldFirst = m_buffer.firstId();
    refresh(m_buffer.prepend(page.chunks));
    std::vector<LineId> added;
    for (LineId id = m_buffer.firstId(); id < oldFirst; ++id) {
        if (matches(m_buffer.line(id)))
            added.push_back(id);
    }
    if (!added.empty()) {
        beginInsertRows({}, 0, static_cast<int>(added.size()) - 1);
        m_visible.insert(m_visible.begin(), added.begin(), added.end());
        endInsertRows();
    }
    trimBack();
}

/// Lines that were there already: their text has changed, and with it perhaps whether they match.
void LogModel::refresh(const std::vector<LineId>& changed)
{
    for (const LineId id : changed) {
        const auto found = std::ranges::lower_bound(m_visible, id);
        const int row = static_cast<int>(found - m_visible.begin());
        if (found != m_visible.end() && *found == id) {
            Q_EMIT dataChanged(index(row), index(row));
        } else if (matches(m_buffer.line(id))) {
            beginInsertRows({}, row, row);
            m_visible.insert(found, id);
            endInsertRows();
        }
    }
}

void LogModel::trimFront()
{
    const LineId over = m_buffer.endId() - m_buffer.firstId() - MaxLines;
    if (over <= 0)
        return;
    // Whole chunks, so that what is dropped can be read again; a tenth at once.
    LineId kept = m_buffer.firstId() + std::max<LineId>(over, MaxLines / 10);
    const std::uint64_t cursor = m_buffer.line(kept).cursor;
    while (kept < m_buffer.endId() && m_buffer.line(kept).cursor <= cursor)
        ++kept;
    if (kept == m_buffer.endId())
        return;
    m_oldestCursor = m_buffer.line(kept).cursor;
    m_hasEarlier = true;
    const auto count =
        static_cast<int>(std::ranges::lower_bound(m_visible, kept) - m_visible.begin());
    if (count > 0) {
        beginRemoveRows({}, 0, count - 1);
        m_visible.erase(m_visible.begin(), m_visible.begin() + count);
        endRemoveRows();
    }
    m_buffer.dropFront(kept);
}

void LogModel::trimBack()
{
    if (m_buffer.endId() - m_buffer.firstId() <= MaxLines)
        return;
    LineId dropped = m_buffer.firstId() + MaxLines;
    const std::uint64_t cursor = m_buffer.line(dropped).cursor;
    while (dropped > m_buffer.firstId() && m_buffer.line(dropped - 1).cursor >= cursor)
        --dropped;
    if (dropped == m_buffer.firstId())
        return;
    m_newestCursor = m_buffer.line(dropped - 1).cursor;
    m_isAtEnd = false;
    const auto first =
        static_cast<int>(std::ranges::lower_bound(m_visible, dropped) - m_visible.begin());
    if (first < rowCount()) {
        beginRemoveRows({}, first, rowCount() - 1);
        m_visible.erase(m_visible.begin() + first, m_visible.end());
        endRemoveRows();
    }
    m_buffer.dropBack(dropped);
}

void LogModel::refilter()
{
    beginResetModel();
    m_visible.clear();
    for (LineId id = m_buffer.firstId(); id < m_buffer.endId(); ++id) {
        if (matches(m_buffer.line(id)))
            m_visible.push_back(id);
    }
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_visible.size());
}

const LogLine& LogModel::lineAt(int row) const
{
    return m_buffer.line(m_visible[static_cast<size_t>(row)]);
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LogLine& line = lineAt(index.row());
    return role == SpanRole ? QVariant(isMarked(line)) : dataOf(line, role);
}

QVariant dataOf(const LogLine& line, int role)
{
    switch (role) {
    case Qt::DisplayRole: return QString::fromStdString(line.text);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(rankText(line.globalRank),
                                            QString::fromStdString(line.text));
    case LogModel::TimeRole: return timeText(line.at);
    case LogModel::RankRole: return line.globalRank;
    case LogModel::StreamRole: return static_cast<int>(line.stream);
    case LogModel::LevelRole: return static_cast<int>(line.level);
    case LogModel::OpenRole: return line.isOpen;
    case LogModel::PiecesRole: return QVariant::fromValue(piecesOf(line));
    default: return {};
    }
}

} // namespace ringmaster::app
