#pragma once

#include "app/bridge/EngineBridge.h"

#include <QObject>
#include <QTimer>

namespace ringmaster::app {

/// Reads the log of a run page by page, at both ends of the part of it that somebody holds. While
/// it follows, that part moves with the log's end; else it stays, and grows where it is asked to.
class LogPager : public QObject
{
    Q_OBJECT

public:
    LogPager(EngineBridge& bridge, std::string run, QObject* parent = nullptr);

    /// Of which ranks and attempt (empty, -1: all). True: they are others, and it begins anew.
    bool choose(std::vector<int> ranks, int attempt);
    void setFollowing(bool following);
    /// From there on, without following.
    void showFrom(std::int64_t ns);
    void showFromCursor(std::uint64_t cursor);
    /// No more output can come: stop asking for it.
    void setLive(bool live);
    /// Nothing is read while nobody looks.
    void setActive(bool active);
    void loadEarlier();
    void loadLater();
    /// What is held begins, or ends, with the chunk of this cursor now.
    void droppedBefore(std::uint64_t cursor);
    void droppedBehind(std::uint64_t cursor);

    bool isFollowing() const { return m_isFollowing; }
    bool hasEarlier() const { return m_hasEarlier; }
    bool isAtEnd() const { return m_isAtEnd; }
    std::uint64_t lostBytes() const { return m_lostBytes; }
    /// Output came faster than it was read: some was left out.
    bool hasSkipped() const { return m_hasSkipped; }

Q_SIGNALS:
    void followingChanged(bool following);
    /// What is held is of no use any more.
    void restarted();
    void appended(const std::vector<ringmaster::LogChunk>& chunks);
    void prepended(const std::vector<ringmaster::LogChunk>& chunks);
    /// The lines from where showFrom() or showFromCursor() said are there.
    void placed();
    void pageArrived();
    void readFailed(const ringmaster::Error& error);

private:
    void restart();
    void read(LogQuery::Direction direction);
    void arrived(LogQuery::Direction direction, const LogPage& page);
    void take(LogQuery::Direction direction, const LogPage& page);
    void readOn(const LogPage& page);

    EngineBridge& m_bridge;
    std::string m_run;
    std::vector<int> m_ranks;
    int m_attempt = -1;
    std::uint64_t m_oldestCursor = 0;
    std::uint64_t m_newestCursor = 0;
    std::uint64_t m_lostBytes = 0;
    std::uint64_t m_generation = 0; ///< Answers to older questions are dropped.
    int m_fullPages = 0;
    std::int64_t m_fromNs = 0;      ///< Where it begins when it is read anew; 0: at the end.
    std::uint64_t m_fromCursor = 0; ///< The same.
    bool m_isReading = false;
    bool m_isAskedMeanwhile = false; ///< For later lines, while a page was under way.
    bool m_isFollowing = true;
    bool m_isLive = true;
    bool m_isActive = false;
    bool m_hasEarlier = false;
    bool m_isAtEnd = true;
    bool m_hasSkipped = false;
    QTimer m_poll;
};

} // namespace ringmaster::app
