#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/AttemptChoice.h"
#include "app/model/TimeSpan.h"
#include "app/widget/PanelRow.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QVariantMap>
#include <QWidget>

namespace ringmaster::app {

class DevicesPanel;
class EventsPanel;
class EvidencePanel;
class JobActions;
class JobBanner;
class JobHeader;
class JobPorts;
class LessonExport;
class LogPanel;
class MachineBridge;
class NumbersPanel;
class OperationsPanel;
class PanelGrid;
class TimelinePanel;
class WorkersPanel;

/// One run, live or finished: workers, timeline, collectives, devices, log and events around one
/// selected rank and one span of time.
class JobPage : public QWidget
{
    Q_OBJECT

public:
    /// All of them outlive it.
    JobPage(EngineBridge& bridge, const std::string& run, JobActions& actions, JobPorts& ports,
            QWidget* parent = nullptr);

    const RunModel& run() const { return m_run; }
    /// "Hanging – ddp digits"
    QString headline() const;
    int selectedRank() const { return m_selectedRank; }
    AttemptChoice& attempts() { return m_attempts; }
    void selectRank(int globalRank);
    PanelGrid& panels() { return *m_panels; }
    /// How it stands with the way to the machine that the run is on; lives as long as the page.
    void setMachines(const MachineBridge& machines);

    // The actions, called for the page that is shown.
    void stop();
    void restart();
    void sendSignal(int signal);
    void fireDrill();
    void forwardPort();
    void showStacks();
    void makeLesson();
    void openLogs();
    void copyCommand();
    void focusFilter();
    void toggleFollow();

    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void toastRequested(const QString& text, const std::function<void()>& undo);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    std::vector<PanelRow::Description> rows() const;
    void connectPanels();
    void updateActions();
    void tick();
    void grow();
    void send(const Command& command, const QString& affirmation);
    void tellDrill(const std::vector<Event>& events);
    bool isLive() const;

    EngineBridge& m_bridge;
    JobActions& m_actions;
    JobPorts& m_ports;
    RunModel m_run;
    TimeSpan m_span{m_run, this};
    AttemptChoice m_attempts{m_run};
    JobHeader* m_header;
    JobBanner* m_banner;
    LessonExport* m_lessonExport;
    WorkersPanel* m_workers;
    TimelinePanel* m_timeline;
    OperationsPanel* m_operations;
    NumbersPanel* m_numbers;
    DevicesPanel* m_devices;
    LogPanel* m_log;
    EventsPanel* m_events;
    EvidencePanel* m_evidence;
    PanelGrid* m_panels;
    int m_selectedRank = -1;
    bool m_isDrillAwaited = false; ///< Begun here, and its result hasn't come.
    QTimer m_tick;
    QElapsedTimer m_grown; ///< Since the time axes did last.
};

} // namespace ringmaster::app
