#include "app/model/LogModel.h"

#include "app/bridge/Words.h"

#include <algorithm>
#include <utility>

namespace ringmaster::app {

LogModel::LogModel(EngineBridge& bridge, std::string run, QObject* parent)
    : QAbstractListModel(parent), m_pager(bridge, std::move(run))
{
    connect(&m_pager, &LogPager::restarted, this, &LogModel::forget);
    connect(&m_pager, &LogPager::appended, this, &LogModel::append);
    connect(&m_pager, &LogPager::prepended, this, &LogModel::prepend);
    connect(&m_pager, &LogPager::followingChanged, this, &LogModel::followingChanged);
    connect(&m_pager, &LogPager::placed, this, &LogModel::placed);
    connect(&m_pager, &LogPager::pageArrived, this, &LogModel::pageArrived);
    connect(&m_pager, &LogPager::readFailed, this, &LogModel::readFailed);
}

void LogModel::setFilter(const LogFilter& filter, int globalRank, int attempt)
{
    m_filter = filter;
    m_rank = globalRank;
    m_attempt = attempt;
    if (!m_pager.choose(wantedRanks(), wantedAttempt()))
        refilter();
}

bool LogModel::matches(const LogLine& line) const
{
    return (m_rank < 0 || line.globalRank == m_rank) &&
           (m_attempt < 0 || line.attempt == m_attempt) && m_filter.matches(line);
}

bool LogModel::isShown(LineId id) const
{
    return matches(m_buffer.line(id)) && !(isFolding() && m_folds.hides(id));
}

std::vector<int> LogModel::wantedRanks() const
{
    if (m_rank >= 0)
        return {m_rank};
    return {m_filter.ranks().begin(), m_filter.ranks().end()};
}

int LogModel::wantedAttempt() const
{
    return m_attempt >= 0 ? m_attempt : m_filter.attempt().value_or(-1);
}

/// endId(): it isn't here.
LogModel::LineId LogModel::idOf(const LogPlace& place) const
{
    for (LineId id = m_buffer.firstId(); id < m_buffer.endId(); ++id) {
        const LogLine& line = m_buffer.line(id);
        if (line.offset == place.offset && line.globalRank == place.globalRank &&
            line.stream == place.stream && line.attempt == place.attempt)
            return id;
    }
    return m_buffer.endId();
}

int LogModel::rowOf(const LogPlace& place) const
{
    const LineId id = idOf(place);
    const auto found = std::ranges::lower_bound(m_visible, id);
    return found == m_visible.end() || *found != id ? -1
                                                    : static_cast<int>(found - m_visible.begin());
}

void LogModel::reveal(const LogPlace& place)
{
    const LineId id = idOf(place);
    if (id < m_buffer.endId() && isFolding())
        m_folds.reveal(id);
    updateVisible();
}

void LogModel::setFoldsTracebacks(bool folds)
{
    if (std::exchange(m_wantsFolds, folds) != folds)
        refilter();
}

void LogModel::toggleFold(int row)
{
    const LineId id = m_visible[static_cast<size_t>(row)];
    if (const TracebackFolds::Fold* fold = m_folds.foldAt(id))
        m_folds.setUnfolded(id, !fold->isUnfolded);
    updateVisible();
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

void LogModel::forget()
{
    beginResetModel();
    m_buffer.clear();
    m_folds.clear();
    m_visible.clear();
    endResetModel();
}

void LogModel::append(const std::vector<LogChunk>& chunks)
{
    const LineId oldEnd = m_buffer.endId();
    const std::vector<LineId> changed = m_buffer.append(chunks);
    readTracebacks(changed, oldEnd);
    refresh(changed);
    showAppended(oldEnd);
    trimFront();
    updateVisible();
}

void LogModel::readTracebacks(const std::vector<LineId>& changed, LineId from)
{
    const auto read = [this](LineId id) {
        if (const LogLine& line = m_buffer.line(id); !line.isOpen)
            m_folds.add(id, line);
    };
    std::ranges::for_each(changed, read);
    for (LineId id = from; id < m_buffer.endId(); ++id)
        read(id);
}

void LogModel::readTracebacksAnew()
{
    m_folds.clear();
    readTracebacks({}, m_buffer.firstId());
}

/// Row by row: what is selected, and where the reader is, stays.
void LogModel::updateVisible()
{
    if (!m_folds.takeChanged() || !isFolding())
        return;
    std::vector<LineId> wanted;
    for (LineId id = m_buffer.firstId(); id < m_buffer.endId(); ++id) {
        if (isShown(id))
            wanted.push_back(id);
    }
    auto row = m_visible.size();
    auto next = wanted.size();
    while (row > 0 || next > 0) {
        if (row > 0 && next > 0 && m_visible[row - 1] == wanted[next - 1]) {
            --row;
            --next;
        } else if (next == 0 || (row > 0 && m_visible[row - 1] > wanted[next - 1])) {
            const size_t end = row;
            while (row > 0 && (next == 0 || m_visible[row - 1] > wanted[next - 1]))
                --row;
            beginRemoveRows({}, static_cast<int>(row), static_cast<int>(end) - 1);
            m_visible.erase(m_visible.begin() + static_cast<std::ptrdiff_t>(row),
                            m_visible.begin() + static_cast<std::ptrdiff_t>(end));
            endRemoveRows();
        } else {
            const size_t end = next;
            while (next > 0 && (row == 0 || wanted[next - 1] > m_visible[row - 1]))
                --next;
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(row + end - next) - 1);
            m_visible.insert(m_visible.begin() + static_cast<std::ptrdiff_t>(row),
                             wanted.begin() + static_cast<std::ptrdiff_t>(next),
                             wanted.begin() + static_cast<std::ptrdiff_t>(end));
            endInsertRows();
        }
    }
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), {FoldRole, FoldTipRole});
}

