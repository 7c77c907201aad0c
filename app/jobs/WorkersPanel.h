#pragma once

#include "app/jobs/WorkerFilter.h"
#include "app/widget/Pill.h"
#include "app/widget/TwinCard.h"

#include <QTimer>

namespace ringmaster::app {

class HostStrip;
class TableColumns;
class WorkerTiles;

/// The workers of a run: tiles and a table over the same rows with the same selection, and the
/// filters.
class WorkersPanel : public TwinCard
{
    Q_OBJECT

public:
    explicit WorkersPanel(const RunModel& run, QWidget* parent = nullptr);

    /// -1: none.
    int selectedRank() const;
    void selectRank(int globalRank);
    /// -1: the latest one.
    void showAttempt(int attempt);
    /// Says when the load was measured, where that is long ago.
    void updateAge();
    Height heightIn(int width) const override;

Q_SIGNALS:
    void rankSelected(int globalRank);
    void menuRequested(const QPoint& globalPosition);

private:
    struct Chip
    {
        WorkerFilter::Group group;
        FilterChip* button;
    };

    void buildViews();
    void buildTable();
    void buildChips();
    void updateChips();
    /// What the headings of the tiles say of a host isn't said twice.
    void updateHosts();
    void setTexts();
    QString textOf(WorkerFilter::Group group, int count) const;

    const RunModel& m_run;
    WorkerTableModel m_workers;
    WorkerFilter m_filter;
    WorkerTiles* m_tiles;
    HostStrip* m_strip;
    TableColumns* m_columns = nullptr;
    std::vector<Chip> m_chips;
    QWidget* m_chipBar;
    int m_wantedRank = -1;
    std::vector<HostSnapshot> m_hosts;
    QString m_said; ///< Without the age of the figures.
    int m_rows = 0; ///< The last time that they were counted.
    QTimer m_chipUpdate;
};

} // namespace ringmaster::app
