#pragma once

#include "app/widget/PanelSplitter.h"

class QTableView;

namespace ringmaster::app {

/// A drawing with a table below it, which takes what its rows need: the rest is the drawing's.
/// Until somebody moves the handle between them.
class TableBelow : public PanelSplitter
{
    Q_OBJECT

public:
    /// The drawing keeps `least` of the height.
    TableBelow(QWidget* drawing, QTableView* table, int least, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    QTableView* m_table;
    int m_least;
};

} // namespace ringmaster::app
