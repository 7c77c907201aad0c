#include "app/jobs/JobPage.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/ConfirmStop.h"
#include "app/jobs/DevicesPanel.h"
#include "app/jobs/EventsPanel.h"
#include "app/jobs/EvidencePanel.h"
#include "app/jobs/JobActions.h"
#include "app/jobs/JobHeader.h"
#include "app/jobs/LogPanel.h"
#include "app/jobs/OperationsPanel.h"
#include "app/jobs/StopGrace.h"
#include "app/jobs/TimelinePanel.h"
#include "app/jobs/VerdictBanner.h"
#include "app/jobs/WorkersPanel.h"
#include "app/widget/Banner.h"
#include "app/widget/Translated.h"
#include "engine/base/Codes.h"
#include "engine/event/EndCause.h"
#include "engine/event/States.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <chrono>
#include <csignal>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

/// Once the group is well again, the failure before is history: the timeline has it.
bool isPast(const RunSnapshot& run)
{
    return restartCauseOf(run) != nullptr && run.state == RunState::Running;
}

bool isVerdictTheCause(const RunSnapshot& run)
{
    const auto cause = endCauseOf(run);
    return cause && cause->verdict != nullptr;
}

} // namespace

JobPage::JobPage(EngineBridge& bridge, const std::string& run, JobActions& actions, QWidget* parent)
    : QWidget(parent)
    , m_bridge(bridge)
    , m_actions(actions)
    , m_run(run)
    , m_header(new JobHeader(m_run, actions, this))
    , m_banner(new Banner(this))
    , m_continue(new QPushButton(this))
    , m_workers(new WorkersPanel(m_run, this))
    , m_timeline(new TimelinePanel(m_run, m_span, this))
    , m_operations(new OperationsPanel(bridge, m_run, m_span, this))
    , m_devices(new DevicesPanel(m_run, m_span, this))
    , m_log(new LogPanel(bridge, m_run, m_span, this))
    , m_events(new EventsPanel(m_run, m_span, this))
    , m_evidence(new EvidencePanel(bridge, m_run, this))
    , m_rows(new QSplitter(Qt::Vertical, this))
    , m_upper(new QSplitter(this))
    , m_lower(new QSplitter(this))
    , m_text(new QStackedWidget(this))
    , m_toEvents(new QToolButton(this))
    , m_toEvidence(new QToolButton(this))
    , m_toLog(new QToolButton(this))
    , m_backToLog(new QToolButton(this))
{
    build(actions);
    connectPanels();
    RunFeed* feed = bridge.follow(run, 0, this);
    connect(feed, &RunFeed::eventsArrived, &m_run, &RunModel::apply);
    connect(feed, &RunFeed::ended, &m_run, &RunModel::setEnded);
    translated(this, [this] { setTexts(); });
    updateActions();
}

void JobPage::build(JobActions&)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    layout->addWidget(m_banner);
    m_banner->addButton(m_continue);
    connect(m_continue, &QPushButton::clicked, this, [this] {
        const int rank = stoppedRankOf(m_run);
        send(SignalWorker{.globalRank = rank, .signal = SIGCONT},
             tr("Continuing rank %1").arg(rank));
    });
    m_upper->addWidget(m_workers);
    m_upper->addWidget(m_timeline);
    buildText();
    m_lower->addWidget(m_operations);
    m_lower->addWidget(m_text);
    m_rows->addWidget(m_upper);
    m_rows->addWidget(m_lower);
    for (QSplitter* splitter : {m_rows, m_upper, m_lower}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    m_upper->setSizes({560, 560});
    m_lower->setSizes({560, 560});
    m_rows->setSizes({340, 400});
    m_rows->setStretchFactor(1, 1);
    m_operations->setSubtitleDispensable();
    m_log->setSubtitleDispensable();
    layout->addWidget(m_rows, 1);
    layout->addWidget(m_devices);
    setTabOrder(m_header, m_workers);
}

void JobPage::buildText()
{
    m_text->addWidget(m_log);
    m_text->addWidget(m_events);
    m_text->addWidget(m_evidence);
    m_log->addHeaderWidget(m_toEvidence);
    m_log->addHeaderWidget(m_toEvents);
    m_events->addHeaderWidget(m_toLog);
    m_evidence->addHeaderWidget(m_backToLog);
    for (QToolButton* button : {m_toEvents, m_toEvidence, m_toLog, m_backToLog})
        setLook(button, "flat");
    connect(m_toEvents, &QToolButton::clicked, this, [this] { showText(m_events, m_toLog); });
    connect(m_toEvidence, &QToolButton::clicked, this, [this] {
        showText(m_evidence, m_backToLog);
        m_evidence->takeStacks();
    });
    connect(m_toLog, &QToolButton::clicked, this, [this] { showText(m_log, m_toEvents); });
    connect(m_backToLog, &QToolButton::clicked, this, [this] { showText(m_log, m_toEvidence); });
}

