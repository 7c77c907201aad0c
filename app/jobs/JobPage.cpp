#include "app/jobs/JobPage.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/ConfirmStop.h"
#include "app/jobs/DevicesPanel.h"
#include "app/jobs/DrillDialog.h"
#include "app/jobs/EventsPanel.h"
#include "app/jobs/EvidencePanel.h"
#include "app/jobs/JobActions.h"
#include "app/jobs/JobBanner.h"
#include "app/jobs/JobHeader.h"
#include "app/jobs/LessonExport.h"
#include "app/jobs/LogPanel.h"
#include "app/jobs/NumbersPanel.h"
#include "app/jobs/OperationsPanel.h"
#include "app/jobs/PortsDialog.h"
#include "app/jobs/StopGrace.h"
#include "app/jobs/TimelinePanel.h"
#include "app/jobs/WorkersPanel.h"
#include "app/widget/PanelGrid.h"
#include "engine/event/DrillStage.h"
#include "engine/event/States.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <csignal>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

constexpr QLatin1String LogKey("log");
constexpr QLatin1String EvidenceKey("evidence");
constexpr qint64 FeedSilence = 1500; ///< ms

} // namespace

JobPage::JobPage(EngineBridge& bridge, const std::string& run, JobActions& actions, JobPorts& ports,
                 QWidget* parent)
    : QWidget(parent)
    , m_bridge(bridge)
    , m_actions(actions)
    , m_ports(ports)
    , m_run(run)
    , m_header(new JobHeader(m_run, m_attempts, actions, this))
    , m_banner(new JobBanner(m_run, this))
    , m_lessonExport(new LessonExport(this))
    , m_workers(new WorkersPanel(m_run, this))
    , m_timeline(new TimelinePanel(m_run, m_span, this))
    , m_operations(new OperationsPanel(bridge, m_run, m_span, m_attempts, this))
    , m_numbers(new NumbersPanel(bridge, m_run, m_operations->feed(), m_span, this))
    , m_devices(new DevicesPanel(m_run, m_span, this))
    , m_log(new LogPanel(bridge, m_run, m_span, this))
    , m_events(new EventsPanel(m_run, m_span, this))
    , m_evidence(new EvidencePanel(bridge, m_run, this))
    , m_panels(new PanelGrid(rows(), this))
{
    build();
    connectPanels();
    RunFeed* feed = bridge.follow(run, 0, this);
    connect(feed, &RunFeed::eventsArrived, &m_run, &RunModel::apply);
    connect(feed, &RunFeed::ended, &m_run, &RunModel::setEnded);
    updateActions();
}

void JobPage::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    layout->addWidget(m_banner);
    layout->addWidget(m_panels, 1);
    setTabOrder(m_header, m_workers);
    m_operations->setSubtitleDispensable();
    m_log->setSubtitleDispensable();
}

std::vector<PanelRow::Description> JobPage::rows() const
{
    using Room = PanelRow::Room;
    constexpr int LeastChart = 350;
    constexpr int LeastLog = 300;
    const GridPanel workers{QStringLiteral("workers"), m_workers};
    const GridPanel timeline{QStringLiteral("timeline"), m_timeline};
    const std::vector<GridPanel> charts{{QStringLiteral("operations"), m_operations},
                                        {QStringLiteral("numbers"), m_numbers}};
    const std::vector<GridPanel> text{
        {LogKey, m_log}, {QStringLiteral("events"), m_events}, {EvidenceKey, m_evidence}};
    const GridPanel devices{QStringLiteral("devices"), m_devices};
    return {
        {.room = Room::AsNeeded, .places = {{.panels = {workers}}, {.panels = {timeline}}}},
        {.room = Room::Rest,
         .places = {{.panels = charts, .least = LeastChart}, {.panels = text, .least = LeastLog}}},
        {.room = Room::AsNeeded, .places = {{.panels = {devices}}}}};
}

