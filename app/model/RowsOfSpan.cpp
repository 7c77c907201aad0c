#include "app/model/RowsOfSpan.h"

#include <utility>

namespace ringmaster::app {

RowsOfSpan::RowsOfSpan(int fromRole, int toRole, QObject* parent)
    : QSortFilterProxyModel(parent), m_fromRole(fromRole), m_toRole(toRole)
{
}

void RowsOfSpan::setRange(std::optional<TimeSpan::Range> range)
{
    if (std::exchange(m_range, range) != range)
        invalidateFilter();
}

bool RowsOfSpan::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (!m_range)
        return true;
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    return index.data(m_fromRole).toLongLong() <= m_range->to &&
           index.data(m_toRole).toLongLong() >= m_range->from;
}

} // namespace ringmaster::app
