#include "app/jobs/OperationsPanel.h"

#include "app/bridge/Background.h"
#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/ArrivalLens.h"
#include "app/jobs/BandwidthView.h"
#include "app/jobs/GroupPicker.h"
#include "app/jobs/OperationsInSpan.h"
#include "app/jobs/SpanBar.h"
#include "app/model/FigureAge.h"
#include "app/model/OperationText.h"
#include "app/widget/EmptyState.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"
#include "engine/job/JobFile.h"

#include <QButtonGroup>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {
constexpr int EmptyWidth = 300; ///< Narrow enough beside the log.

bool hasPoints(const OperationSummary& summary)
{
    return std::ranges::any_of(summary.series, [](const OperationSummary::Series& series) {
        return !series.points.empty();
    });
}

} // namespace

OperationsPanel::OperationsPanel(EngineBridge& bridge, const RunModel& run, TimeSpan& span,
                                 AttemptChoice& attempts, QWidget* parent)
    : Card(parent)
    , m_run(run)
    , m_span(span)
    , m_attempts(attempts)
    , m_feed(bridge, run, span, attempts, this)
    , m_spanBar(new SpanBar(span, this))
    , m_bandwidth(new BandwidthView(m_feed, run, span, attempts, this))
    , m_lens(new ArrivalLens(this))
    , m_arrivalTable(new QTableView(this))
    , m_empty(new EmptyState(this, EmptyWidth))
    , m_stack(new QStackedLayout)
    , m_groups(new GroupPicker(this))
    , m_bandwidthButton(new QToolButton(this))
    , m_arrivalsButton(new QToolButton(this))
    , m_tableButton(new QToolButton(this))
{
    m_empty->setObjectName(QStringLiteral("noOperations"));
    buildHeader();
    dressTable(*m_arrivalTable);
    for (QWidget* shown : {static_cast<QWidget*>(m_bandwidth), static_cast<QWidget*>(m_lens),
                           static_cast<QWidget*>(m_arrivalTable), static_cast<QWidget*>(m_empty)})
        m_stack->addWidget(shown);
    content()->addWidget(m_spanBar);
    content()->addLayout(m_stack, 1);
    connectViews();
    translated(this, [this] { setTexts(); });
}

void OperationsPanel::buildHeader()
{
    auto* views = new QButtonGroup(this);
    for (QToolButton* button : {m_bandwidthButton, m_arrivalsButton, m_tableButton}) {
        setLook(button, "flat");
        button->setCheckable(true);
        if (button != m_tableButton)
            views->addButton(button);
    }
    m_bandwidthButton->setChecked(true);
    addHeaderWidget(m_groups);
    addHeaderWidget(m_bandwidthButton);
    addHeaderWidget(m_arrivalsButton);
    addHeaderWidget(m_tableButton);
    for (QToolButton* button : {m_bandwidthButton, m_arrivalsButton, m_tableButton})
        connect(button, &QToolButton::toggled, this, [this] { show(view()); });
    connect(m_groups, &GroupPicker::currentIndexChanged, this, [this] { show(view()); });
}

void OperationsPanel::connectViews()
{
    connect(&m_feed, &OperationFeed::changed, this, &OperationsPanel::update);
    connect(&m_span, &TimeSpan::changed, this, [this] {
        if (view() != Bandwidth)
            show(view());
    });
    connect(&m_run, &RunModel::recordingTroubled, this, &OperationsPanel::updateEmpty);
    connect(&m_run, &RunModel::runChanged, this, [this] {
        if (m_job || m_run.snapshot().started.jobFile.empty())
            return updateEmpty();
        if (auto job = parseJobFile(m_run.snapshot().started.jobFile))
            m_job = std::move(job->spec);
        update();
    });
    connect(m_bandwidth, &BandwidthView::told, this, &OperationsPanel::told);
    connect(&m_attempts, &AttemptChoice::changed, this, &OperationsPanel::update);
    connect(m_lens, &ArrivalLens::rankChosen, this, &OperationsPanel::rankSelected);
    connect(m_arrivalTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        Q_EMIT rankSelected(index.data(ArrivalTableModel::LastRankRole).toInt());
    });
}

