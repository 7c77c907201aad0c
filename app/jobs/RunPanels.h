#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RunView.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QVariantMap>

namespace ringmaster::app {

class LogPanel;
class NumbersPanel;
class OperationsPanel;
class TimelinePanel;
class WorkersPanel;

/// The panels that a run's page and its preview have both: workers, timeline, collectives, printed
/// numbers and log, around one selected rank and one span of time. Follows the run as long as it is
/// there; whoever owns it gives the panels their places.
class RunPanels : public QObject
{
    Q_OBJECT

public:
    enum class Extent {
        Whole,
        Glance ///< Only workers and log have a place.
    };
    /// `view` outlives it; `parent` is the panels' own, too.
    RunPanels(EngineBridge& bridge, RunView& view, Extent extent, QWidget* parent);

    WorkersPanel& workers() const { return *m_workers; }
    TimelinePanel& timeline() const { return *m_timeline; }
    OperationsPanel& operations() const { return *m_operations; }
    NumbersPanel& numbers() const { return *m_numbers; }
    LogPanel& log() const { return *m_log; }

    /// -1: none.
    int selectedRank() const { return m_selectedRank; }
    void selectRank(int globalRank);
    /// Whether somebody sees them; at first nobody does.
    void setShown(bool isShown);

    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void rankSelected(int globalRank);
    /// Each second, while somebody sees them: what says how long something has been so is another.
    void ticked();
    /// A sentence for the reader.
    void told(const QString& sentence);

private:
    void connectPanels();
    void tick();
    void grow();

    RunView& m_view;
    Extent m_extent;
    WorkersPanel* m_workers;
    TimelinePanel* m_timeline;
    OperationsPanel* m_operations;
    NumbersPanel* m_numbers;
    LogPanel* m_log;
    int m_selectedRank = -1;
    bool m_isShown = false;
    QTimer m_tick;
    QElapsedTimer m_grown; ///< Since the time axes did last.
};

} // namespace ringmaster::app
