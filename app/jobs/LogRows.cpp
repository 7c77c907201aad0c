#include "app/jobs/LogRows.h"

#include <QAbstractItemView>

#include <algorithm>

namespace ringmaster::app {

namespace {
constexpr size_t MostLayouts = 512;
} // namespace

void LogRows::setShowsTimes(bool shows)
{
    m_showsTimes = shows;
    forget();
}

void LogRows::setWraps(bool wraps)
{
    m_wraps = wraps;
    forget();
}

void LogRows::setMarked(const LogFilter& marked)
{
    m_marked = marked;
    forget();
}

const LogRowLayout& LogRows::layoutOf(const QModelIndex& index) const
{
    if (std::unique_ptr<LogRowLayout>& kept = m_layouts[index.row()]; kept != nullptr)
        return *kept;
    if (m_layouts.size() > MostLayouts)
        m_layouts.clear();
    const QSize room = m_view.viewport()->size();
    auto& kept = m_layouts[index.row()];
    kept = std::make_unique<LogRowLayout>(
        index,
        LogRowLayout::Look{.font = m_view.font(),
                           .showsTimes = m_showsTimes,
                           .width = m_wraps ? room.width() : 0,
                           .mostLines = m_wraps ? std::max(1, room.height() / lineHeight()) : 1,
                           .marked = m_marked});
    return *kept;
}

void LogRows::forget(int first, int last)
{
    m_layouts.erase(m_layouts.lower_bound(first), m_layouts.upper_bound(last));
}

int LogRows::count() const
{
    return m_view.model() == nullptr ? 0 : m_view.model()->rowCount();
}

int LogRows::lineHeight() const
{
    return LogRowLayout::heightIn(m_view.font());
}

int LogRows::heightOf(int row) const
{
    return m_wraps ? layoutOf(m_view.model()->index(row, 0)).height() : lineHeight();
}

int LogRows::countIn(int from, int step) const
{
    const int room = m_view.viewport()->height();
    if (!m_wraps)
        return std::max(1, room / lineHeight());
    int rows = 0;
    int height = 0;
    for (int row = from; row >= 0 && row < count(); row += step) {
        height += heightOf(row);
        if (height > room)
            break;
        ++rows;
    }
    return std::max(1, rows);
}

int LogRows::topOf(int row, int first) const
{
    if (!m_wraps)
        return (row - first) * lineHeight();
    if (row < first)
        return -lineHeight();
    int y = 0;
    for (int above = first; above < row && y <= m_view.viewport()->height(); ++above)
        y += heightOf(above);
    return y;
}

int LogRows::rowAt(int y, int first) const
{
    if (!m_wraps)
        return first + y / lineHeight();
    int row = first;
    for (int bottom = 0; row < count() && (bottom += heightOf(row)) <= y;)
        ++row;
    return row;
}

} // namespace ringmaster::app