/// The table may be about a little more than what is selected.
void OperationsPanel::updateSpan(View view)
{
    const OperationSummary& summary = m_feed.summary();
    const bool isTable = view == Bandwidth || view == BandwidthTable;
    if (!isTable || !summary.range) {
        m_spanBar->setRange(std::nullopt);
        m_spanBar->setNote({});
        return;
    }
    m_spanBar->setRange(TimeSpan::Range{summary.range->fromNs, summary.range->untilNs});
    m_spanBar->setNote(
        summary.foldedNs > 0
            ? tr("what the table counts, %1 of it as sums").arg(durationText(summary.foldedNs))
            : tr("what the table counts"));
}

OperationsPanel::View OperationsPanel::view() const
{
    if (m_arrivalsButton->isChecked())
        return m_tableButton->isChecked() ? ArrivalsTable : Arrivals;
    return m_tableButton->isChecked() ? BandwidthTable : Bandwidth;
}

void OperationsPanel::show(View view)
{
    // Rows that nobody sees needn't be followed.
    showModel(*m_arrivalTable, view == ArrivalsTable ? &m_arrivals : nullptr,
              {64, 104, 80, 92, 84});
    m_bandwidth->setTable(view == BandwidthTable);
    const OperationSummary::GroupCollectives* group = shownGroup();
    if (view == Arrivals || view == ArrivalsTable) {
        const auto collectives = group == nullptr ? std::vector<OperationSummary::Collective>()
                                                  : collectivesIn(*group, m_span, m_attempts);
        const RankClocks clocks(m_run.snapshot(), m_run.clock());
        m_lens->show(collectives, clocks);
        if (view == ArrivalsTable)
            m_arrivals.show(collectives, clocks);
    }
    updateSpan(view);
    m_groups->setVisible((view == Arrivals || view == ArrivalsTable) && m_groups->isChoice());
    updateEmpty();
    updateAge();
}

const OperationSummary::GroupCollectives* OperationsPanel::shownGroup() const
{
    return m_groups->chosenOf(m_feed.summary().collectives);
}

void OperationsPanel::setWatchedElsewhere(bool isWatched)
{
    m_isWatchedElsewhere = isWatched;
    m_feed.setWatched(isVisible() || isWatched);
}

void OperationsPanel::update()
{
    const std::string backend = m_job ? m_job->backendHint : std::string();
    // What was calibrated here says nothing of another machine.
    const bool isHere = machineOf(m_run.run()).isEmpty();
    m_bandwidth->showFeed(
        backend, isHere ? ceilingOf(m_calibrations, m_feed.summary(), m_run.snapshot(), backend)
                        : std::nullopt);
    m_groups->setGroups(m_feed.summary().collectives);
    show(view());
}

void OperationsPanel::updateEmpty()
{
    const OperationSummary& summary = m_feed.summary();
    const bool isArrivals = m_arrivalsButton->isChecked();
    const auto* group = shownGroup();
    const bool hasCollectives = group != nullptr && !group->collectives.empty();
    const bool hasSome = isArrivals
                             ? hasCollectives && !collectivesIn(*group, m_span, m_attempts).empty()
                             : !summary.rows.empty() || hasPoints(seriesOf(summary, m_attempts));
    const int page = isArrivals ? (m_tableButton->isChecked() ? 2 : 1) : 0;
    m_stack->setCurrentIndex(hasSome ? page : 3);
    if (hasSome)
        return;
    if (m_feed.error()) {
        m_empty->setTexts(tr("The operations can't be read."), text(*m_feed.error()));
    } else if (!m_run.recordingTroubles().empty()) {
        m_empty->setTexts(tr("The operations aren't recorded."),
                          text(m_run.recordingTroubles().back()));
    } else if (m_job && (m_job->plain || !m_job->recordOperations)) {
        m_empty->setTexts(tr("Recording is off."),
                          m_job->plain ? tr("This job runs plain: nothing is added to its workers.")
                                       : tr("The job says so (record_operations = false)."));
    } else if (isArrivals && hasCollectives) {
        m_empty->setTexts(tr("No arrivals of that time."),
                          tr("The last %n operations of a group are kept one by one.", nullptr,
                             static_cast<int>(group->collectives.size())));
    } else if (!m_run.isRunning() && summary.operations > 0 && summary.rows.empty()) {
        m_empty->setTexts(tr("No bandwidth."),
                          tr("%n operations were recorded, but not from beginning to end.", nullptr,
                             static_cast<int>(summary.operations)));
    } else if (m_feed.hasAnswer() && isReadFromFiles(m_run.snapshot())) {
        m_empty->setTexts(tr("No collectives."),
                          tr("The files that it was read from tell of none."));
    } else if ((!m_run.isRunning() || m_attempts.isEarlier()) && m_feed.hasAnswer()) {
        m_empty->setTexts(isArrivals && !summary.rows.empty()
                              ? tr("No operation that all ranks wait for.")
                              : tr("No collectives."),
                          m_attempts.chosen() == AttemptChoice::All
                              ? tr("The program called none.")
                              : tr("The program called none in this attempt."));
    } else {
        m_empty->setTexts(tr("No collectives recorded yet."),
                          isArrivals ? tr("Here you see which rank comes last to the operations of "
                                          "a process group, and how late.")
                                     : tr("Here you see how fast the job's collectives are, as "
                                          "soon as its process groups work."));
    }
}

