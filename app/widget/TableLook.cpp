#include "app/widget/TableLook.h"

#include "app/widget/Card.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QShortcut>
#include <QTableView>

namespace ringmaster::app {

namespace {

QString chosenRow(const QTableView& table)
{
    const QModelIndex current = table.currentIndex();
    QStringList cells;
    for (int column = 0; current.isValid() && column < table.model()->columnCount(); ++column)
        cells << current.siblingAtColumn(column).data().toString();
    return cells.join(QLatin1Char('\t'));
}

} // namespace

void dressTable(QTableView& table)
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
    table.verticalHeader()->setDefaultSectionSize(24);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setStretchLastSection(true);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* copy = new QShortcut(QKeySequence::Copy, &table, nullptr, nullptr, Qt::WidgetShortcut);
    QObject::connect(copy, &QShortcut::activated, &table,
                     [&table] { QApplication::clipboard()->setText(chosenRow(table)); });
}

void showModel(QTableView& table, QAbstractItemModel* model, std::initializer_list<int> widths)
{
    if (table.model() == model)
        return;
    table.setModel(model);
    for (int column = 0; const int width : widths)
        table.setColumnWidth(column++, width);
}

} // namespace ringmaster::app
