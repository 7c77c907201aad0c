#include "app/model/LogPager.h"

#include "app/model/PassingError.h"

#include <algorithm>
#include <chrono>
#include <utility>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

/// While lines come, and the longest pause while none do.
constexpr auto ShortestPause = 100ms;
constexpr auto LongestPause = 400ms;
constexpr size_t PageBytes = 128U << 10U;
/// So many full pages in a row mean that output comes faster than it is read.
constexpr int TooManyFullPages = 12;

} // namespace

LogPager::LogPager(EngineBridge& bridge, std::string run, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_run(std::move(run))
{
    m_poll.setInterval(ShortestPause);
    m_poll.setSingleShot(true);
    connect(&m_poll, &QTimer::timeout, this, [this] { read(LogQuery::Direction::Forward); });
}

bool LogPager::choose(std::vector<int> ranks, int attempt)
{
    if (ranks == m_ranks && attempt == m_attempt)
        return false;
    m_ranks = std::move(ranks);
    m_attempt = attempt;
    restart();
    return true;
}

void LogPager::setActive(bool active)
{
    if (std::exchange(m_isActive, active) == active || !active)
        return;
    if (m_newestCursor == 0)
        restart();
    else if (m_isFollowing)
        read(LogQuery::Direction::Forward);
}

void LogPager::setLive(bool live)
{
    // Once more after the end: the last output may have come since the last page.
    if (std::exchange(m_isLive, live) && !live && m_isFollowing)
        m_poll.start();
}

void LogPager::setFollowing(bool following)
{
    if (std::exchange(m_isFollowing, following) == following)
        return;
    if (following) {
        m_fromNs = 0;
        m_fromCursor = 0;
    }
    if (following && !m_isAtEnd)
        restart();
    else if (following)
        read(LogQuery::Direction::Forward);
    Q_EMIT followingChanged(following);
}

void LogPager::showFrom(std::int64_t ns)
{
    setFollowing(false);
    m_fromNs = ns;
    m_fromCursor = 0;
    restart();
}

void LogPager::showFromCursor(std::uint64_t cursor)
{
    setFollowing(false);
    m_fromNs = 0;
    m_fromCursor = cursor;
    restart();
}

void LogPager::restart()
{
    Q_EMIT restarted();
    ++m_generation;
    m_oldestCursor = m_newestCursor = 0;
    m_isReading = m_isAskedMeanwhile = m_hasEarlier = m_hasSkipped = false;
    m_isAtEnd = true;
    m_fullPages = 0;
    if (m_isActive)
        read(m_fromNs != 0 || m_fromCursor != 0 ? LogQuery::Direction::Forward
                                                : LogQuery::Direction::Backward);
}

void LogPager::loadEarlier()
{
    if (m_hasEarlier)
        read(LogQuery::Direction::Backward);
}

void LogPager::loadLater()
{
    if (!m_isAtEnd)
        read(LogQuery::Direction::Forward);
}

void LogPager::droppedBefore(std::uint64_t cursor)
{
    m_oldestCursor = cursor;
    m_hasEarlier = true;
}

void LogPager::droppedBehind(std::uint64_t cursor)
{
    m_newestCursor = cursor;
    m_isAtEnd = false;
}

void LogPager::read(LogQuery::Direction direction)
{
    // The page under way may have been read before what is asked for came.
    if (m_isReading && direction == LogQuery::Direction::Forward)
        m_isAskedMeanwhile = true;
    if (m_isReading || !m_isActive)
        return;
    m_isReading = true;
    m_isAskedMeanwhile = false;
    LogQuery query;
    query.direction = direction;
    query.cursor = direction == LogQuery::Direction::Forward ? m_newestCursor : m_oldestCursor;
    if (m_newestCursor == 0 && direction == LogQuery::Direction::Forward) {
        query.fromNs = m_fromNs;
        query.cursor = m_fromCursor == 0 ? 0 : m_fromCursor - 1;
    }
    query.ranks = m_ranks;
    query.attempt = m_attempt;
    query.maxBytes = PageBytes;
    m_bridge.ask(&Cluster::readLog, m_run, query)
        .then(this, [this, direction, asked = m_generation](const Result<LogPage>& page) {
            if (asked != m_generation)
                return;
            m_isReading = false;
            if (page)
                return arrived(direction, *page);
            Q_EMIT readFailed(page.error());
            if (!isPassing(page.error()))
                return;
            QTimer::singleShot(ReachInterval, this, [this, direction, asked] {
                if (asked == m_generation)
                    read(direction);
            });
        });
}

void LogPager::arrived(LogQuery::Direction direction, const LogPage& page)
{
    m_lostBytes = page.lostBytes;
    // Nothing came after that moment: the end is the nearest.
    if (m_newestCursor == 0 && page.chunks.empty() && std::exchange(m_fromNs, 0) != 0)
        return read(LogQuery::Direction::Backward);
    const bool isFirst = m_newestCursor == 0;
    take(direction, page);
    m_hasEarlier = m_oldestCursor > 0 && page.firstCursor > 0 && page.firstCursor < m_oldestCursor;
    if (isFirst && (m_fromNs != 0 || m_fromCursor != 0))
        Q_EMIT placed();
    Q_EMIT pageArrived();
    readOn(page);
}

void LogPager::take(LogQuery::Direction direction, const LogPage& page)
{
    if (page.chunks.empty())
        return;
    if (m_newestCursor == 0 || direction == LogQuery::Direction::Forward) {
        if (m_oldestCursor == 0)
            m_oldestCursor = page.chunks.front().cursor;
        m_newestCursor = page.chunks.back().cursor;
        Q_EMIT appended(page.chunks);
    } else {
        m_oldestCursor = page.chunks.front().cursor;
        Q_EMIT prepended(page.chunks);
    }
}

void LogPager::readOn(const LogPage& page)
{
    m_isAtEnd = m_newestCursor >= page.lastCursor;
    m_fullPages = m_isAtEnd ? 0 : m_fullPages + 1;
    if (!m_isFollowing)
        return;
    if (m_fullPages > TooManyFullPages) {
        restart();
        m_hasSkipped = true;
    } else if (!m_isAtEnd || m_isAskedMeanwhile) {
        read(LogQuery::Direction::Forward);
    } else if (m_isLive) {
        m_poll.setInterval(page.chunks.empty() ? std::min(2 * m_poll.intervalAsDuration(),
                                                          std::chrono::milliseconds(LongestPause))
                                               : std::chrono::milliseconds(ShortestPause));
        m_poll.start();
    }
}

} // namespace ringmaster::app