void OperationsPanel::updateAge()
{
    const OperationSummary& summary = m_feed.summary();
    if (m_stack->currentWidget() == m_empty)
        return setSubtitle({});
    if (m_arrivalsButton->isChecked()) {
        const auto habit = m_lens->latecomer();
        setSubtitle(habit ? tr("%1 came last to %2 of the last %3")
                                .arg(rankText(habit->rank))
                                .arg(habit->times)
                                .arg(habit->of)
                          : QString());
        return;
    }
    QStringList parts;
    if (summary.steps)
        parts << tr("%1 steps a second")
                     .arg(QLocale().toString(summary.steps->stepsPerSecond(), 'f', 1));
    else
        parts << tr("busbw by operation");
    if (m_attempts.chosen() != AttemptChoice::All)
        parts << tr("attempt %1").arg(m_attempts.chosen() + 1);
    else if (m_attempts.count() > 1 && m_span.showsAll())
        parts << tr("all %n attempts", nullptr, m_attempts.count());
    if (summary.foldedNs > 0 && m_span.showsAll())
        parts << tr("the first %1 as sums").arg(durationText(summary.foldedNs));
    if (summary.lost > 0)
        parts << tr("%1 records lost").arg(countText(summary.lost));
    if (summary.damaged > 0)
        parts << tr("%1 blocks damaged").arg(countText(summary.damaged));
    setSubtitle(withFigureAge(parts.join(QStringLiteral(" · ")), m_run, m_feed.answeredAt()));
}

void OperationsPanel::selectRank(int globalRank)
{
    m_lens->setSelectedRank(globalRank);
}

void OperationsPanel::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    m_feed.setWatched(true);
    readCalibrations();
}

void OperationsPanel::readCalibrations()
{
    inBackground(
        m_files, this, [] { return ringmaster::readCalibrations(); },
        [this](const std::vector<Calibration>& calibrations) {
            m_calibrations = calibrations;
            update();
        });
}

void OperationsPanel::hideEvent(QHideEvent* event)
{
    Card::hideEvent(event);
    m_feed.setWatched(m_isWatchedElsewhere);
}

QVariantMap OperationsPanel::saveState() const
{
    return {{QStringLiteral("arrivals"), m_arrivalsButton->isChecked()},
            {QStringLiteral("table"), m_tableButton->isChecked()},
            {QStringLiteral("heights"), m_bandwidth->heights()}};
}

void OperationsPanel::restoreState(const QVariantMap& state)
{
    const bool arrivals = state.value(QStringLiteral("arrivals")).toBool();
    (arrivals ? m_arrivalsButton : m_bandwidthButton)->setChecked(true);
    m_tableButton->setChecked(state.value(QStringLiteral("table")).toBool());
    m_bandwidth->restoreHeights(state.value(QStringLiteral("heights")).toList());
}

void OperationsPanel::setTexts()
{
    setTitle(tr("Collectives"));
    m_bandwidthButton->setText(tr("Bandwidth"));
    m_bandwidthButton->setToolTip(tr("How fast the operations are"));
    m_arrivalsButton->setText(tr("Arrivals"));
    m_arrivalsButton->setToolTip(tr("Which rank comes last, and how late"));
    m_tableButton->setText(tr("Table"));
    m_tableButton->setToolTip(tr("Show the drawing as a table"));
    m_groups->setAccessibleName(tr("Process group"));
    m_lens->setAccessibleName(tr("Arrivals of the ranks; the table has the same content"));
    m_arrivalTable->setAccessibleName(tr("Arrivals as a table"));
    update();
}

} // namespace ringmaster::app