void JobPage::connectPanels()
{
    connect(m_operations, &OperationsPanel::rankSelected, this, &JobPage::selectRank);
    connect(m_operations, &OperationsPanel::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); });
    connect(&m_operations->feed(), &OperationFeed::placesChanged, &m_run, &RunModel::setPlaces);
    connect(m_numbers, &NumbersPanel::rankSelected, this, &JobPage::selectRank);
    connect(m_numbers, &NumbersPanel::watched, m_operations, &OperationsPanel::setWatchedElsewhere);
    connect(m_numbers, &NumbersPanel::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); });
    connect(m_workers, &WorkersPanel::rankSelected, this, &JobPage::selectRank);
    connect(m_timeline, &TimelinePanel::rankSelected, this, &JobPage::selectRank);
    connect(m_events, &EventsPanel::rankSelected, this, &JobPage::selectRank);
    connect(m_log, &LogPanel::allRanksRequested, this, [this] { selectRank(-1); });
    connect(m_workers, &WorkersPanel::menuRequested, this, [this](const QPoint& position) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addMenu(m_actions.signalMenu);
        menu->addActions({m_actions.forwardPort, m_actions.openLogs, m_actions.clearSelection,
                          m_actions.restart, m_actions.stop});
        menu->popup(position);
    });
    connect(m_banner, &JobBanner::continueRequested, this, [this](int rank) {
        send(SignalWorker{.globalRank = rank, .signal = SIGCONT},
             tr("Continuing rank %1").arg(rank));
    });
    connect(m_lessonExport, &LessonExport::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); });
    connect(&m_attempts, &AttemptChoice::changed, this, [this] {
        m_workers->showAttempt(m_attempts.chosen());
        m_log->showAttempt(m_attempts.chosen());
    });
    connect(&m_run, &RunModel::eventsApplied, this, &JobPage::tellDrill);
    connect(&m_run, &RunModel::runChanged, this, &JobPage::updateActions);
    connect(&m_bridge, &EngineBridge::runsChanged, this, &JobPage::updateActions);
    connect(&m_operations->feed(), &OperationFeed::changed, this, &JobPage::grow);
    m_tick.setInterval(1s);
    m_tick.setTimerType(Qt::VeryCoarseTimer); // with the side bar's: one repaint for both
    connect(&m_tick, &QTimer::timeout, this, &JobPage::tick);
    m_tick.start();
}

/// What says how long something has been so.
void JobPage::tick()
{
    if (!isVisible())
        return;
    m_workers->updateAge();
    m_devices->updateAge();
    m_operations->updateAge();
    if (!m_run.isRunning())
        return;
    m_header->update();
    const RunSnapshot& run = m_run.snapshot();
    if (!run.verdicts.empty() || run.state == RunState::Stopping)
        m_banner->update();
    // Else it grows with what the feed brings, so that all is painted once a second.
    if (!m_grown.isValid() || m_grown.hasExpired(FeedSilence))
        grow();
}

/// The time axes of all drawings.
void JobPage::grow()
{
    if (!m_run.isRunning() || !isVisible())
        return;
    m_grown.start();
    m_span.grow();
}

void JobPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_numbers->setPageShown(true);
    tick();
}

void JobPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_numbers->setPageShown(false);
}

void JobPage::setMachines(const MachineBridge& machines)
{
    const auto show = [this, &machines] {
        const std::string name = machineOf(m_run.run()).toStdString();
        const auto& all = machines.machines();
        const auto there = std::ranges::find(all, name, &WatchedMachineState::name);
        const bool isLost =
            there != all.end() && there->connection == WatchedMachineState::Connection::Lost;
        m_header->setOutOfReach(isLost ? text(there->why) : QString());
    };
    connect(&machines, &MachineBridge::changed, this, show);
    show();
}

bool JobPage::isLive() const
{
    const RunSummary* summary = m_bridge.find(m_run.run());
    return summary != nullptr && summary->isLive;
}

void JobPage::updateActions()
{
    m_actions.update(&m_run.snapshot(), isLive(), m_selectedRank, machineOf(m_run.run()));
    m_header->update();
}

void JobPage::selectRank(int globalRank)
{
    if (std::exchange(m_selectedRank, globalRank) == globalRank)
        return;
    m_workers->selectRank(globalRank);
    m_timeline->selectRank(globalRank);
    m_operations->selectRank(globalRank);
    m_numbers->selectRank(globalRank);
    m_log->selectRank(globalRank);
    updateActions();
}

