#include "app/hosts/HostCharts.h"

#include "app/bridge/CsvText.h"
#include "app/bridge/Words.h"
#include "app/widget/EmptyState.h"
#include "app/widget/PlotView.h"
#include "app/widget/Translated.h"

#include <QDateTime>
#include <QLabel>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

/// The time axes, in seconds: at first, and the latest part of what is kept.
constexpr double LeastSpan = 600;
constexpr double MostSpan = 3600;
/// A host that hasn't answered for so long has a gap.
constexpr double LongestGap = 60;

std::vector<PlotTick> timesOfDay(double from, double to, int most)
{
    const double step = std::max(60.0, clockStep((to - from) / std::clamp(most, 1, 8)));
    std::vector<PlotTick> ticks;
    for (double at = std::ceil(from / step) * step; at <= to; at += step)
        ticks.push_back(
            {at, QLocale().toString(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(at)).time(),
                                    QStringLiteral("HH:mm"))});
    return ticks;
}

PlotAxis timeAxis(double from, double to)
{
    return {.from = from,
            .to = to,
            .ticks = [from, to](int most) { return timesOfDay(from, to, most); },
            .text =
                [](double at) {
                    return QLocale().toString(
                        QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(at * 1000)).time(),
                        QStringLiteral("HH:mm:ss"));
                }};
}

PlotAxis percentAxis()
{
    return {.to = 1,
            .ticks =
                [](int most) {
                    return thinnedTicks(rangeTicks(0, 1, std::min(most, 5), percentText), most);
                },
            .text = percentText};
}

} // namespace

HostCharts::HostCharts(const HostListModel& hosts, QWidget* parent)
    : TwinCard(parent)
    , m_hosts(hosts)
    , m_drawings(new QWidget(this))
    , m_empty(new EmptyState(m_drawings))
{
    auto* layout = new QVBoxLayout(m_drawings);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (const auto quantity : {&HostSample::load, &HostSample::memory, &HostSample::gpuMemory}) {
        Chart chart{quantity, new QLabel(m_drawings), new PlotView(m_drawings)};
        setLook(chart.title, "muted");
        chart.plot->setCsv([this] { return csv(); });
        chart.plot->setFileName(QStringLiteral("hosts"));
        layout->addWidget(chart.title);
        layout->addWidget(chart.plot, 1);
        m_charts.push_back(chart);
    }
    layout->addWidget(m_empty, 1);
    table()->setModel(&m_samples);
    setView(m_drawings);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&hosts, signal, this, &HostCharts::update);
    connect(&hosts, &QAbstractItemModel::rowsMoved, this, &HostCharts::update);
    connect(&hosts, &QAbstractItemModel::dataChanged, this, &HostCharts::update);
    translated(this, [this] { setTexts(); });
}

void HostCharts::update()
{
    m_samples.setHosts(m_hosts.rows());
    const std::vector<HostSampleRow>& samples = m_samples.rows();
    m_empty->setVisible(samples.empty());
    const double last =
        samples.empty() ? 0 : static_cast<double>(samples.front().sample.atMs) / 1000;
    const double first =
        samples.empty() ? 0 : static_cast<double>(samples.back().sample.atMs) / 1000;
    const double span = std::clamp(last - first, LeastSpan, MostSpan);
    for (const Chart& chart : m_charts) {
        const bool isMeasured = std::ranges::any_of(samples, [&](const HostSampleRow& row) {
            return (row.sample.*chart.quantity).has_value();
        });
        chart.title->setVisible(isMeasured);
        chart.plot->setVisible(isMeasured);
        if (isMeasured)
            draw(chart, last - span, last);
    }
}

void HostCharts::draw(const Chart& chart, double from, double to)
{
    std::vector<PlotSeries> lines;
    int look = 0;
    for (const HostRow& host : m_hosts.rows()) {
        PlotSeries line{.name = QString::fromStdString(host.host.name),
                        .look = {.color = look, .shape = look},
                        .longestGap = LongestGap};
        for (const HostSample& sample : host.samples) {
            const double at = static_cast<double>(sample.atMs) / 1000;
            if (const auto value = sample.*chart.quantity; value && at >= from)
                line.points.emplace_back(at, *value);
        }
        // A host has its colour in all of them, also where another has no line.
        look += host.samples.empty() ? 0 : 1;
        if (!line.points.empty())
            lines.push_back(std::move(line));
    }
    chart.plot->setSeries(std::move(lines));
    chart.plot->setAxes(timeAxis(from, to), percentAxis());
}

QByteArray HostCharts::csv() const
{
    const auto value = [](const std::optional<double>& fraction) {
        return fraction ? QByteArray::number(*fraction, 'g', 6) : QByteArray();
    };
    QByteArray csv = "time,host,load,memory,gpu_memory\n";
    for (const HostSampleRow& row : m_samples.rows())
        csv += QDateTime::fromMSecsSinceEpoch(row.sample.atMs).toString(Qt::ISODate).toUtf8() +
               ',' + csvText(row.host) + ',' + value(row.sample.load) + ',' +
               value(row.sample.memory) + ',' + value(row.sample.gpuMemory) + '\n';
    return csv;
}

void HostCharts::setTexts()
{
    setTitle(tr("What they are doing"));
    setSubtitle(tr("while this page is looked at"));
    setTwinTexts(tr("Hosts over time"), tr("Hosts over time, as a table"),
                 tr("Show what was measured as a table"));
    const QString titles[] = {tr("Processors in use"), tr("Memory in use"),
                              tr("GPU memory in use")};
    for (size_t i = 0; i < m_charts.size(); ++i) {
        m_charts[i].title->setText(titles[i]);
        m_charts[i].plot->setAccessibleName(titles[i]);
    }
    m_empty->setTexts(tr("Nothing measured yet"),
                      tr("Check all asks every host what it has; those that answer are asked again "
                         "every 15 seconds, as long as this page is looked at."));
    update();
}

} // namespace ringmaster::app
