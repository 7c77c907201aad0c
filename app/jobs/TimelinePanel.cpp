#include "app/jobs/TimelinePanel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/TimelineView.h"
#include "app/model/PhaseWords.h"
#include "app/widget/StateDelegate.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QTableView>
#include <QToolButton>

namespace ringmaster::app {

namespace {
constexpr int MostLanes = 16; ///< The others are scrolled to.
constexpr int LeastTimeline = 130;
} // namespace

TimelinePanel::TimelinePanel(RunModel& run, TimeSpan& span, QWidget* parent)
    : TwinCard(parent)
    , m_run(run)
    , m_span(span)
    , m_spans(run)
    , m_view(new TimelineView(run, span, this))
    , m_allButton(new QToolButton(this))
{
    buildTable();
    setLook(m_allButton, "flat");
    addHeaderWidget(m_allButton);
    setView(m_view);
    m_allButton->hide();
    connect(m_allButton, &QToolButton::clicked, &span, &TimeSpan::showAll);
    connect(&span, &TimeSpan::showsAllChanged, m_allButton, &QWidget::setHidden);
    connect(&span, &TimeSpan::changed, this, &TimelinePanel::followSpan);
    connect(m_view, &TimelineView::rankChosen, this, &TimelinePanel::rankSelected);
    connect(this, &TwinCard::tableShown, this, [this](bool shown) {
        // Thousands of rows that nobody sees needn't be followed.
        m_shown.setSourceModel(shown ? &m_spans : nullptr);
        showModel(*table(), shown ? &m_shown : nullptr, {56, 76, 116, 64, 80});
    });
    connect(this, &TwinCard::tableShown, this, &Card::heightChanged);
    connect(&run, &RunModel::historyChanged, this, [this] {
        updateSubtitle();
        const int wanted = wantedOfView();
        if (std::exchange(m_wanted, wanted) != wanted)
            Q_EMIT heightChanged();
    });
    translated(this, [this] { setTexts(); });
}

int TimelinePanel::wantedOfView() const
{
    return showsTable() ? tableHeight(*table()) : m_view->heightFor(MostLanes);
}

Card::Height TimelinePanel::heightIn(int width) const
{
    const int around = heightAround({m_view, table()}, width);
    return {around + std::min(wantedOfView(), LeastTimeline), around + wantedOfView()};
}

void TimelinePanel::buildTable()
{
    table()->setItemDelegateForColumn(
        TimelineModel::State,
        new StateDelegate(StateDelegate::Kind::Health, TimelineModel::HealthRole, table()));
    connect(table(), &QTableView::clicked, this, [this](const QModelIndex& index) {
        Q_EMIT rankSelected(index.data(TimelineModel::RankRole).toInt());
    });
}

/// The table has what the drawing shows.
void TimelinePanel::followSpan()
{
    m_shown.setRange(m_span.showsAll() ? std::nullopt : std::optional(m_span.shown()));
}

/// What is said of times that come from several clocks.
QString TimelinePanel::withClocks(const QString& text) const
{
    const LeadClock& clock = m_run.clock();
    if (clock.hosts() == 0 || clock.boundNs() == 0)
        return text;
    const QString bound = tr("times of %n hosts to ± %1", nullptr, clock.hosts())
                              .arg(fineDurationText(clock.boundNs()));
    return text.isEmpty() ? bound : tr("%1; %2").arg(text, bound);
}

void TimelinePanel::updateSubtitle()
{
    const RunHistory& history = m_run.history();
    const QString start = history.starts().empty() ? QString() : summary(history.starts().back());
    if (history.restarts().empty()) {
        const QString none = history.laneCount() == 0 ? tr("nothing yet") : tr("no restarts");
        setSubtitle(withClocks(start.isEmpty() ? none : tr("%1; %2").arg(none, start)));
        return;
    }
    const RestartMark& last = history.restarts().back();
    const QString at = clockText(last.at.monotonicNs - history.begin().monotonicNs);
    QString cause = text(last.cause);
    while (cause.endsWith(QLatin1Char('.')) || cause.endsWith(QChar(0x3002)))
        cause.chop(1);
    if (!last.resumedAt)
        return setSubtitle(tr("%1: %2 → restarting").arg(at, cause));
    const QString restarted =
        tr("%1: %2 → whole group restarted in %3")
            .arg(at, cause, durationText(last.resumedAt->monotonicNs - last.at.monotonicNs));
    const bool hasMet = !start.isEmpty() && history.starts().back().to > last.at;
    setSubtitle(withClocks(hasMet ? tr("%1; %2").arg(restarted, start) : restarted));
}

void TimelinePanel::setTexts()
{
    setTitle(tr("Timeline"));
    m_allButton->setText(tr("Whole run"));
    m_allButton->setToolTip(
        tr("Show the whole time again (0). Drag to select a span, with Shift to move it; Ctrl and "
           "the wheel, + and - zoom."));
    setTwinTexts(tr("Timeline of the ranks; its table has the same content"),
                 tr("Timeline as a table"), tr("Show the timeline as a table"));
    updateSubtitle();
    m_view->viewport()->update();
}

void TimelinePanel::selectRank(int globalRank)
{
    m_view->setSelectedRank(globalRank);
    const QModelIndex current = table()->currentIndex();
    if (!showsTable() ||
        (current.isValid() && current.data(TimelineModel::RankRole).toInt() == globalRank))
        return;
    for (int row = m_shown.rowCount() - 1; row >= 0; --row) {
        if (m_shown.index(row, 0).data(TimelineModel::RankRole).toInt() == globalRank) {
            table()->selectRow(row);
            return;
        }
    }
}

} // namespace ringmaster::app
