#pragma once

#include "app/history/CompareTable.h"

namespace ringmaster::app {

/// What came of runs, side by side: their quantities with the ratio to the first run, how each
/// ended, and what was said of it.
class ResultsTable : public CompareTable
{
    Q_OBJECT

public:
    using CompareTable::CompareTable;

    void showRuns(const std::vector<ComparedRun>& runs, const RunComparison& comparison);
    /// Nothing is known of them yet.
    void showColumns(size_t runs) { begin(runs, Qt::AlignRight); }

private:
    void addQuantity(const ComparedQuantity& quantity, size_t runs);
    void addWords(const std::vector<ComparedRun>& runs);
    void addRun(const QString& title, const QStringList& cells);
};

} // namespace ringmaster::app