void JobPage::showText(QWidget* panel, QWidget* focused)
{
    m_text->setCurrentWidget(panel);
    focused->setFocus();
}

void JobPage::setTexts()
{
    m_toEvents->setText(tr("Events"));
    m_toEvents->setToolTip(tr("Show the run's events instead of its log"));
    m_toLog->setText(tr("Log"));
    m_toLog->setToolTip(tr("Show the run's log instead of its events"));
    m_backToLog->setText(tr("Log"));
    m_backToLog->setToolTip(tr("Show the run's log instead of the evidence"));
    updateEvidenceButton();
    updateBanner();
}

void JobPage::updateEvidenceButton()
{
    const bool isLive = m_run.isRunning();
    m_toEvidence->setText(isLive ? tr("Show stacks") : tr("Evidence"));
    m_toEvidence->setToolTip(isLive ? tr("Show where each rank stands now, without stopping it")
                                    : tr("Show where the ranks stood before they were ended"));
}

void JobPage::connectPanels()
{
    connect(m_operations, &OperationsPanel::rankSelected, this, &JobPage::selectRank);
    connect(m_operations, &OperationsPanel::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); });
    connect(&m_operations->feed(), &OperationFeed::placesChanged, &m_run, &RunModel::setPlaces);
    connect(m_workers, &WorkersPanel::rankSelected, this, &JobPage::selectRank);
    connect(m_timeline, &TimelinePanel::rankSelected, this, &JobPage::selectRank);
    connect(m_events, &EventsPanel::rankSelected, this, &JobPage::selectRank);
    connect(m_log, &LogPanel::allRanksRequested, this, [this] { selectRank(-1); });
    connect(m_workers, &WorkersPanel::menuRequested, this, [this](const QPoint& position) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addMenu(m_actions.signalMenu);
        menu->addActions(
            {m_actions.openLogs, m_actions.clearSelection, m_actions.restart, m_actions.stop});
        menu->popup(position);
    });
    connect(&m_run, &RunModel::runChanged, this, [this] {
        updateBanner();
        updateActions();
        updateEvidenceButton();
    });
    connect(&m_run, &RunModel::feedFailed, this, [this](const Error& error) {
        m_feedError = error;
        updateBanner();
    });
    connect(&m_bridge, &EngineBridge::runsChanged, this, &JobPage::updateActions);
    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (m_run.isRunning())
            m_header->update();
        const RunSnapshot& run = m_run.snapshot();
        if (m_run.isRunning() && (!run.verdicts.empty() || run.state == RunState::Stopping))
            updateBanner(); // who waits, waits longer
    });
    m_tick.start();
}

bool JobPage::isLive() const
{
    const RunSummary* summary = m_bridge.find(m_run.run());
    return summary != nullptr && summary->isLive;
}

void JobPage::updateActions()
{
    m_actions.update(&m_run.snapshot(), isLive(), m_selectedRank);
    m_header->update();
}

void JobPage::selectRank(int globalRank)
{
    if (std::exchange(m_selectedRank, globalRank) == globalRank)
        return;
    m_workers->selectRank(globalRank);
    m_timeline->selectRank(globalRank);
    m_operations->selectRank(globalRank);
    m_log->selectRank(globalRank);
    updateActions();
}

void JobPage::updateContinue()
{
    const int rank = stoppedRankOf(m_run);
    m_continue->setText(tr("Continue rank %1").arg(rank));
    m_continue->setToolTip(tr("It is stopped: send it SIGCONT"));
    m_continue->setVisible(rank >= 0);
}

