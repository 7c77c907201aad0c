#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/TimeSpan.h"

#include <QTimer>
#include <QVariantMap>
#include <QWidget>

class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace ringmaster::app {

class Banner;
class DevicesPanel;
class EventsPanel;
class EvidencePanel;
class JobActions;
class JobHeader;
class LogPanel;
class OperationsPanel;
class TimelinePanel;
class WorkersPanel;

/// One run, live or finished: workers, timeline, collectives, devices, log and events around one
/// selected rank and one span of time.
class JobPage : public QWidget
{
    Q_OBJECT

public:
    JobPage(EngineBridge& bridge, const std::string& run, JobActions& actions,
            QWidget* parent = nullptr);

    const RunModel& run() const { return m_run; }
    /// "Hanging – ddp digits"
    QString headline() const;
    int selectedRank() const { return m_selectedRank; }
    void selectRank(int globalRank);

    // The actions, called for the page that is shown.
    void stop();
    void restart();
    void sendSignal(int signal);
    void openLogs();
    void copyCommand();
    void focusFilter();
    void toggleFollow();

    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void toastRequested(const QString& text, const std::function<void()>& undo);

private:
    void build(JobActions& actions);
    void buildText();
    void showText(QWidget* panel, QWidget* focused);
    void connectPanels();
    void setTexts();
    void updateEvidenceButton();
    void updateActions();
    void updateBanner();
    void updateContinue();
    bool bannerOfFirstCause();
    /// With why the attempt before was over.
    QString withRestart(const QString& reason) const;
    bool bannerOfVerdict(Verdict::Kind least);
    void send(const Command& command, const QString& affirmation);
    bool isLive() const;

    EngineBridge& m_bridge;
    JobActions& m_actions;
    RunModel m_run;
    TimeSpan m_span{m_run, this};
    JobHeader* m_header;
    Banner* m_banner;
    QPushButton* m_continue; ///< Lets a stopped rank go on.
    WorkersPanel* m_workers;
    TimelinePanel* m_timeline;
    OperationsPanel* m_operations;
    DevicesPanel* m_devices;
    LogPanel* m_log;
    EventsPanel* m_events;
    EvidencePanel* m_evidence;
    QSplitter* m_rows;
    QSplitter* m_upper;
    QSplitter* m_lower;
    QStackedWidget* m_text; ///< The log, the events, or the evidence.
    QToolButton* m_toEvents;
    QToolButton* m_toEvidence; ///< From the log.
    QToolButton* m_toLog;      ///< From the events.
    QToolButton* m_backToLog;  ///< From the evidence.
    int m_selectedRank = -1;
    std::optional<Error> m_feedError;
    QTimer m_tick;
};

} // namespace ringmaster::app
