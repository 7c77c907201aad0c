#include "app/bandwidth/SweepChart.h"

#include "app/model/OperationText.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr double Kibi = 1024;

QString powerText(double value)
{
    return QLocale().toString(value, 'g', 3);
}

} // namespace

QString shortSize(double bytes)
{
    for (const auto& [unit, size] :
         {std::pair("G", Kibi * Kibi * Kibi), std::pair("M", Kibi * Kibi), std::pair("K", Kibi)}) {
        if (bytes >= size)
            return powerText(bytes / size) + QLatin1String(unit);
    }
    return powerText(bytes);
}

void SweepChart::setView(View view)
{
    m_view = view;
    showLines();
}

void SweepChart::show(const std::vector<Line>& lines, const std::vector<SweepTableModel::Row>& rows,
                      const std::vector<Ceiling>& ceilings)
{
    m_lines = lines;
    m_rows = rows;
    m_ceilings = ceilings;
    showLines();
}

double SweepChart::valueOf(const SweepRow& row) const
{
    return m_view == View::Bandwidth ? row.busBandwidth : static_cast<double>(row.timeNs);
}

void SweepChart::showLines()
{
    std::vector<ChartSeries> shown;
    for (const Line& line : m_lines)
        shown.push_back({.name = line.name, .look = line.look});
    double least = 0;
    double most = 0;
    m_smallest = m_largest = 0;
    for (const SweepTableModel::Row& row : m_rows) {
        const auto size = static_cast<double>(row.measured.bytes);
        const double value = valueOf(row.measured);
        if (!row.measured.isMeasured() || size <= 0 || value <= 0)
            continue;
        shown[static_cast<size_t>(row.series)].points.emplace_back(size, value);
        m_smallest = m_smallest == 0 ? size : std::min(m_smallest, size);
        m_largest = std::max(m_largest, size);
        least = least == 0 ? value : std::min(least, value);
        most = std::max(most, value);
    }
    for (ChartSeries& series : shown)
        std::ranges::sort(series.points, {}, [](const QPointF& point) { return point.x(); });
    for (const Ceiling& ceiling : m_ceilings) {
        if (m_view != View::Bandwidth || most == 0 || ceiling.bytesASecond <= 0)
            continue;
        shown.push_back(
            {.name = ceiling.name,
             .points = {{m_smallest, ceiling.bytesASecond}, {m_largest, ceiling.bytesASecond}},
             .isLimit = true});
        most = std::max(most, ceiling.bytesASecond);
    }
    setSeries(std::move(shown));
    showAxes(least, most);
}

void SweepChart::showAxes(double least, double most)
{
    if (most == 0) {
        m_smallest = 8;
        m_largest = 1 << 20;
        least = m_view == View::Bandwidth ? 1e6 : 1e4;
        most = 1e3 * least;
    }
    ChartAxis size{.scale = ChartAxis::Scale::Logarithmic};
    size.ticks =
        powerTicks(m_smallest, m_largest, 2, std::max(3, plotRect().width() / 60), shortSize);
    size.from = size.ticks.front().at;
    // One size alone still needs some room.
    size.to = std::max(size.ticks.back().at, size.from * 2);
    size.text = [](double bytes) { return sizeText(bytes); };
    ChartAxis value{.scale = ChartAxis::Scale::Logarithmic};
    const bool isBandwidth = m_view == View::Bandwidth;
    const double unit = isBandwidth ? 1e9 : 1e3;
    value.title = isBandwidth ? QStringLiteral("GB/s") : QStringLiteral("µs");
    value.ticks = powerTicks(least / unit, most / unit, 10, 8, powerText);
    for (ChartTick& tick : value.ticks)
        tick.at *= unit;
    value.from = value.ticks.front().at;
    value.to = std::max(value.ticks.back().at, value.from * 10);
    value.text = isBandwidth ? ChartLabel(bandwidthText) : [](double ns) {
        return preciseDurationText(static_cast<std::int64_t>(ns));
    };
    setAxes(std::move(size), std::move(value));
}

/// How many labels have room.
void SweepChart::resizeEvent(QResizeEvent* event)
{
    Chart::resizeEvent(event);
    showLines();
}

} // namespace ringmaster::app
