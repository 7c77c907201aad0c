#pragma once

#include "app/model/TimeSpan.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace ringmaster::app {

/// Leaves those rows of a table that are, in part at least, of the span; two roles say from when to
/// when a row is, in monotonic ns.
class RowsOfSpan : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    RowsOfSpan(int fromRole, int toRole, QObject* parent = nullptr);

    /// Nothing: all.
    void setRange(std::optional<TimeSpan::Range> range);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    int m_fromRole;
    int m_toRole;
    std::optional<TimeSpan::Range> m_range;
};

} // namespace ringmaster::app
