#include "app/widget/TableBelow.h"

#include "app/widget/TableLook.h"

#include <QTableView>

#include <algorithm>

namespace ringmaster::app {

namespace {
constexpr int MostRows = 6; ///< The others are scrolled to.
constexpr int LeastTable = 84;
} // namespace

TableBelow::TableBelow(QWidget* drawing, QTableView* table, int least, QWidget* parent)
    : PanelSplitter(Qt::Vertical, parent), m_table(table), m_least(least)
{
    setHandleWidth(8);
    addWidget(drawing);
    addWidget(table);
    const auto refit = [this] { fit(); };
    const QAbstractItemModel* model = table->model();
    connect(model, &QAbstractItemModel::rowsInserted, this, refit);
    connect(model, &QAbstractItemModel::rowsRemoved, this, refit);
    connect(model, &QAbstractItemModel::modelReset, this, refit);
}

void TableBelow::resizeEvent(QResizeEvent* event)
{
    PanelSplitter::resizeEvent(event);
    fit();
}

void TableBelow::fit()
{
    const int room = height() - handleWidth();
    const int table = std::clamp(room - m_least, LeastTable,
                                 std::max(LeastTable, tableHeight(*m_table, MostRows)));
    setDefaultSizes({room - table, table});
}

} // namespace ringmaster::app
