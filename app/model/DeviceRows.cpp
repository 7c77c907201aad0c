#include "app/model/DeviceRows.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/OperationText.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace ringmaster::app {

namespace {

constexpr double LongestPauseNs = 3e9; ///< Of samples that come every second.

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(DeviceRows)
};

/// The tracks of one device, made as its samples come.
class RowBuilder
{
public:
    explicit RowBuilder(DeviceRow& row) : m_row(row) {}

    void add(DeviceQuantity quantity, double atNs, std::initializer_list<double> values,
             double top = 0)
    {
        auto track = std::ranges::find(m_row.tracks, quantity, &DeviceTrack::quantity);
        if (track == m_row.tracks.end()) {
            m_row.tracks.push_back({.quantity = quantity});
            track = std::prev(m_row.tracks.end());
            track->lines.resize(values.size());
        }
        track->top = std::max(track->top, top);
        size_t line = 0;
        for (const double value : values)
            track->lines[line++].emplace_back(atNs, value);
    }

private:
    DeviceRow& m_row;
};

void addMachine(DeviceRow& row, double ns, const DeviceSample& sample)
{
    RowBuilder tracks(row);
    tracks.add(DeviceQuantity::Processors, ns, {sample.cpuFraction}, 1);
    tracks.add(DeviceQuantity::Network, ns, {sample.network.received, sample.network.sent});
    tracks.add(DeviceQuantity::Loopback, ns, {sample.loopback});
}

void addGpu(DeviceRow& row, double ns, const GpuSample& gpu)
{
    RowBuilder tracks(row);
    if (gpu.utilisation)
        tracks.add(DeviceQuantity::Utilisation, ns, {*gpu.utilisation}, 1);
    if (gpu.totalBytes > 0)
        tracks.add(DeviceQuantity::Memory, ns, {static_cast<double>(gpu.usedBytes)},
                   static_cast<double>(gpu.totalBytes));
    if (gpu.nvlink)
        tracks.add(DeviceQuantity::Nvlink, ns, {gpu.nvlink->received, gpu.nvlink->sent});
    if (gpu.pcie)
        tracks.add(DeviceQuantity::Pcie, ns, {gpu.pcie->received, gpu.pcie->sent});
}

void removePoints(DeviceRow& row)
{
    for (DeviceTrack& track : row.tracks) {
        for (std::vector<QPointF>& line : track.lines)
            line.clear();
    }
}

/// Several agents of a job may be on one machine.
QString nameOf(const std::string& node, const std::vector<HostSnapshot>& hosts)
{
    QStringList names;
    for (const HostSnapshot& host : hosts)
        if (host.node == node && !names.contains(QString::fromStdString(host.host)))
            names << QString::fromStdString(host.host);
    return names.isEmpty() ? QString::fromStdString(node) : names.join(QStringLiteral(", "));
}

} // namespace

void DeviceRows::update(const std::vector<HostSnapshot>& hosts)
{
    const std::vector<DeviceHistory::Machine>& machines = m_history.machines();
    m_machines.resize(machines.size());
    for (size_t i = 0; i < machines.size(); ++i)
        readOn(m_machines[i], machines[i]);
    std::vector<size_t> order(machines.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t i) {
        return std::ranges::find(hosts, machines[i].node, &HostSnapshot::node) - hosts.begin();
    });
    m_all.clear();
    for (const size_t i : order)
        list(m_machines[i], machines[i], hosts);
}

void DeviceRows::readOn(Machine& shown, const DeviceHistory::Machine& machine)
{
    if (std::exchange(shown.thinnings, machine.thinnings) != machine.thinnings) {
        shown.read = 0;
        removePoints(shown.row);
        for (auto& [index, gpu] : shown.gpus)
            removePoints(gpu.row);
    }
    for (; shown.read < machine.samples.size(); ++shown.read) {
        const auto& [at, sample] = machine.samples[shown.read];
        const auto ns = static_cast<double>(at);
        addMachine(shown.row, ns, sample);
        for (const GpuSample& gpu : sample.gpus) {
            Gpu& of = shown.gpus[gpu.index];
            of.model = gpu.name;
            addGpu(of.row, ns, gpu);
        }
    }
}

