#pragma once

#include <initializer_list>

class QAbstractItemModel;
class QTableView;

namespace ringmaster::app {

/// The look and manners of a read-only table: rows are chosen, one at a time; Tab leaves it; Ctrl+C
/// copies what is chosen.
void dressTable(QTableView& table, int rowHeight = 24);

/// Of its first columns, in pixels.
void setColumnWidths(QTableView& table, std::initializer_list<int> widths);

/// With all of its rows, at most so many, and room for a scroll bar below them.
int tableHeight(const QTableView& table, int mostRows = 10);

/// Another model, or none, with the widths of its columns in pixels; not where it has it already.
void showModel(QTableView& table, QAbstractItemModel* model, std::initializer_list<int> widths);

} // namespace ringmaster::app
