#include "app/jobs/JobRowHeights.h"

#include "app/model/RunListModel.h"
#include "app/widget/TableLook.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <numeric>
#include <vector>

namespace ringmaster::app {

namespace {

/// With no room to share, lines over time have what they need.
std::vector<int> heightsOf(const QTableView& table, int room, int page)
{
    using namespace JobRowHeights;
    const QAbstractItemView& view = table;
    const QAbstractItemModel& jobs = *table.model();
    const bool areLinesShown = !table.isColumnHidden(RunListModel::Cpu);
    std::vector<int> heights;
    std::vector<int> growing;
    int spare = room;
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
    return heights;
}

int aroundRows(const QTableView& table)
{
    return tableHeight(table, 1) - JobRowHeights::Least;
}

} // namespace

int leastJobRows(const QTableView& table)
{
    const std::vector<int> heights = heightsOf(table, 0, 0);
    return std::accumulate(heights.begin(), heights.end(), aroundRows(table));
}

int fitJobRows(QTableView& table, int room, int page)
{
    const int around = aroundRows(table);
    const std::vector<int> heights = heightsOf(table, room == 0 ? 0 : room - around, page);
    QHeaderView& rows = *table.verticalHeader();
    for (int row = 0; row < static_cast<int>(heights.size()); ++row) {
        const int wanted = heights[static_cast<size_t>(row)];
        if (rows.sectionSize(row) != wanted)
            rows.resizeSection(row, wanted);
    }
    return std::min(around + rows.length(), QWIDGETSIZE_MAX);
}

} // namespace ringmaster::app
