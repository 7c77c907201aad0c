#pragma once

#include <QAbstractTableModel>

#include <functional>
#include <vector>

namespace ringmaster::app {

/// One column of a TableModel: all that a view asks about it.
template <class Row>
struct TableColumn
{
    const char* title = ""; ///< For tr() of the model; a name that stays as it is needs no mark.
    std::function<QString(const Row&)> text{};
    std::function<double(const Row&)> sortKey{};  ///< None: sorted by the text.
    std::function<QString(const Row&)> toolTip{}; ///< None: the text.
    Qt::Alignment alignment{};                    ///< Of title and cells; none: the view's.
};

constexpr Qt::Alignment NumberAlignment = Qt::AlignRight | Qt::AlignVCenter;

/// A table that is a list of columns, in the order of its enum; where its rows are is left to who
/// derives from it.
template <class Row>
class TableModel : public QAbstractTableModel
{
public:
    /// Roles of a model of its own begin at `FirstOwnRole`.
    enum { SortRole = Qt::UserRole, FirstOwnRole };

    using QAbstractTableModel::QAbstractTableModel;

    int columnCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid))
            return {};
        const Row* row = rowAt(index.row());
        if (row == nullptr)
            return {};
        QVariant own = rowData(*row, index, role);
        return own.isValid() ? own : columnData(m_columns[toSize(index.column())], *row, role);
    }

    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override
    {
        if (orientation == Qt::Horizontal && section >= 0 && section < columnCount()) {
            const TableColumn<Row>& column = m_columns[toSize(section)];
            if (role == Qt::DisplayRole)
                return metaObject()->tr(column.title, nullptr);
            if (role == Qt::TextAlignmentRole)
                return alignmentOf(column);
        }
        return QAbstractTableModel::headerData(section, orientation, role);
    }

protected:
    void setColumns(std::vector<TableColumn<Row>> columns) { m_columns = std::move(columns); }

    /// Null: the row has no data any more.
    virtual const Row* rowAt(int row) const = 0;

    /// Roles that the columns don't have, and those that are the same in several; invalid: what the
    /// column says.
    virtual QVariant rowData(const Row& /*row*/, const QModelIndex& /*index*/, int /*role*/) const
    {
        return {};
    }

    /// Says that these rows, in ascending order, have changed. Proxies and views pay for each
    /// signal: neighbours go together, and so do many.
    void announce(const std::vector<int>& rows, const QList<int>& roles = {})
    {
        constexpr size_t ManySignals = 32;
        size_t ranges = 0;
        for (size_t i = 0; i < rows.size(); ++i)
            ranges += i == 0 || rows[i] != rows[i - 1] + 1 ? 1 : 0;
        for (size_t i = 0; i < rows.size();) {
            size_t last = i;
            while (last + 1 < rows.size() &&
                   (ranges > ManySignals || rows[last + 1] == rows[last] + 1))
                ++last;
            announceAll(rows[i], rows[last], roles);
            i = last + 1;
        }
    }

    void announceAll(int first, int last, const QList<int>& roles = {})
    {
        if (first <= last)
            Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1), roles);
    }

private:
    static size_t toSize(int value) { return static_cast<size_t>(value); }

    static QVariant alignmentOf(const TableColumn<Row>& column)
    {
        return column.alignment ? QVariant(static_cast<int>(column.alignment)) : QVariant();
    }

    static QVariant columnData(const TableColumn<Row>& column, const Row& row, int role)
    {
        switch (role) {
        case Qt::DisplayRole: return column.text ? QVariant(column.text(row)) : QVariant();
        case SortRole:
            return column.sortKey ? QVariant(column.sortKey(row))
                                  : columnData(column, row, Qt::DisplayRole);
        case Qt::ToolTipRole:
            return column.toolTip ? QVariant(column.toolTip(row))
                                  : columnData(column, row, Qt::DisplayRole);
        case Qt::TextAlignmentRole: return alignmentOf(column);
        default: return {};
        }
    }

    std::vector<TableColumn<Row>> m_columns;
};

} // namespace ringmaster::app
