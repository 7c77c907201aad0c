#include "app/jobs/NumberChart.h"

#include "app/bridge/Words.h"
#include "app/jobs/TimeAxis.h"
#include "app/jobs/TimeGestures.h"
#include "app/model/NumberText.h"
#include "app/widget/PlotTicks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ringmaster::app {

namespace {

/// Room above and below the lines.
constexpr double LineMargin = 0.05;

} // namespace

NumberChart::NumberChart(const NumberFeed& feed, TimeSpan& span, QWidget* parent)
    : PlotView(parent), m_feed(feed), m_span(span)
{
    setFileName(QStringLiteral("numbers"));
    auto* gestures = new TimeGestures(span, TimeGestures::BareKeys::Drawing, canvas(), this,
                                      [this] { return plotRect(); });
    Q_UNUSED(gestures)
    connect(&feed, &NumberFeed::changed, this, &NumberChart::showSummary);
    connect(&span, &TimeSpan::changed, this, &NumberChart::showAxes);
    connect(this, &PlotView::seriesChosen, this, [this](int series) {
        const bool isRank = series >= 0 && series < static_cast<int>(m_ranks.size());
        Q_EMIT rankChosen(isRank ? m_ranks[static_cast<size_t>(series)] : -1);
    });
}

bool NumberChart::isDrawn(int rank) const
{
    return std::ranges::binary_search(m_drawn, rank);
}

void NumberChart::showSummary()
{
    const NumberSummary& summary = m_feed.summary();
    std::set<int> ranks;
    std::set<std::string> names;
    for (const NumberSummary::Line& line : summary.lines) {
        ranks.insert(line.rank);
        names.insert(line.name);
    }
    m_allRanks = static_cast<int>(ranks.size());
    m_drawn.assign(ranks.begin(), ranks.end());
    if (m_drawn.size() > MostRanks)
        m_drawn.resize(MostRanks);
    if (ranks.contains(m_selectedRank) && !isDrawn(m_selectedRank))
        m_drawn.push_back(m_selectedRank);

    std::vector<PlotSeries> shown;
    m_ranks.clear();
    // Lines come by attempt: those of one rank and name are one line with gaps.
    for (const std::string& name : m_feed.names()) {
        for (const int rank : m_drawn) {
            const auto at =
                static_cast<int>(std::ranges::find(m_feed.names(), name) - m_feed.names().begin());
            const QString text = QString::fromStdString(name);
            PlotSeries series{.name = names.size() > 1 ? tr("%1, rank %2").arg(text).arg(rank)
                                                       : rankText(rank),
                              .look = {.color = rank, .line = at, .shape = at}};
            for (const NumberSummary::Line& line : summary.lines) {
                if (line.rank != rank || line.name != name || line.points.empty())
                    continue;
                if (!series.points.empty())
                    series.breaks.push_back(static_cast<double>(line.points.front().ns) - 1);
                for (const NumberSeries::Point& point : line.points)
                    series.points.emplace_back(static_cast<double>(point.ns), point.value);
            }
            if (series.points.empty())
                continue;
            m_ranks.push_back(rank);
            shown.push_back(std::move(series));
        }
    }
    setSeries(std::move(shown));
    const auto chosen = std::ranges::find(m_ranks, m_selectedRank);
    setSelected(chosen == m_ranks.end() ? -1 : static_cast<int>(chosen - m_ranks.begin()));
    showAxes();
}

void NumberChart::showAxes()
{
    const TimeSpan::Range range = m_span.shown();
    const auto from = static_cast<double>(range.from);
    const auto to = static_cast<double>(range.to);
    double least = HUGE_VAL;
    double greatest = -HUGE_VAL;
    for (size_t i = 0; i < series().size(); ++i) {
        for (const QPointF& point : series()[i].points) {
            if (!isShown(static_cast<int>(i)) || point.x() < from || point.x() > to)
                continue;
            least = std::min(least, point.y());
            greatest = std::max(greatest, point.y());
        }
    }
    if (least > greatest)
        std::tie(least, greatest) = std::pair(0.0, 1.0);
    double room = LineMargin * (greatest - least);
    if (!(room > 0) || !std::isfinite(room))
        room = std::max(std::abs(greatest) * LineMargin, 1e-12);
    PlotAxis value{.from = least - room, .to = greatest + room};
    value.ticks = [low = value.from, high = value.to](int most) {
        const auto text = [](double at) { return numberText(at); };
        return thinnedTicks(rangeTicks(low, high, std::min(most, 5), text), most);
    };
    value.text = [](double at) { return numberText(at); };
    setAxes(timePlotAxis(m_span), std::move(value));
}

void NumberChart::selectRank(int globalRank)
{
    if (std::exchange(m_selectedRank, globalRank) != globalRank)
        showSummary();
}

} // namespace ringmaster::app
