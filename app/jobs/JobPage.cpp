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
#include <csignal>

namespace ringmaster::app {

namespace {

constexpr QLatin1String LogKey("log");
constexpr QLatin1String EvidenceKey("evidence");

} // namespace

JobPage::JobPage(EngineBridge& bridge, const std::string& run, JobActions& actions, JobPorts& ports,
                 QWidget* parent)
    : QWidget(parent)
    , m_bridge(bridge)
    , m_actions(actions)
    , m_ports(ports)
    , m_view(run, this)
    , m_header(new JobHeader(m_view.run, m_view.attempts, actions, this))
    , m_banner(new JobBanner(m_view.run, this))
    , m_lessonExport(new LessonExport(this))
    , m_shown(new RunPanels(bridge, m_view, RunPanels::Extent::Whole, this))
    , m_devices(new DevicesPanel(m_view.run, m_view.span, this))
    , m_events(new EventsPanel(m_view.run, m_view.span, this))
    , m_evidence(new EvidencePanel(bridge, m_view.run, this))
    , m_panels(new PanelGrid(rows(), this))
{
    build();
    connectPanels();
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
    setTabOrder(m_header, &m_shown->workers());
}

std::vector<PanelRow::Description> JobPage::rows() const
{
    using Room = PanelRow::Room;
    constexpr int LeastChart = 350;
    constexpr int LeastLog = 300;
    const GridPanel workers{QStringLiteral("workers"), &m_shown->workers()};
    const GridPanel timeline{QStringLiteral("timeline"), &m_shown->timeline()};
    const std::vector<GridPanel> charts{{QStringLiteral("operations"), &m_shown->operations()},
                                        {QStringLiteral("numbers"), &m_shown->numbers()}};
    const std::vector<GridPanel> text{
        {LogKey, &m_shown->log()}, {QStringLiteral("events"), m_events}, {EvidenceKey, m_evidence}};
    const GridPanel devices{QStringLiteral("devices"), m_devices};
    return {
        {.room = Room::AsNeeded, .places = {{.panels = {workers}}, {.panels = {timeline}}}},
        {.room = Room::Rest,
         .places = {{.panels = charts, .least = LeastChart}, {.panels = text, .least = LeastLog}}},
        {.room = Room::AsNeeded, .places = {{.panels = {devices}}}}};
}

void JobPage::connectPanels()
{
    const auto tell = [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); };
    connect(m_shown, &RunPanels::told, this, tell);
    connect(m_shown, &RunPanels::rankSelected, this, &JobPage::updateActions);
    connect(m_shown, &RunPanels::ticked, this, &JobPage::tick);
    connect(m_lessonExport, &LessonExport::told, this, tell);
    connect(m_events, &EventsPanel::rankSelected, m_shown, &RunPanels::selectRank);
    connect(&m_shown->workers(), &WorkersPanel::menuRequested, this,
            [this](const QPoint& position) {
                auto* menu = new QMenu(this);
                menu->setAttribute(Qt::WA_DeleteOnClose);
                menu->addMenu(m_actions.signalMenu);
                menu->addActions({m_actions.forwardPort, m_actions.openLogs,
                                  m_actions.clearSelection, m_actions.restart, m_actions.stop});
                menu->popup(position);
            });
    connect(m_banner, &JobBanner::continueRequested, this, [this](int rank) {
        send(SignalWorker{.globalRank = rank, .signal = SIGCONT},
             tr("Continuing rank %1").arg(rank));
    });
    connect(&m_view.run, &RunModel::eventsApplied, this, &JobPage::tellDrill);
    connect(&m_view.run, &RunModel::runChanged, this, &JobPage::updateActions);
    connect(&m_bridge, &EngineBridge::runsChanged, this, &JobPage::updateActions);
}

void JobPage::tick()
{
    m_devices->updateAge();
    if (!m_view.run.isRunning())
        return;
    m_header->update();
    const RunSnapshot& run = m_view.run.snapshot();
    if (!run.verdicts.empty() || run.state == RunState::Stopping)
        m_banner->update();
}

void JobPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_shown->setShown(true);
}

void JobPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_shown->setShown(false);
}

void JobPage::setMachines(const MachineBridge& machines)
{
    const auto show = [this, &machines] {
        const std::string name = machineOf(m_view.run.run()).toStdString();
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
    const RunSummary* summary = m_bridge.find(m_view.run.run());
    return summary != nullptr && summary->isLive;
}

void JobPage::updateActions()
{
    m_actions.update(&m_view.run.snapshot(), isLive(), selectedRank(), machineOf(m_view.run.run()));
    m_header->update();
}

void JobPage::send(const Command& command, const QString& affirmation)
{
    m_bridge.ask(&Cluster::send, m_view.run.run(), command)
        .then(this, [this, affirmation](const Result<void>& result) {
            Q_EMIT toastRequested(result ? affirmation : text(result.error()), nullptr);
        });
}

void JobPage::stop()
{
    const RunSnapshot& run = m_view.run.snapshot();
    if (run.state == RunState::Stopping) {
        send(StopRun{.now = true}, tr("Killing the workers"));
        return;
    }
    const StopQuestion question{
        .job = QString::fromStdString(run.started.name),
        .ranks = static_cast<int>(run.workers.size()),
        .durationNs = m_view.run.durationNs(QDateTime::currentMSecsSinceEpoch() * 1'000'000),
        .grace = stopGraceOf(run)};
    confirmStop(this, question, [this] { send(StopRun{}, tr("Stopping the job")); });
}

void JobPage::restart()
{
    send(RestartGroup{}, tr("Restarting the worker group"));
}

void JobPage::fireDrill()
{
    auto* dialog = new DrillDialog(m_view.run.snapshot(), selectedRank(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_isDrillAwaited = true;
        send(dialog->drill(), tr("The fire drill begins; its result will be told here"));
    });
    dialog->open();
}

void JobPage::forwardPort()
{
    auto* dialog = new PortsDialog(m_ports, m_view.run, selectedRank(), this);
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
    if (selectedRank() < 0)
        return;
    send(SignalWorker{.globalRank = selectedRank(), .signal = signal},
         tr("Sent %1 to rank %2")
             .arg(QString::fromStdString(signalName(signal)))
             .arg(selectedRank()));
}

QString JobPage::headline() const
{
    const std::string& name = m_view.run.snapshot().started.name;
    return tr("%1 – %2", "health, job")
        .arg(word(m_view.run.health().health),
             QString::fromStdString(name.empty() ? m_view.run.run() : name));
}

void JobPage::makeLesson()
{
    m_lessonExport->chooseFile(m_view.run.run());
}

void JobPage::openLogs()
{
    m_shown->log().openFile();
}

void JobPage::copyCommand()
{
    QApplication::clipboard()->setText(
        QString::fromStdString(m_view.run.snapshot().started.torchrunLine));
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
    m_shown->log().focusFilter();
}

void JobPage::toggleFollow()
{
    m_shown->log().toggleFollow();
}

QVariantMap JobPage::saveState() const
{
    QVariantMap state = m_shown->saveState();
    state.insert(QStringLiteral("panels"), m_panels->saveState());
    state.insert(QStringLiteral("devicesTable"), m_devices->showsTable());
    return state;
}

void JobPage::restoreState(const QVariantMap& state)
{
    m_panels->restoreState(state.value(QStringLiteral("panels")).toMap());
    m_shown->restoreState(state);
    m_devices->showTable(state.value(QStringLiteral("devicesTable")).toBool());
}

} // namespace ringmaster::app
