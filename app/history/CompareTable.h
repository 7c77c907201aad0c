#pragma once

#include "engine/control/RunComparison.h"

#include <QTableWidget>

namespace ringmaster::app {

/// A table with a column a run. All of its rows are in sight, unless they are very many: the page
/// scrolls, not the table.
class CompareTable : public QTableWidget
{
    Q_OBJECT

public:
    using QTableWidget::QTableWidget;

    /// Without rows; the runs are named by their letters.
    void begin(size_t runs, Qt::Alignment alignment);
    void addRow(const QString& title, const QStringList& cells, Qt::Alignment alignment = {});
    void fitHeight(bool mayBeHigher);
};

} // namespace ringmaster::app
