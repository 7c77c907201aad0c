#include "app/widget/TableLook.h"

#include "app/widget/Card.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>
#include <QShortcut>
#include <QTableView>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// A line a row, its cells with tabs between them.
QString chosenText(const QTableView& table)
{
    if (table.model() == nullptr)
        return {};
    QModelIndexList rows = table.selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < table.model()->columnCount(); ++column)
            cells << row.siblingAtColumn(column).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void dressTable(QTableView& table, int rowHeight)
{
    setLook(&table, "framed");
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setStretchLastSection(true);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* copy = new QShortcut(QKeySequence::Copy, &table, nullptr, nullptr, Qt::WidgetShortcut);
    QObject::connect(copy, &QShortcut::activated, &table,
                     [&table] { QApplication::clipboard()->setText(chosenText(table)); });
}

int tableHeight(const QTableView& table, int mostRows)
{
    const int rows = table.model() == nullptr ? 0 : table.model()->rowCount();
    return table.horizontalHeader()->sizeHint().height() +
           std::clamp(rows, 1, mostRows) * table.verticalHeader()->defaultSectionSize() +
           table.horizontalScrollBar()->sizeHint().height() + 2 * table.frameWidth();
}

void showModel(QTableView& table, QAbstractItemModel* model, std::initializer_list<int> widths)
{
    if (table.model() == model)
        return;
    table.setModel(model);
    setColumnWidths(table, widths);
}

void setColumnWidths(QTableView& table, std::initializer_list<int> widths)
{
    for (int column = 0; const int width : widths)
        table.setColumnWidth(column++, width);
}

} // namespace ringmaster::app
