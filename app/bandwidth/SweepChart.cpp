#include "app/bandwidth/SweepChart.h"

#include "app/model/OperationText.h"
#include "app/model/SeriesLooks.h"

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr double Kibi = 1024;
constexpr double Decade = 10;

/// Widens to whole powers of `base`.
std::pair<double, double> wholePowers(double from, double to, double base)
{
    const double scale = std::log(base);
    const double first = std::floor(std::log(from) / scale + 1e-9);
    const double last = std::ceil(std::log(to) / scale - 1e-9);
    return {std::pow(base, first), std::pow(base, std::max(last, first + 1))};
}

} // namespace

QString shortSize(double bytes)
{
    for (const auto& [unit, size] :
         {std::pair("G", Kibi * Kibi * Kibi), std::pair("M", Kibi * Kibi), std::pair("K", Kibi)}) {
        if (bytes >= size)
            return axisNumber(bytes / size) + QLatin1String(unit);
    }
    return axisNumber(bytes);
}

SweepChart::SweepChart(QWidget* parent) : PlotView(parent)
{
    setFileName(QStringLiteral("sweep"));
    auto* gestures = new RangeGestures(m_range, RangeGestures::BareKeys::Drawing, canvas(), this,
                                       [this] { return plotRect(); });
    Q_UNUSED(gestures)
    connect(&m_range, &PlotRange::changed, this, &SweepChart::showAxes);
    showAxes();
}

void SweepChart::setView(View view)
{
    m_view = view;
    showLines();
}

void SweepChart::show(const std::vector<Line>& lines, const std::vector<SweepTableModel::Row>& rows,
                      const std::vector<Ceiling>& ceilings,
                      const std::vector<std::int64_t>& planned)
{
    m_lines = lines;
    m_rows = rows;
    m_ceilings = ceilings;
    m_planned = planned;
    showLines();
}

double SweepChart::valueOf(const SweepRow& row) const
{
    return m_view == View::Bandwidth ? row.busBandwidth : static_cast<double>(row.timeNs);
}

void SweepChart::showLines()
{
    std::vector<PlotSeries> shown;
    for (const Line& line : m_lines)
        shown.push_back({.name = line.name, .look = line.look});
    m_smallest = m_largest = m_least = m_most = 0;
    const auto include = [](double value, double& least, double& most) {
        least = least == 0 ? value : std::min(least, value);
        most = std::max(most, value);
    };
    for (const std::int64_t size : m_planned) {
        if (size > 0)
            include(static_cast<double>(size), m_smallest, m_largest);
    }
    for (const SweepTableModel::Row& row : m_rows) {
        const auto size = static_cast<double>(row.measured.bytes);
        const double value = valueOf(row.measured);
        if (!row.measured.isMeasured() || size <= 0 || value <= 0)
            continue;
        shown[static_cast<size_t>(row.series)].points.emplace_back(size, value);
        include(size, m_smallest, m_largest);
        include(value, m_least, m_most);
    }
    for (PlotSeries& series : shown)
        std::ranges::sort(series.points, {}, [](const QPointF& point) { return point.x(); });
    for (const Ceiling& ceiling : m_ceilings) {
        if (m_view != View::Bandwidth || m_most == 0 || ceiling.bytesASecond <= 0)
            continue;
        const auto [from, to] = wholePowers(m_smallest, m_largest, 2);
        shown.push_back({.name = ceiling.name,
                         .look = {.color = backendColor(ceiling.backend)},
                         .points = {{from, ceiling.bytesASecond}, {to, ceiling.bytesASecond}},
                         .isLimit = true});
        m_most = std::max(m_most, ceiling.bytesASecond);
    }
    setSeries(std::move(shown));
    showAxes();
}

void SweepChart::showAxes()
{
    const bool isBandwidth = m_view == View::Bandwidth;
    const auto [smallest, largest] =
        wholePowers(m_smallest > 0 ? m_smallest : 8, m_largest > 0 ? m_largest : Kibi * Kibi, 2);
    PlotAxis size{.scale = PlotAxis::Scale::Logarithmic, .from = smallest, .to = largest};
    const PlotAxis whole = size;
    size.from = whole.valueAt(m_range.shown().from);
    size.to = whole.valueAt(m_range.shown().to);
    size.ticks = [from = size.from, to = size.to](int most) {
        return powerTicks(from, to, 2, most, shortSize);
    };
    size.text = [](double bytes) { return sizeText(bytes); };

    const double unit = isBandwidth ? 1e9 : 1e3;
    const double least = m_most > 0 ? m_least : unit / 1e3;
    const auto [bottom, top] = wholePowers(least, m_most > 0 ? m_most : 1e3 * least, Decade);
    PlotAxis value{.scale = PlotAxis::Scale::Logarithmic, .from = bottom, .to = top};
    value.title = isBandwidth ? QStringLiteral("GB/s") : QStringLiteral("µs");
    value.ticks = [unit, bottom = bottom, top = top](int most) {
        const auto label = [unit](double at) { return axisNumber(at / unit); };
        return powerTicks(bottom, top, static_cast<int>(Decade), most, label);
    };
    value.text = [unit, title = value.title](double at) {
        return QStringLiteral("%1 %2").arg(axisNumber(at / unit), title);
    };
    setAxes(std::move(size), std::move(value));
}

} // namespace ringmaster::app
