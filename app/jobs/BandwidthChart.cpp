#include "app/jobs/BandwidthChart.h"

#include "app/bridge/Words.h"
#include "app/jobs/OperationsInSpan.h"
#include "app/jobs/TimeAxis.h"
#include "app/jobs/TimeGestures.h"
#include "app/model/OperationText.h"
#include "app/model/SeriesLooks.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <string>

namespace ringmaster::app {

namespace {

/// A unit that leaves the axis with short numbers.
struct Unit
{
    double bytes = 1e9;
    QString name{};
};

Unit unitFor(double top)
{
    if (top >= 1e9)
        return {1e9, QStringLiteral("GB/s")};
    if (top >= 1e6)
        return {1e6, QStringLiteral("MB/s")};
    return {1e3, QStringLiteral("kB/s")};
}

/// A third of its room is left empty before the axis follows the values down.
constexpr double LeastFilled = 0.4;
constexpr double ClearlyAbove = 1.1;

} // namespace

BandwidthChart::BandwidthChart(const OperationFeed& feed, TimeSpan& span,
                               const AttemptChoice& attempts, QWidget* parent)
    : PlotView(parent), m_feed(feed), m_span(span), m_attempts(attempts)
{
    setFileName(QStringLiteral("bandwidth"));
    auto* gestures = new TimeGestures(span, TimeGestures::BareKeys::Drawing, canvas(), this,
                                      [this] { return plotRect(); });
    Q_UNUSED(gestures)
    connect(&feed, &OperationFeed::changed, this, &BandwidthChart::showSummary);
    connect(&span, &TimeSpan::changed, this, &BandwidthChart::showAxes);
    connect(&attempts, &AttemptChoice::changed, this, &BandwidthChart::showSummary);
    connect(this, &PlotView::seriesChosen, this, [this](int series) {
        const bool isKind = series >= 0 && series < static_cast<int>(m_kinds.size());
        const auto kind =
            !isKind ? std::nullopt : std::optional(m_kinds[static_cast<size_t>(series)]);
        Q_EMIT kindChosen(kind);
    });
}

/// The colour of the backend that carries out most of them.
SeriesLook BandwidthChart::lookOf(ledger::OperationKind kind) const
{
    const auto& rows = m_feed.summary().rows;
    const diagnose::BandwidthRow* heaviest = nullptr;
    for (const diagnose::BandwidthRow& row : rows) {
        if (row.kind == kind && (heaviest == nullptr || row.share > heaviest->share))
            heaviest = &row;
    }
    const std::string recorded(heaviest == nullptr ? "" : ledger::nameOf(heaviest->backend));
    const int line = collectiveLine(ledger::nameOf(kind));
    return {.color = backendColor(recorded.empty() ? m_backend : recorded),
            .line = line,
            .shape = line};
}

/// Nothing is faster than the best: that was measured while something else ran.
bool BandwidthChart::isAboveCeiling() const
{
    const auto& rows = m_feed.summary().rows;
    const auto heaviest = std::ranges::find_if(
        rows, [](const diagnose::BandwidthRow& row) { return row.busBandwidth() > 0; });
    return m_ceiling && heaviest != rows.end() &&
           heaviest->busBandwidth() > ClearlyAbove * m_ceiling->bytesASecond;
}

void BandwidthChart::showSummary()
{
    const OperationSummary summary = seriesOf(m_feed.summary(), m_attempts);
    const auto spanNs = static_cast<double>(summary.spanNs);
    std::vector<PlotSeries> shown;
    m_kinds.clear();
    for (const OperationSummary::Series& series : summary.series) {
        PlotSeries line{.name = operationName(series.kind),
                        .look = lookOf(series.kind),
                        .longestGap = 2.5 * spanNs,
                        .breaks = m_restarts};
        for (const OperationSummary::Point& point : series.points) {
            if (point.busBandwidth() > 0)
                line.points.emplace_back(static_cast<double>(point.fromNs) + spanNs / 2,
                                         point.busBandwidth());
        }
        if (line.points.empty())
            continue;
        m_kinds.push_back(series.kind);
        shown.push_back(std::move(line));
    }
    if (m_ceiling && !shown.empty()) {
        const auto end = static_cast<double>(m_span.end());
        shown.push_back({.name = isAboveCeiling()
                                     ? tr("%1 (on a busy machine?)").arg(m_ceiling->name)
                                     : m_ceiling->name,
                         .look = {.color = backendColor(m_ceiling->backend)},
                         .points = {{static_cast<double>(m_span.begin()), m_ceiling->bytesASecond},
                                    {2 * end, m_ceiling->bytesASecond}},
                         .isLimit = true});
    }
    setSeries(std::move(shown));
    setSelectedKind(m_selectedKind);
    showAxes();
}

void BandwidthChart::showAxes()
{
    const TimeSpan::Range range = m_span.shown();
    const auto from = static_cast<double>(range.from);
    const auto to = static_cast<double>(range.to);
    double top = 0;
    for (const PlotSeries& line : series()) {
        for (const QPointF& point : line.points)
            top = line.isLimit || (point.x() >= from && point.x() <= to) ? std::max(top, point.y())
                                                                         : top;
    }
    top = top > 0 ? top : 1e9;
    if (top > m_top || top < LeastFilled * m_top)
        m_top = linearTicks(top, 5, [](double) { return QString(); }).back().at;
    const Unit unit = unitFor(m_top);
    PlotAxis bandwidth{.to = m_top, .title = unit.name};
    bandwidth.ticks = [unit, top = m_top](int most) {
        const auto label = [unit](double value) { return axisNumber(value / unit.bytes); };
        return thinnedTicks(linearTicks(top, 5, label), most);
    };
    bandwidth.text = [unit](double value) {
        return QStringLiteral("%1 %2").arg(axisNumber(value / unit.bytes), unit.name);
    };
    setAxes(timePlotAxis(m_span), std::move(bandwidth));
}

void BandwidthChart::setCeiling(const std::optional<Ceiling>& ceiling)
{
    if (m_ceiling == ceiling)
        return;
    m_ceiling = ceiling;
    showSummary();
}

void BandwidthChart::setBackend(const std::string& backend)
{
    if (std::exchange(m_backend, backend) != backend)
        showSummary();
}

void BandwidthChart::setRestarts(const std::vector<double>& atNs)
{
    if (std::exchange(m_restarts, atNs) != atNs)
        showSummary();
}

void BandwidthChart::setSelectedKind(std::optional<ledger::OperationKind> kind)
{
    m_selectedKind = kind;
    const auto at = kind ? std::ranges::find(m_kinds, *kind) : m_kinds.end();
    setSelected(at == m_kinds.end() ? -1 : static_cast<int>(at - m_kinds.begin()));
}

} // namespace ringmaster::app
