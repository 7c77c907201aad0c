#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/AttemptChoice.h"
#include "app/model/TimeSpan.h"
#include "app/widget/PanelRow.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

namespace ringmaster::app {

class LogPanel;
class NumbersPanel;
class OperationsPanel;
class PanelGrid;
class TimelinePanel;
class WorkersPanel;

/// What a run's page shows, without its actions: workers, timeline, collectives, printed numbers
/// and log, around one selected rank and one span of time. Follows the run as long as it is there.
class RunPreviewPanels : public QWidget
{
    Q_OBJECT

public:
    enum class Extent {
        Whole,
        Glance ///< Workers and log alone.
    };
    RunPreviewPanels(EngineBridge& bridge, const std::string& run, Extent extent,
                     QWidget* parent = nullptr);

    const RunModel& run() const { return m_run; }

Q_SIGNALS:
    /// How the run stands, or since when, is something else.
    void changed();
    /// A sentence for the reader.
    void told(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    std::vector<PanelRow::Description> rows() const;
    std::vector<PanelRow::Description> rowsOfGlance();
    void connectPanels();
    void selectRank(int globalRank);
    void showOperations();
    void tick();
    void grow();

    RunModel m_run;
    TimeSpan m_span{m_run, this};
    AttemptChoice m_attempts{m_run};
    WorkersPanel* m_workers;
    TimelinePanel* m_timeline;
    OperationsPanel* m_operations;
    NumbersPanel* m_numbers;
    LogPanel* m_log;
    Extent m_extent;
    PanelGrid* m_panels;
    int m_selectedRank = -1;
    QTimer m_tick;
    QElapsedTimer m_grown; ///< Since the time axes did last.
};

} // namespace ringmaster::app
