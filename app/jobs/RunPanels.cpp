#include "app/jobs/RunPanels.h"

#include "app/jobs/LogPanel.h"
#include "app/jobs/NumbersPanel.h"
#include "app/jobs/OperationsPanel.h"
#include "app/jobs/TimelinePanel.h"
#include "app/jobs/WorkersPanel.h"

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {
constexpr qint64 FeedSilence = 1500; ///< ms
} // namespace

RunPanels::RunPanels(EngineBridge& bridge, RunView& view, Extent extent, QWidget* parent)
    : QObject(parent)
    , m_view(view)
    , m_extent(extent)
    , m_workers(new WorkersPanel(view.run, parent))
    , m_timeline(new TimelinePanel(view.run, view.span, parent))
    , m_operations(new OperationsPanel(bridge, view.run, view.span, view.attempts, parent))
    , m_numbers(new NumbersPanel(bridge, view.run, m_operations->feed(), view.span, parent))
    , m_log(new LogPanel(bridge, view.run, view.span, parent))
{
    m_operations->setSubtitleDispensable();
    m_log->setSubtitleDispensable();
    if (extent == Extent::Glance) {
        m_timeline->hide();
        m_operations->hide();
        m_numbers->hide();
    }
    connectPanels();
    RunFeed* feed = bridge.follow(view.run.run(), 0, this);
    connect(feed, &RunFeed::eventsArrived, &view.run, &RunModel::apply);
    connect(feed, &RunFeed::ended, &view.run, &RunModel::setEnded);
}

void RunPanels::connectPanels()
{
    connect(m_workers, &WorkersPanel::rankSelected, this, &RunPanels::selectRank);
    connect(m_timeline, &TimelinePanel::rankSelected, this, &RunPanels::selectRank);
    connect(m_operations, &OperationsPanel::rankSelected, this, &RunPanels::selectRank);
    connect(m_numbers, &NumbersPanel::rankSelected, this, &RunPanels::selectRank);
    connect(m_log, &LogPanel::allRanksRequested, this, [this] { selectRank(-1); });
    connect(m_operations, &OperationsPanel::told, this, &RunPanels::told);
    connect(m_numbers, &NumbersPanel::told, this, &RunPanels::told);
    if (m_extent == Extent::Whole)
        connect(m_numbers, &NumbersPanel::watched, m_operations,
                &OperationsPanel::setWatchedElsewhere);
    connect(&m_operations->feed(), &OperationFeed::placesChanged, &m_view.run,
            &RunModel::setPlaces);
    connect(&m_operations->feed(), &OperationFeed::changed, this, &RunPanels::grow);
    connect(&m_view.attempts, &AttemptChoice::changed, this, [this] {
        m_workers->showAttempt(m_view.attempts.chosen());
        m_log->showAttempt(m_view.attempts.chosen());
    });
    m_tick.setInterval(1s);
    m_tick.setTimerType(Qt::VeryCoarseTimer); // with the side bar's: one repaint for both
    connect(&m_tick, &QTimer::timeout, this, &RunPanels::tick);
    m_tick.start();
}

void RunPanels::selectRank(int globalRank)
{
    if (std::exchange(m_selectedRank, globalRank) == globalRank)
        return;
    m_workers->selectRank(globalRank);
    m_timeline->selectRank(globalRank);
    m_operations->selectRank(globalRank);
    m_numbers->selectRank(globalRank);
    m_log->selectRank(globalRank);
    Q_EMIT rankSelected(globalRank);
}

void RunPanels::setShown(bool isShown)
{
    m_isShown = isShown;
    if (m_extent == Extent::Whole)
        m_numbers->setPageShown(isShown);
    else
        m_operations->setWatchedElsewhere(isShown); // tiles say where their ranks are
    tick();
}

void RunPanels::tick()
{
    if (!m_isShown)
        return;
    m_workers->updateAge();
    m_operations->updateAge();
    Q_EMIT ticked();
    // Else it grows with what the feed brings, so that all is painted once a second.
    if (!m_grown.isValid() || m_grown.hasExpired(FeedSilence))
        grow();
}

/// The time axes of all drawings.
void RunPanels::grow()
{
    if (!m_view.run.isRunning() || !m_isShown)
        return;
    m_grown.start();
    m_view.span.grow();
}

QVariantMap RunPanels::saveState() const
{
    return {{QStringLiteral("operations"), m_operations->saveState()},
            {QStringLiteral("numbers"), m_numbers->saveState()},
            {QStringLiteral("log"), m_log->saveState()},
            {QStringLiteral("workersTable"), m_workers->showsTable()},
            {QStringLiteral("timelineTable"), m_timeline->showsTable()}};
}

void RunPanels::restoreState(const QVariantMap& state)
{
    m_operations->restoreState(state.value(QStringLiteral("operations")).toMap());
    m_numbers->restoreState(state.value(QStringLiteral("numbers")).toMap());
    m_log->restoreState(state.value(QStringLiteral("log")).toMap());
    m_workers->showTable(state.value(QStringLiteral("workersTable")).toBool());
    m_timeline->showTable(state.value(QStringLiteral("timelineTable")).toBool());
}

} // namespace ringmaster::app
