#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/LogBuffer.h"
#include "engine/record/LogFilter.h"

#include <QAbstractListModel>
#include <QTimer>

namespace ringmaster::app {

struct StyledPiece
{
    QString text{};
    TextStyle style{};
};

/// The log of a run as rows, paged from the run's files: only a bounded window of it is held. While
/// it follows, the window moves with the end; else it stays, and grows where the reader goes.
class LogModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum DataRole {
        TimeRole = Qt::UserRole,
        RankRole,
        StreamRole,
        LevelRole,
        OpenRole,
        SpanRole,   ///< It came in the marked span.
        PiecesRole, ///< QList<StyledPiece>: the line in the colours that it was written in
        NumberRole, ///< Of the line in its file; 0: isn't known.
        AroundRole  ///< It only stands around one that was looked for.
    };

    static constexpr int MaxLines = 20'000;

    LogModel(EngineBridge& bridge, std::string run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    const LogLine& lineAt(int row) const;

    /// `globalRank` -1: all that the filter lets through.
    void setFilter(const LogFilter& filter, int globalRank);
    void setFollowing(bool following);
    /// From there on, without following; the same as a window that was scrolled there.
    void showFrom(std::int64_t ns);
    void showFromCursor(std::uint64_t cursor);
    /// -1: it isn't loaded.
    int rowOf(const LogPlace& place) const;
    /// Monotonic ns, the second one behind it; nothing: no line is marked.
    void mark(std::optional<std::pair<std::int64_t, std::int64_t>> span);
    bool hasMark() const { return m_marked.has_value(); }
    /// -1: none that is loaded.
    int firstMarkedRow() const;
    /// No more output can come: stop asking for it.
    void setLive(bool live);
    /// Nothing is read while nobody looks.
    void setActive(bool active);
    void loadEarlier();
    void loadLater();

    bool isFollowing() const { return m_isFollowing; }
    bool hasEarlier() const { return m_hasEarlier; }
    bool isAtEnd() const { return m_isAtEnd; }
    std::uint64_t lostBytes() const { return m_lostBytes; }
    /// Lines left out because output came faster than it could be shown.
    bool hasSkipped() const { return m_hasSkipped; }

Q_SIGNALS:
    void followingChanged(bool following);
    /// The lines from where showFrom() or showFromCursor() said are there.
    void placed();
    void pageArrived();
    void readFailed(const ringmaster::Error& error);

private:
    using LineId = LogBuffer::LineId;

    void reload();
    void read(LogQuery::Direction direction);
    void arrived(LogQuery::Direction direction, const LogPage& page);
    void append(const LogPage& page);
    void prepend(const LogPage& page);
    void readOn(const LogPage& page);
    void showAppended(LineId oldEnd);
    void refresh(const std::vector<LineId>& changed);
    void trimFront();
    void trimBack();
    void refilter();
    bool isMarked(const LogLine& line) const;
    bool matches(const LogLine& line) const;
    std::vector<int> wantedRanks() const;

    EngineBridge& m_bridge;
    std::string m_run;
    LogBuffer m_buffer;
    LogFilter m_filter;
    int m_rank = -1;
    std::deque<LineId> m_visible; ///< Ascending: the rows.
    std::uint64_t m_oldestCursor = 0;
    std::uint64_t m_newestCursor = 0;
    std::uint64_t m_lostBytes = 0;
    std::uint64_t m_generation = 0; ///< Answers to older questions are dropped.
    int m_fullPages = 0;
    std::int64_t m_fromNs = 0; ///< Where the window begins when it is read anew; 0: at the end.
    std::uint64_t m_fromCursor = 0; ///< The same.
    std::optional<std::pair<std::int64_t, std::int64_t>> m_marked;
    bool m_isReading = false;
    bool m_isFollowing = true;
    bool m_isLive = true;
    bool m_isActive = false;
    bool m_hasEarlier = false;
    bool m_isAtEnd = true;
    bool m_hasSkipped = false;
    QTimer m_poll;
};

/// What a row of lines says of one.
QVariant dataOf(const LogLine& line, int role);

} // namespace ringmaster::app
