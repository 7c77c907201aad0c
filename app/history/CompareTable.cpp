#include "app/history/CompareTable.h"

#include "app/history/CompareText.h"

#include <QHeaderView>

#include <algorithm>

namespace ringmaster::app {

namespace {

QTableWidgetItem* cellOf(const QString& text, Qt::Alignment alignment = {})
{
    auto* item = new QTableWidgetItem(text);
    item->setToolTip(text);
    if (alignment)
        item->setTextAlignment(alignment);
    return item;
}

} // namespace

void CompareTable::begin(size_t runs, Qt::Alignment alignment)
{
    clear();
    setRowCount(0);
    setColumnCount(static_cast<int>(runs) + 1);
    QStringList headers{QString()};
    for (size_t i = 0; i < runs; ++i)
        headers << letterOf(i);
    setHorizontalHeaderLabels(headers);
    for (int column = 1; column < columnCount(); ++column)
        horizontalHeaderItem(column)->setTextAlignment(alignment | Qt::AlignVCenter);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
}

void CompareTable::addRow(const QString& title, const QStringList& cells, Qt::Alignment alignment)
{
    const int row = rowCount();
    insertRow(row);
    setItem(row, 0, cellOf(title));
    for (int i = 0; i < cells.size(); ++i)
        setItem(row, i + 1, cellOf(cells[i], alignment));
}

void CompareTable::fitHeight(bool mayBeHigher)
{
    constexpr int MostHeight = 640;
    const int wanted =
        horizontalHeader()->sizeHint().height() + verticalHeader()->length() + 2 * frameWidth() + 2;
    setMinimumHeight(std::min(wanted, MostHeight));
    // A bar that comes for a moment takes width, and rows wrap for it.
    setVerticalScrollBarPolicy(wanted > MostHeight ? Qt::ScrollBarAsNeeded
                                                   : Qt::ScrollBarAlwaysOff);
    setMaximumHeight(mayBeHigher ? QWIDGETSIZE_MAX : minimumHeight());
}

} // namespace ringmaster::app
