#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/jobs/RunPanels.h"
#include "app/widget/PanelRow.h"

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
class MachineBridge;
class PanelGrid;

/// One run, live or finished: workers, timeline, collectives, devices, log and events around one
/// selected rank and one span of time.
class JobPage : public QWidget
{
    Q_OBJECT

public:
    /// All of them outlive it.
    JobPage(EngineBridge& bridge, const std::string& run, JobActions& actions, JobPorts& ports,
            QWidget* parent = nullptr);

    const RunModel& run() const { return m_view.run; }
    /// "Hanging – ddp digits"
    QString headline() const;
    int selectedRank() const { return m_shown->selectedRank(); }
    AttemptChoice& attempts() { return m_view.attempts; }
    void selectRank(int globalRank) { m_shown->selectRank(globalRank); }
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
    void send(const Command& command, const QString& affirmation);
    void tellDrill(const std::vector<Event>& events);
    bool isLive() const;

    EngineBridge& m_bridge;
    JobActions& m_actions;
    JobPorts& m_ports;
    RunView m_view;
    JobHeader* m_header;
    JobBanner* m_banner;
    LessonExport* m_lessonExport;
    RunPanels* m_shown; ///< What a preview has, too.
    DevicesPanel* m_devices;
    EventsPanel* m_events;
    EvidencePanel* m_evidence;
    PanelGrid* m_panels;
    bool m_isDrillAwaited = false; ///< Begun here, and its result hasn't come.
};

} // namespace ringmaster::app