void LogModel::showAppended(LineId oldEnd)
{
    std::vector<LineId> added;
    for (LineId id = oldEnd; id < m_buffer.endId(); ++id) {
        if (isShown(id))
            added.push_back(id);
    }
    if (added.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
    m_visible.insert(m_visible.end(), added.begin(), added.end());
    endInsertRows();
}

void LogModel::prepend(const std::vector<LogChunk>& chunks)
{
    const LineId oldFirst = m_buffer.firstId();
    const std::vector<LineId> changed = m_buffer.prepend(chunks);
    readTracebacksAnew();
    refresh(changed);
    std::vector<LineId> added;
    for (LineId id = m_buffer.firstId(); id < oldFirst; ++id) {
        if (isShown(id))
            added.push_back(id);
    }
    if (!added.empty()) {
        beginInsertRows({}, 0, static_cast<int>(added.size()) - 1);
        m_visible.insert(m_visible.begin(), added.begin(), added.end());
        endInsertRows();
    }
    trimBack();
    updateVisible();
}

/// Lines that were there already: their text has changed, and with it perhaps whether they match.
void LogModel::refresh(const std::vector<LineId>& changed)
{
    for (const LineId id : changed) {
        const auto found = std::ranges::lower_bound(m_visible, id);
        const int row = static_cast<int>(found - m_visible.begin());
        if (found != m_visible.end() && *found == id) {
            Q_EMIT dataChanged(index(row), index(row));
        } else if (isShown(id)) {
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
    m_pager.droppedBefore(m_buffer.line(kept).cursor);
    const auto count =
        static_cast<int>(std::ranges::lower_bound(m_visible, kept) - m_visible.begin());
    if (count > 0) {
        beginRemoveRows({}, 0, count - 1);
        m_visible.erase(m_visible.begin(), m_visible.begin() + count);
        endRemoveRows();
    }
    m_buffer.dropFront(kept);
    readTracebacksAnew();
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
    m_pager.droppedBehind(m_buffer.line(dropped - 1).cursor);
    const auto first =
        static_cast<int>(std::ranges::lower_bound(m_visible, dropped) - m_visible.begin());
    if (first < rowCount()) {
        beginRemoveRows({}, first, rowCount() - 1);
        m_visible.erase(m_visible.begin() + first, m_visible.end());
        endRemoveRows();
    }
    m_buffer.dropBack(dropped);
    readTracebacksAnew();
}

void LogModel::refilter()
{
    beginResetModel();
    m_visible.clear();
    for (LineId id = m_buffer.firstId(); id < m_buffer.endId(); ++id) {
        if (isShown(id))
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
    switch (role) {
    case SpanRole: return isMarked(line);
    case FoldRole:
    case FoldTipRole:
        return foldText(m_visible[static_cast<size_t>(index.row())], role == FoldTipRole);
    default: return dataOf(line, role);
    }
}

QString LogModel::foldText(LineId id, bool asSentence) const
{
    const TracebackFolds::Fold* fold = isFolding() ? m_folds.foldAt(id) : nullptr;
    if (fold == nullptr)
        return {};
    const auto count = static_cast<int>(fold->ranks.size());
    if (asSentence)
        return fold->numbersDiffer
                   ? tr("Ranks %1 printed this traceback; only numbers in its last line "
                        "differ.")
                         .arg(ranksText(fold->ranks))
                   : tr("Ranks %1 printed this traceback.").arg(ranksText(fold->ranks));
    const QString sign = fold->isUnfolded ? QStringLiteral("▾ ") : QStringLiteral("▸ ");
    return sign + tr("× %n ranks", "that printed a traceback", count);
}

} // namespace ringmaster::app
