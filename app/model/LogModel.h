#pragma once

#include "app/model/LogBuffer.h"
#include "app/model/LogPager.h"
#include "app/model/LogRow.h"
#include "app/model/TracebackFolds.h"
#include "engine/record/LogFilter.h"

#include <QAbstractListModel>

namespace ringmaster::app {

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
        AttemptRole,
        LevelRole,
        OpenRole,
        SpanRole,   ///< It came in the marked span.
        PiecesRole, ///< QList<StyledPiece>: the line in the colours that it was written in
        NumberRole, ///< Of the line in its file; 0: isn't known.
        AroundRole, ///< It only stands around one that was looked for.
        FoldRole,   ///< QString: of a traceback that several ranks printed, which; else empty.
        FoldTipRole ///< QString: the same in a sentence.
    };

    static constexpr int MaxLines = 20'000;

    LogModel(EngineBridge& bridge, std::string run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    const LogLine& lineAt(int row) const;

    /// `globalRank`, `attempt` -1: all that the filter lets through.
    void setFilter(const LogFilter& filter, int globalRank, int attempt = -1);
    /// Tracebacks that several ranks printed alike are there once, while nothing is looked for.
    void setFoldsTracebacks(bool folds);
    bool foldsTracebacks() const { return m_wantsFolds; }
    /// Of the traceback that begins there: all of them, or once again.
    void toggleFold(int row);
    /// Where it is hidden by a fold, all of them are there.
    void reveal(const LogPlace& place);
    // See LogPager.
    void setFollowing(bool following) { m_pager.setFollowing(following); }
    void showFrom(std::int64_t ns) { m_pager.showFrom(ns); }
    void showFromCursor(std::uint64_t cursor) { m_pager.showFromCursor(cursor); }
    void setLive(bool live) { m_pager.setLive(live); }
    void setActive(bool active) { m_pager.setActive(active); }
    void loadEarlier() { m_pager.loadEarlier(); }
    void loadLater() { m_pager.loadLater(); }
    bool isFollowing() const { return m_pager.isFollowing(); }
    bool hasEarlier() const { return m_pager.hasEarlier(); }
    bool isAtEnd() const { return m_pager.isAtEnd(); }
    std::uint64_t lostBytes() const { return m_pager.lostBytes(); }
    bool hasSkipped() const { return m_pager.hasSkipped(); }

    /// -1: it isn't loaded.
    int rowOf(const LogPlace& place) const;
    /// Monotonic ns, the second one behind it; nothing: no line is marked.
    void mark(std::optional<std::pair<std::int64_t, std::int64_t>> span);
    bool hasMark() const { return m_marked.has_value(); }
    /// -1: none that is loaded.
    int firstMarkedRow() const;

Q_SIGNALS:
    void followingChanged(bool following);
    void placed();
    void pageArrived();
    void readFailed(const ringmaster::Error& error);

private:
    using LineId = LogBuffer::LineId;

    void forget();
    void append(const std::vector<LogChunk>& chunks);
    void prepend(const std::vector<LogChunk>& chunks);
    void showAppended(LineId oldEnd);
    void refresh(const std::vector<LineId>& changed);
    void readTracebacks(const std::vector<LineId>& changed, LineId from);
    void readTracebacksAnew();
    void updateVisible();
    bool isFolding() const { return m_wantsFolds && !m_filter.isAboutLines(); }
    bool isShown(LineId id) const;
    LineId idOf(const LogPlace& place) const;
    QString foldText(LineId id, bool asSentence) const;
    void trimFront();
    void trimBack();
    void refilter();
    bool isMarked(const LogLine& line) const;
    bool matches(const LogLine& line) const;
    std::vector<int> wantedRanks() const;
    int wantedAttempt() const;

    LogPager m_pager;
    LogBuffer m_buffer;
    TracebackFolds m_folds;
    bool m_wantsFolds = true;
    LogFilter m_filter;
    int m_rank = -1;
    int m_attempt = -1;
    std::deque<LineId> m_visible; ///< Ascending: the rows.
    std::optional<std::pair<std::int64_t, std::int64_t>> m_marked;
};

} // namespace ringmaster::app
