#include "app/model/LogMatchModel.h"

#include "app/model/PassingError.h"

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

/// Between two looks for what has come at the end.
constexpr auto SearchInterval = 200ms;

} // namespace

LogMatchModel::LogMatchModel(EngineBridge& bridge, std::string run, QObject* parent)
    : QAbstractListModel(parent), m_bridge(bridge), m_run(std::move(run))
{
    m_poll.setSingleShot(true);
    connect(&m_poll, &QTimer::timeout, this, &LogMatchModel::advance);
}

LogMatchModel::~LogMatchModel()
{
    if (m_search)
        m_search->cancel();
}

void LogMatchModel::start(const LogFilter& filter, int globalRank, int linesAround, int attempt)
{
    stop();
    LogSearch::Query query{
        .filter = filter, .attempt = attempt, .linesAround = static_cast<size_t>(linesAround)};
    if (globalRank >= 0)
        query.ranks = {globalRank};
    m_search = std::make_shared<LogSearch>(std::move(query));
    advance();
}

void LogMatchModel::stop()
{
    if (m_search)
        m_search->cancel();
    m_search.reset();
    ++m_generation;
    m_poll.stop();
    beginResetModel();
    m_places.clear();
    m_blocks.clear();
    m_blocksInOrder.clear();
    endResetModel();
    m_matches = 0;
    m_part = 0;
    m_isAtEnd = m_isCut = m_isAdvancing = false;
}

void LogMatchModel::setLive(bool live)
{
    // Once more after the end: the last output may have come since the last part.
    if (std::exchange(m_isLive, live) && !live)
        advance();
}

void LogMatchModel::setActive(bool active)
{
    if (!std::exchange(m_isActive, active) && active)
        advance();
}

void LogMatchModel::advance()
{
    // The part under way may have been read before the last output came.
    m_isAskedMeanwhile = m_isAdvancing;
    if (!m_search || m_isAdvancing || !m_isActive)
        return;
    m_isAdvancing = true;
    m_poll.stop();
    m_bridge.ask(&Cluster::searchLog, m_run, m_search)
        .then(this, [this, asked = m_generation](Result<LogSearchPage> page) {
            if (asked != m_generation)
                return;
            m_isAdvancing = false;
            if (page)
                return arrived(*std::move(page));
            Q_EMIT failed(page.error());
            if (isPassing(page.error()))
                m_poll.start(ReachInterval);
        });
}

void LogMatchModel::arrived(LogSearchPage page)
{
    m_matches = page.matches;
    m_part = page.part;
    m_isAtEnd = page.isAtEnd;
    append(std::move(page.places));
    Q_EMIT progressed();
    if (!m_isAtEnd || m_isAskedMeanwhile)
        advance();
    else if (m_isLive)
        m_poll.start(SearchInterval);
}

void LogMatchModel::append(std::vector<LogPlace> places)
{
    const size_t room = static_cast<size_t>(MaxRows) - m_places.size();
    if (places.size() > room) {
        places.resize(room);
        m_isCut = true;
    }
    if (places.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(places.size()) - 1);
    m_places.insert(m_places.end(), places.begin(), places.end());
    endInsertRows();
}

int LogMatchModel::matchFrom(int row, int step) const
{
    for (; row >= 0 && row < rowCount(); row += step) {
        if (placeAt(row).isMatch)
            return row;
    }
    return -1;
}

int LogMatchModel::matchesUpTo(int row) const
{
    return static_cast<int>(std::count_if(m_places.begin(),
                                          m_places.begin() + std::clamp(row + 1, 0, rowCount()),
                                          [](const LogPlace& place) { return place.isMatch; }));
}

void LogMatchModel::readAll(QObject* context,
                            std::function<void(const std::vector<LogLine>&)> reply)
{
    m_bridge.ask(&Cluster::readLogLines, m_run, m_places)
        .then(context, [this, reply = std::move(reply)](const Result<std::vector<LogLine>>& lines) {
            if (lines)
                reply(*lines);
            else
                Q_EMIT failed(lines.error());
        });
}

int LogMatchModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_places.size());
}

QVariant LogMatchModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LogPlace& place = placeAt(index.row());
    if (role == LogModel::NumberRole)
        return QVariant::fromValue(place.number);
    if (role == LogModel::AroundRole)
        return !place.isMatch;
    const LogLine* line = lineAt(index.row());
    return line != nullptr ? dataOf(*line, role) : dataOf(lineOf(place, {}), role);
}

/// Nothing: it is read, and the row changes when it is there.
const LogLine* LogMatchModel::lineAt(int row) const
{
    const int number = row / LinesAtOnce;
    const auto in = static_cast<size_t>(row % LinesAtOnce);
    const auto block = m_blocks.find(number);
    if (block != m_blocks.end() && in < block->second.lines.size())
        return &block->second.lines[in];
    if (block == m_blocks.end() || !block->second.isAsked)
        const_cast<LogMatchModel*>(this)->load(number); // NOLINT: as a cache is filled
    return nullptr;
}

void LogMatchModel::load(int block)
{
    m_blocks[block].isAsked = true;
    const auto first = static_cast<size_t>(block) * LinesAtOnce;
    const size_t count = std::min<size_t>(m_places.size() - first, LinesAtOnce);
    const auto begin = m_places.begin() + static_cast<std::ptrdiff_t>(first);
    m_bridge
        .ask(&Cluster::readLogLines, m_run,
             std::vector<LogPlace>(begin, begin + static_cast<std::ptrdiff_t>(count)))
        .then(this, [this, block, asked = m_generation](const Result<std::vector<LogLine>>& lines) {
            if (asked != m_generation)
                return;
            if (lines)
                return loaded(block, *lines);
            Q_EMIT failed(lines.error());
            if (!isPassing(lines.error()))
                return;
            QTimer::singleShot(ReachInterval, this, [this, block, asked] {
                if (asked == m_generation)
                    loadWhenLookedAt(block);
            });
        });
}

/// Whoever shows its rows asks for them, as they have changed.
void LogMatchModel::loadWhenLookedAt(int block)
{
    m_blocks[block].isAsked = false;
    const int first = block * LinesAtOnce;
    Q_EMIT dataChanged(index(first), index(std::min(first + LinesAtOnce, rowCount()) - 1));
}

void LogMatchModel::loaded(int block, const std::vector<LogLine>& lines)
{
    m_blocks[block] = {lines, false};
    std::erase(m_blocksInOrder, block);
    m_blocksInOrder.push_back(block);
    if (m_blocksInOrder.size() > MaxBlocks) {
        m_blocks.erase(m_blocksInOrder.front());
        m_blocksInOrder.pop_front();
    }
    const int first = block * LinesAtOnce;
    Q_EMIT dataChanged(index(first), index(first + static_cast<int>(lines.size()) - 1));
    Q_EMIT linesRead();
}

} // namespace ringmaster::app
