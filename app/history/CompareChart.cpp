#include "app/history/CompareChart.h"

#include "app/bridge/CsvText.h"
#include "app/bridge/Words.h"
#include "app/history/CompareText.h"
#include "app/model/NumberText.h"
#include "app/model/OperationText.h"

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr double CompareMargin = 0.05;
/// A rate is taken over at least so many of the line's parts, so that it doesn't jump about.
constexpr double RateParts = 40;

double secondsSince(const ComparedRun& run, std::int64_t ns)
{
    return static_cast<double>(ns - run.startedAt.monotonicNs) / 1e9;
}

/// Of the lowest rank that prints it, all attempts.
PlotSeries lineOf(const ComparedRun& run, const std::string& name)
{
    PlotSeries series;
    int rank = -1;
    for (const NumberSummary::Line& line : run.numbers.lines) {
        if (line.name == name && (rank < 0 || line.rank < rank))
            rank = line.rank;
    }
    for (const NumberSummary::Line& line : run.numbers.lines) {
        if (line.name != name || line.rank != rank || line.points.empty())
            continue;
        if (!series.points.empty())
            series.breaks.push_back(secondsSince(run, line.points.front().ns) - 1e-9);
        for (const NumberSeries::Point& point : line.points)
            series.points.emplace_back(secondsSince(run, point.ns), point.value);
    }
    return series;
}

/// Of the kind of operation that moves the most bytes.
PlotSeries bandwidthOf(const ComparedRun& run)
{
    const OperationSummary::Series* heaviest = nullptr;
    double most = 0;
    for (const OperationSummary::Series& series : run.operations.series) {
        double bytes = 0;
        for (const OperationSummary::Point& point : series.points)
            bytes += point.bytes;
        if (bytes > most) {
            most = bytes;
            heaviest = &series;
        }
    }
    const std::int64_t spanNs = run.operations.spanNs;
    PlotSeries line{.longestGap = 2.5 * static_cast<double>(spanNs) / 1e9};
    if (heaviest == nullptr)
        return line;
    for (const OperationSummary::Point& point : heaviest->points) {
        if (point.busBandwidth() > 0)
            line.points.emplace_back(secondsSince(run, point.fromNs + spanNs / 2),
                                     point.busBandwidth());
    }
    return line;
}

} // namespace

std::vector<QPointF> ratesOf(const std::vector<QPointF>& counter)
{
    std::vector<QPointF> rates;
    if (counter.size() < 2)
        return rates;
    const double least = (counter.back().x() - counter.front().x()) / RateParts;
    QPointF from = counter.front();
    for (const QPointF& point : counter) {
        if (point.y() < from.y()) { // Begun anew.
            from = point;
            continue;
        }
        const double seconds = point.x() - from.x();
        if (seconds <= 0 || seconds < least || point.y() <= from.y())
            continue;
        rates.emplace_back((point.x() + from.x()) / 2, (point.y() - from.y()) / seconds);
        from = point;
    }
    return rates;
}

CompareChart::CompareChart(const QString& fileName, QWidget* parent) : PlotView(parent)
{
    setFileName(fileName);
    setCsv([this] { return csv(); });
}

std::vector<std::string> CompareChart::numbersOf(const std::vector<ComparedRun>& runs)
{
    std::vector<std::string> names;
    for (const ComparedRun& run : runs) {
        for (const std::string& name : run.numbers.names) {
            const bool hasLine =
                std::ranges::find(run.numbers.lines, name, &NumberSummary::Line::name) !=
                run.numbers.lines.end();
            const bool isCounter =
                std::ranges::any_of(run.numbers.latest, [&](const NumberSummary::Latest& latest) {
                    return latest.name == name && latest.isCounter;
                });
            if (hasLine && !isCounter && std::ranges::find(names, name) == names.end())
                names.push_back(name);
        }
    }
    return names;
}

std::string CompareChart::counterOf(const ComparedRun& run)
{
    std::string best;
    size_t most = 0;
    for (const NumberSummary::Latest& latest : run.numbers.latest) {
        const size_t points = latest.isCounter ? lineOf(run, latest.name).points.size() : 0;
        // The one that is told most often goes fastest.
        if (points > most) {
            most = points;
            best = latest.name;
        }
    }
    return best;
}

void CompareChart::show(const std::vector<ComparedRun>& runs, Shows what, const std::string& number)
{
    std::vector<PlotSeries> lines;
    for (size_t i = 0; i < runs.size(); ++i) {
        PlotSeries line;
        switch (what) {
        case Shows::Number: line = lineOf(runs[i], number); break;
        case Shows::Steps: line.points = ratesOf(lineOf(runs[i], counterOf(runs[i])).points); break;
        case Shows::Bandwidth: line = bandwidthOf(runs[i]); break;
        }
        if (line.points.empty())
            continue;
        const auto look = static_cast<int>(i);
        line.name = QStringLiteral("%1 %2").arg(letterOf(i), QString::fromStdString(runs[i].name));
        // Colour and shape tell them apart: dashes of a jagged line would look like gaps.
        line.look = {.color = look, .shape = look};
        lines.push_back(std::move(line));
    }
    setSeries(std::move(lines));
    showAxes(what);
}

void CompareChart::showAxes(Shows what)
{
    double longest = 1;
    double least = HUGE_VAL;
    double greatest = -HUGE_VAL;
    for (const PlotSeries& line : series()) {
        for (const QPointF& point : line.points) {
            longest = std::max(longest, point.x());
            least = std::min(least, point.y());
            greatest = std::max(greatest, point.y());
        }
    }
    if (least > greatest)
        std::tie(least, greatest) = std::pair(0.0, 1.0);
    const double room = std::max((greatest - least) * CompareMargin, std::abs(greatest) * 1e-6);
    const bool fromZero = what != Shows::Number;
    const PlotLabel time = [](double seconds) {
        return clockText(static_cast<std::int64_t>(std::round(seconds * 1e9)));
    };
    const bool isBandwidth = what == Shows::Bandwidth;
    const PlotLabel value = [isBandwidth](double at) {
        return isBandwidth ? bandwidthText(at) : numberText(at);
    };
    PlotAxis horizontal{.to = longest, .text = time};
    horizontal.ticks = [longest, time](int most) {
        return thinnedTicks(clockTicks(longest, std::min(most, 6), time), most);
    };
    PlotAxis vertical{.from = fromZero ? 0 : least - room, .to = greatest + room, .text = value};
    const PlotLabel mark = [value](double at) { return at == 0 ? axisNumber(0) : value(at); };
    vertical.ticks = [low = vertical.from, high = vertical.to, mark](int most) {
        return thinnedTicks(rangeTicks(low, high, std::min(most, 5), mark), most);
    };
    setAxes(std::move(horizontal), std::move(vertical));
}

QByteArray CompareChart::csv() const
{
    QByteArray csv = "run,seconds,value\n";
    for (const PlotSeries& line : series()) {
        const auto name = csvText(line.name);
        for (const QPointF& point : line.points)
            csv += name + ',' + QByteArray::number(point.x(), 'g', 10) + ',' +
                   QByteArray::number(point.y(), 'g', 12) + '\n';
    }
    return csv;
}

} // namespace ringmaster::app
