#pragma once

#include <QAbstractTableModel>

#include <algorithm>
#include <vector>

namespace ringmaster::app {

/// A model whose rows are given anew as a whole. Those at one place are the same row with other
/// content, so that selection and scrolling stay. `Row` can be compared; `Base` is Qt's table or
/// list.
template <class Row, class Base = QAbstractTableModel>
class RowsModel : public Base
{
public:
    using Base::Base;

    const std::vector<Row>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

protected:
    const Row& rowAt(const QModelIndex& index) const
    {
        return m_rows[static_cast<size_t>(index.row())];
    }

    void setRows(std::vector<Row> rows)
    {
        const int wanted = static_cast<int>(rows.size());
        if (wanted < rowCount()) {
            this->beginRemoveRows({}, wanted, rowCount() - 1);
            m_rows.resize(rows.size());
            this->endRemoveRows();
        }
        const int kept = rowCount();
        // A list hides its columnCount().
        const int lastColumn = static_cast<const QAbstractItemModel*>(this)->columnCount() - 1;
        for (int row = 0; row < kept; ++row) {
            const auto at = static_cast<size_t>(row);
            if (m_rows[at] == rows[at])
                continue;
            m_rows[at] = rows[at];
            Q_EMIT this->dataChanged(this->index(row, 0), this->index(row, lastColumn));
        }
        if (wanted > kept) {
            this->beginInsertRows({}, kept, wanted - 1);
            m_rows = std::move(rows);
            this->endInsertRows();
        }
    }

private:
    std::vector<Row> m_rows;
};

} // namespace ringmaster::app
