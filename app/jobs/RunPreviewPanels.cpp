#include "app/jobs/RunPreviewPanels.h"

#include "app/jobs/LogPanel.h"
#include "app/jobs/NumbersPanel.h"
#include "app/jobs/OperationsPanel.h"
#include "app/jobs/TimelinePanel.h"
#include "app/jobs/WorkersPanel.h"
#include "app/widget/PanelGrid.h"

#include <QVBoxLayout>

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {
constexpr qint64 FeedSilence = 1500; ///< ms
} // namespace

RunPreviewPanels::RunPreviewPanels(EngineBridge& bridge, const std::string& run, Extent extent,
                                   QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_workers(new WorkersPanel(m_run, this))
    , m_timeline(new TimelinePanel(m_run, m_span, this))
    , m_operations(new OperationsPanel(bridge, m_run, m_span, m_attempts, this))
    , m_numbers(new NumbersPanel(bridge, m_run, m_operations->feed(), m_span, this))
    , m_log(new LogPanel(bridge, m_run, m_span, this))
    , m_extent(extent)
    , m_panels(new PanelGrid(extent == Extent::Whole ? rows() : rowsOfGlance(), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panels);
    m_operations->setSubtitleDispensable();
    m_log->setSubtitleDispensable();
    connectPanels();
    RunFeed* feed = bridge.follow(run, 0, this);
    connect(feed, &RunFeed::eventsArrived, &m_run, &RunModel::apply);
    connect(feed, &RunFeed::ended, &m_run, &RunModel::setEnded);
}

std::vector<PanelRow::Description> RunPreviewPanels::rows() const
{
    using Room = PanelRow::Room;
    constexpr int Least = 260;
    const GridPanel workers{QStringLiteral("workers"), m_workers};
    const GridPanel timeline{QStringLiteral("timeline"), m_timeline};
    const GridPanel operations{QStringLiteral("operations"), m_operations};
    const GridPanel numbers{QStringLiteral("numbers"), m_numbers};
    const GridPanel log{QStringLiteral("log"), m_log};
    return {{.room = Room::AsNeeded, .places = {{.panels = {workers}}, {.panels = {timeline}}}},
            {.room = Room::Rest,
             .places = {{.panels = {operations}, .least = Least},
                        {.panels = {numbers}, .least = Least},
                        {.panels = {log}, .least = Least}}}};
}

std::vector<PanelRow::Description> RunPreviewPanels::rowsOfGlance()
{
    for (QWidget* other : {static_cast<QWidget*>(m_timeline), static_cast<QWidget*>(m_operations),
                           static_cast<QWidget*>(m_numbers)})
        other->hide();
    const GridPanel workers{QStringLiteral("workers"), m_workers};
    const GridPanel log{QStringLiteral("log"), m_log};
    return {{.room = PanelRow::Room::Rest, .places = {{.panels = {workers}}, {.panels = {log}}}}};
}

void RunPreviewPanels::connectPanels()
{
    connect(m_workers, &WorkersPanel::rankSelected, this, &RunPreviewPanels::selectRank);
    connect(m_timeline, &TimelinePanel::rankSelected, this, &RunPreviewPanels::selectRank);
    connect(m_operations, &OperationsPanel::rankSelected, this, &RunPreviewPanels::selectRank);
    connect(m_numbers, &NumbersPanel::rankSelected, this, &RunPreviewPanels::selectRank);
    connect(m_log, &LogPanel::allRanksRequested, this, [this] { selectRank(-1); });
    connect(m_operations, &OperationsPanel::told, this, &RunPreviewPanels::told);
    connect(m_numbers, &NumbersPanel::told, this, &RunPreviewPanels::told);
    if (m_extent == Extent::Whole)
        connect(m_numbers, &NumbersPanel::watched, m_operations,
                &OperationsPanel::setWatchedElsewhere);
    connect(&m_operations->feed(), &OperationFeed::placesChanged, &m_run, &RunModel::setPlaces);
    connect(&m_operations->feed(), &OperationFeed::changed, this, &RunPreviewPanels::grow);
    connect(&m_operations->feed(), &OperationFeed::changed, this,
            &RunPreviewPanels::showOperations);
    connect(&m_run, &RunModel::runChanged, this, &RunPreviewPanels::changed);
    m_tick.setInterval(1s);
    m_tick.setTimerType(Qt::VeryCoarseTimer); // with the side bar's: one repaint for both
    connect(&m_tick, &QTimer::timeout, this, &RunPreviewPanels::tick);
    m_tick.start();
}

void RunPreviewPanels::selectRank(int globalRank)
{
    if (std::exchange(m_selectedRank, globalRank) == globalRank)
        return;
    m_workers->selectRank(globalRank);
    m_timeline->selectRank(globalRank);
    m_operations->selectRank(globalRank);
    m_numbers->selectRank(globalRank);
    m_log->selectRank(globalRank);
}

/// Of a run that is over without any, they take no room from the rest.
void RunPreviewPanels::showOperations()
{
    const OperationFeed& feed = m_operations->feed();
    const bool areNone = !m_run.isRunning() && feed.hasAnswer() && !feed.error() &&
                         feed.summary().operations == 0 && feed.summary().rows.empty();
    if (m_extent == Extent::Whole)
        m_operations->setAvailable(!areNone);
}

/// What says how long something has been so.
void RunPreviewPanels::tick()
{
    if (!isVisible())
        return;
    m_workers->updateAge();
    m_operations->updateAge();
    if (!m_run.isRunning())
        return;
    Q_EMIT changed();
    // Else it grows with what the feed brings, so that all is painted once a second.
    if (!m_grown.isValid() || m_grown.hasExpired(FeedSilence))
        grow();
}

/// The time axes of all drawings.
void RunPreviewPanels::grow()
{
    if (!m_run.isRunning() || !isVisible())
        return;
    m_grown.start();
    m_span.grow();
}

void RunPreviewPanels::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_extent == Extent::Whole)
        m_numbers->setPageShown(true);
    else
        m_operations->setWatchedElsewhere(true); // tiles say where their ranks are
    tick();
}

void RunPreviewPanels::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    if (m_extent == Extent::Whole)
        m_numbers->setPageShown(false);
    else
        m_operations->setWatchedElsewhere(false);
}

} // namespace ringmaster::app
