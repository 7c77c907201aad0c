#pragma once

#include "app/model/TableModel.h"

#include <algorithm>
#include <concepts>

namespace ringmaster::app {

/// A table whose rows are given anew as a whole; selection and scrolling stay. A row that can't be
/// compared counts as changed.
template <class Row>
class RowsModel : public TableModel<Row>
{
public:
    using TableModel<Row>::TableModel;

    const std::vector<Row>& rows() const { return m_rows; }
    const Row& at(int row) const { return m_rows[static_cast<size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

protected:
    const Row* rowAt(int row) const final { return &at(row); }

    /// Those at one place are the same row with other content.
    void setRows(std::vector<Row> rows)
    {
        const int wanted = static_cast<int>(rows.size());
        if (wanted < rowCount()) {
            this->beginRemoveRows({}, wanted, rowCount() - 1);
            m_rows.resize(rows.size());
            this->endRemoveRows();
        }
        std::vector<int> changed;
        const int kept = rowCount();
        for (int row = 0; row < kept; ++row)
            replace(row, rows[static_cast<size_t>(row)], changed);
        this->announce(changed);
        if (wanted > kept) {
            this->beginInsertRows({}, kept, wanted - 1);
            m_rows = std::move(rows);
            this->endInsertRows();
        }
    }

    /// Those with one key are the same row, and move with it.
    template <class Key>
    void setRows(const std::vector<Row>& rows, const Key& keyOf)
    {
        removeMissing(rows, keyOf);
        std::vector<int> changed;
        for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
            const Row& wanted = rows[static_cast<size_t>(row)];
            const auto here = m_rows.begin() + row;
            const auto found =
                std::ranges::find(here, m_rows.end(), std::invoke(keyOf, wanted), keyOf);
            if (found == m_rows.end()) {
                this->beginInsertRows({}, row, row);
                m_rows.insert(here, wanted);
                this->endInsertRows();
                continue;
            }
            if (found != here) {
                const int source = static_cast<int>(found - m_rows.begin());
                this->beginMoveRows({}, source, source, {}, row);
                std::rotate(here, found, found + 1);
                this->endMoveRows();
            }
            replace(row, wanted, changed);
        }
        this->announce(changed);
    }

private:
    void replace(int row, const Row& wanted, std::vector<int>& changed)
    {
        Row& shown = m_rows[static_cast<size_t>(row)];
        if constexpr (std::equality_comparable<Row>) {
            if (shown == wanted)
                return;
        }
        shown = wanted;
        changed.push_back(row);
    }

    template <class Key>
    void removeMissing(const std::vector<Row>& rows, const Key& keyOf)
    {
        for (int row = rowCount() - 1; row >= 0; --row) {
            if (std::ranges::find(rows, std::invoke(keyOf, at(row)), keyOf) != rows.end())
                continue;
            this->beginRemoveRows({}, row, row);
            m_rows.erase(m_rows.begin() + row);
            this->endRemoveRows();
        }
    }

    std::vector<Row> m_rows;
};

} // namespace ringmaster::app