void JobPage::updateBanner()
{
    updateContinue();
    const RunSnapshot& run = m_run.snapshot();
    const bool hasReason = run.reason.code != code::None && run.reason.code != code::InternalError;
    if (m_feedError)
        m_banner->show(Notice::Severity::Error, tr("This run can't be read."), text(*m_feedError),
                       {});
    else if (run.state == RunState::Stopping)
        m_banner->show(Notice::Severity::Info, tr("The job is being stopped."),
                       stopGraceText(run, QDateTime::currentMSecsSinceEpoch() * 1'000'000), {});
    else if (bannerOfVerdict(isPast(run) || isVerdictTheCause(run) ? Verdict::Kind::Waiting
                                                                   : Verdict::Kind::Hang) ||
             bannerOfFirstCause())
        return;
    else if (run.state == RunState::Lost)
        m_banner->show(Notice::Severity::Warning, tr("The agent is gone."),
                       withRestart(hasReason ? text(run.reason)
                                             : tr("It ended without saying how the run ended.")),
                       {});
    else if (run.state == RunState::Failed && hasReason)
        m_banner->show(Notice::Severity::Error, tr("The job failed."),
                       withRestart(text(run.reason)), detailOf(run.reason));
    else if (run.state == RunState::Stopped)
        m_banner->show(Notice::Severity::Info, tr("Stopped by you."), withRestart({}), {});
    else if (!bannerOfVerdict(Verdict::Kind::Waiting))
        m_banner->clear();
}

QString JobPage::withRestart(const QString& reason) const
{
    QStringList sentences{reason, restartText(m_run.snapshot())};
    sentences.removeAll(QString());
    return sentences.join(u'\n');
}

bool JobPage::bannerOfVerdict(Verdict::Kind least)
{
    return showVerdict(*m_banner, m_run, least, QDateTime::currentMSecsSinceEpoch() * 1'000'000);
}

bool JobPage::bannerOfFirstCause()
{
    const RunSnapshot& run = m_run.snapshot();
    const bool isOfAnEarlierAttempt = restartCauseOf(run) != nullptr && isFinal(run.state);
    if (!run.firstCause || run.state == RunState::Succeeded || run.state == RunState::Stopped ||
        isOfAnEarlierAttempt)
        return false;
    const FirstCause& cause = *run.firstCause;
    QStringList sentences{text(cause.cause)};
    if (const QString place = lastOperationOf(m_run, cause.globalRank); !place.isEmpty())
        sentences << place;
    if (!cause.consequences.empty())
        sentences << tr("Ranks %1 ended because of it.", nullptr,
                        static_cast<int>(cause.consequences.size()))
                         .arg(ranksText(cause.consequences));
    if (cause.remedy.code != code::None && cause.remedy.code != code::InternalError)
        sentences << text(cause.remedy);
    QString headline =
        cause.sure ? tr("First cause.")
                   : tr("Not sure which rank failed first: %1.").arg(ranksText(cause.candidates));
    if (isPast(run))
        headline = tr("Restarted after attempt %1.").arg(cause.attempt + 1);
    m_banner->show(isPast(run) ? Notice::Severity::Warning : Notice::Severity::Error, headline,
                   sentences.join(QLatin1Char('\n')), QString::fromStdString(cause.traceback));
    return true;
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

void JobPage::focusFilter()
{
    m_text->setCurrentWidget(m_log);
    m_log->focusFilter();
}

void JobPage::toggleFollow()
{
    m_log->toggleFollow();
}

QVariantMap JobPage::saveState() const
{
    return {{QStringLiteral("rows"), m_rows->saveState()},
            {QStringLiteral("upper"), m_upper->saveState()},
            {QStringLiteral("lower"), m_lower->saveState()},
            {QStringLiteral("operations"), m_operations->saveState()},
            {QStringLiteral("text"), m_text->currentIndex()},
            {QStringLiteral("workersTable"), m_workers->showsTable()},
            {QStringLiteral("timelineTable"), m_timeline->showsTable()},
            {QStringLiteral("devicesTable"), m_devices->showsTable()}};
}

void JobPage::restoreState(const QVariantMap& state)
{
    m_rows->restoreState(state.value(QStringLiteral("rows")).toByteArray());
    m_upper->restoreState(state.value(QStringLiteral("upper")).toByteArray());
    m_lower->restoreState(state.value(QStringLiteral("lower")).toByteArray());
    m_operations->restoreState(state.value(QStringLiteral("operations")).toMap());
    m_text->setCurrentIndex(state.value(QStringLiteral("text")).toInt());
    m_workers->showTable(state.value(QStringLiteral("workersTable")).toBool());
    m_timeline->showTable(state.value(QStringLiteral("timelineTable")).toBool());
    m_devices->showTable(state.value(QStringLiteral("devicesTable")).toBool());
}

} // namespace ringmaster::app