void DeviceRows::list(Machine& shown, const DeviceHistory::Machine& machine,
                      const std::vector<HostSnapshot>& hosts)
{
    shown.row.isMachine = true;
    shown.row.name = nameOf(machine.node, hosts);
    shown.row.detail =
        Texts::tr("%n processors", nullptr, machine.samples.back().values.processors);
    m_all.push_back(&shown.row);
    for (auto& [index, gpu] : shown.gpus) {
        const QString name = Texts::tr("GPU %1").arg(index);
        gpu.row.name =
            m_machines.size() > 1 ? QStringLiteral("%1 · %2").arg(shown.row.name, name) : name;
        gpu.row.detail = QString::fromStdString(gpu.model);
        m_all.push_back(&gpu.row);
    }
}

QString gpuAbsenceText(const DeviceHistory& history)
{
    for (const DeviceHistory::Machine& machine : history.machines()) {
        if (machine.samples.empty())
            continue;
        const Message& absence = machine.samples.back().values.absence;
        if (saysAnything(absence))
            return text(absence);
    }
    return {};
}

QString quantityName(DeviceQuantity quantity)
{
    switch (quantity) {
    case DeviceQuantity::Processors: return Texts::tr("CPU");
    case DeviceQuantity::Network: return Texts::tr("Network");
    case DeviceQuantity::Loopback: return Texts::tr("Loopback");
    case DeviceQuantity::Utilisation: return Texts::tr("Utilisation");
    case DeviceQuantity::Memory: return Texts::tr("Memory");
    case DeviceQuantity::Nvlink: return QStringLiteral("NVLink");
    case DeviceQuantity::Pcie: return QStringLiteral("PCIe");
    }
    return {};
}

QString trackText(const DeviceTrack& track, const std::vector<double>& values)
{
    if (values.empty())
        return {};
    switch (track.quantity) {
    case DeviceQuantity::Processors:
    case DeviceQuantity::Utilisation: return percentText(values[0]);
    case DeviceQuantity::Memory:
        return Texts::tr("%1 of %2").arg(sizeText(values[0]), sizeText(track.top));
    case DeviceQuantity::Loopback: return bandwidthText(values[0]);
    case DeviceQuantity::Network:
    case DeviceQuantity::Nvlink:
    case DeviceQuantity::Pcie:
        return Texts::tr("in %1, out %2").arg(bandwidthText(values[0]), bandwidthText(values[1]));
    }
    return {};
}

QString shortTrackText(const DeviceTrack& track, const std::vector<double>& values)
{
    if (values.size() < 2)
        return trackText(track, values);
    return QStringLiteral("↓ %1 ↑ %2").arg(bandwidthText(values[0]), bandwidthText(values[1]));
}

std::vector<double> valuesAt(const DeviceTrack& track, double atNs)
{
    std::vector<double> values;
    for (const std::vector<QPointF>& line : track.lines) {
        const auto after = std::ranges::upper_bound(line, atNs, {}, &QPointF::x);
        if (after == line.begin())
            return {};
        const auto index = static_cast<size_t>(after - line.begin());
        const bool isOver =
            index == line.size() ? atNs - line.back().x() > LongestPauseNs : isGap(line, index);
        if (isOver && atNs - line[index - 1].x() > LongestPauseNs / 2)
            return {};
        values.push_back(line[index - 1].y());
    }
    return values;
}

bool isGap(const std::vector<QPointF>& line, size_t second)
{
    const auto pause = [&](size_t to) { return line[to].x() - line[to - 1].x(); };
    const double mine = pause(second);
    if (mine <= LongestPauseNs)
        return false;
    // Old samples are further apart, all of them.
    double usual = mine;
    if (second >= 2)
        usual = std::min(usual, pause(second - 1));
    if (second + 1 < line.size())
        usual = std::min(usual, pause(second + 1));
    return mine > 2.5 * usual;
}

} // namespace ringmaster::app
