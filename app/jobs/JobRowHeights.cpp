#include "app/jobs/JobRowHeights.h"

#include "app/model/RunListModel.h"
#include "app/widget/TableLook.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace ringmaster::app {

int fitJobRows(QTableView& table, int room, int page)
{
    using namespace JobRowHeights;
    const QAbstractItemView& view = table;
    const QAbstractItemModel& jobs = *table.model();
    const int around = tableHeight(table, 1) - Least;
    const bool areLinesShown = !table.isColumnHidden(RunListModel::Cpu);
    std::vector<int> heights;
    std::vector<int> growing;
    int spare = room - around;
    for (int row = 0; row < jobs.rowCount(); ++row) {
        heights.push_back(std::clamp(view.sizeHintForRow(row), Least, Most));
        if (areLinesShown && jobs.index(row, 0).data(RunListModel::LiveRole).toBool())
            growing.push_back(row);
        spare -= heights.back();
    }
    const int roomy = std::min(Roomy, page / 10);
    const int more = growing.empty() ? 0 : spare / static_cast<int>(growing.size());
    for (const int row : growing) {
        int& height = heights[static_cast<size_t>(row)];
        height = std::max(height, room == 0 ? WithLines : std::min(height + more, roomy));
    }
    QHeaderView& rows = *table.verticalHeader();
    for (int row = 0; row < jobs.rowCount(); ++row) {
        const int wanted = heights[static_cast<size_t>(row)];
        if (rows.sectionSize(row) != wanted)
            rows.resizeSection(row, wanted);
    }
    return std::min(around + rows.length(), QWIDGETSIZE_MAX);
}

} // namespace ringmaster::app
