#pragma once

class QTableView;

namespace ringmaster::app {

/// The look and manners of a read-only table: rows are chosen, one at a time; Tab leaves it; Ctrl+C
/// copies the chosen row.
void dressTable(QTableView& table);

} // namespace ringmaster::app