void JobPage::send(const Command& command, const QString& affirmation)
{
    m_bridge.send(m_run.run(), command, this, [this, affirmation](const Result<void>& result) {
        Q_EMIT toastRequested(result ? affirmation : text(result.error()), nullptr);
    });
}

void JobPage::stop()
{
    const RunSnapshot& run = m_run.snapshot();
    if (run.state == RunState::Stopping) {
        send(StopRun{.now = true}, tr("Killing the workers"));
        return;
    }
    const StopQuestion question{
        .job = QString::fromStdString(run.started.name),
        .ranks = static_cast<int>(run.workers.size()),
        .durationNs = m_run.durationNs(QDateTime::currentMSecsSinceEpoch() * 1'000'000),
        .grace = stopGraceOf(run)};
    confirmStop(this, question, [this] { send(StopRun{}, tr("Stopping the job")); });
}

void JobPage::restart()
{
    send(RestartGroup{}, tr("Restarting the worker group"));
}

void JobPage::fireDrill()
{
    auto* dialog = new DrillDialog(m_run.snapshot(), m_selectedRank, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_isDrillAwaited = true;
        send(dialog->drill(), tr("The fire drill begins; its result will be told here"));
    });
    dialog->open();
}

void JobPage::forwardPort()
{
    auto* dialog = new PortsDialog(m_ports, m_run, m_selectedRank, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

/// Also stands among the events; those of drills that are over aren't told again.
void JobPage::tellDrill(const std::vector<Event>& events)
{
    for (const Event& event : events) {
        const auto* notice = std::get_if<Notice>(&event.body);
        if (notice == nullptr || !m_isDrillAwaited || !isOver(drillStageOf(notice->message)))
            continue;
        m_isDrillAwaited = false;
        Q_EMIT toastRequested(text(notice->message), nullptr);
    }
}

void JobPage::sendSignal(int signal)
{
    if (m_selectedRank < 0)
        return;
    send(SignalWorker{.globalRank = m_selectedRank, .signal = signal},
         tr("Sent %1 to rank %2")
             .arg(QString::fromStdString(signalName(signal)))
             .arg(m_selectedRank));
}

QString JobPage::headline() const
{
    const std::string& name = m_run.snapshot().started.name;
    return tr("%1 – %2", "health, job")
        .arg(word(m_run.health().health),
             QString::fromStdString(name.empty() ? m_run.run() : name));
}

void JobPage::makeLesson()
{
    m_lessonExport->chooseFile(m_run.run());
}

void JobPage::openLogs()
{
    m_log->openFile();
}

void JobPage::copyCommand()
{
    QApplication::clipboard()->setText(
        QString::fromStdString(m_run.snapshot().started.torchrunLine));
    Q_EMIT toastRequested(tr("Copied the torchrun command"), nullptr);
}

void JobPage::showStacks()
{
    m_panels->bringForward(EvidenceKey);
    m_evidence->takeStacks();
}

void JobPage::focusFilter()
{
    m_panels->bringForward(LogKey);
    m_log->focusFilter();
}

void JobPage::toggleFollow()
{
    m_log->toggleFollow();
}

QVariantMap JobPage::saveState() const
{
    return {{QStringLiteral("panels"), m_panels->saveState()},
            {QStringLiteral("operations"), m_operations->saveState()},
            {QStringLiteral("numbers"), m_numbers->saveState()},
            {QStringLiteral("log"), m_log->saveState()},
            {QStringLiteral("workersTable"), m_workers->showsTable()},
            {QStringLiteral("timelineTable"), m_timeline->showsTable()},
            {QStringLiteral("devicesTable"), m_devices->showsTable()}};
}

void JobPage::restoreState(const QVariantMap& state)
{
    m_panels->restoreState(state.value(QStringLiteral("panels")).toMap());
    m_operations->restoreState(state.value(QStringLiteral("operations")).toMap());
    m_numbers->restoreState(state.value(QStringLiteral("numbers")).toMap());
    m_log->restoreState(state.value(QStringLiteral("log")).toMap());
    m_workers->showTable(state.value(QStringLiteral("workersTable")).toBool());
    m_timeline->showTable(state.value(QStringLiteral("timelineTable")).toBool());
    m_devices->showTable(state.value(QStringLiteral("devicesTable")).toBool());
}

} // namespace ringmaster::app
