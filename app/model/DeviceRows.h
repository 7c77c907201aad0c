#pragma once

#include "app/model/DeviceHistory.h"
#include "engine/event/Snapshot.h"

#include <QPointF>
#include <QString>

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace ringmaster::app {

enum class DeviceQuantity { Processors, Network, Loopback, Utilisation, Memory, Nvlink, Pcie };

/// One quantity of a device over time: one line, or two, of what comes in and what goes out.
struct DeviceTrack
{
    DeviceQuantity quantity = DeviceQuantity::Processors;
    std::vector<std::vector<QPointF>> lines{}; ///< Monotonic ns; shares, or bytes (a second).
    double top = 0;                            ///< Of the scale; 0: the largest value.
};

/// One device: a machine's processors and network, or one of its GPUs.
struct DeviceRow
{
    QString name{};
    QString detail{};
    std::deque<DeviceTrack> tracks{}; ///< What was measured, and nothing else.
    bool isMachine = false;           ///< Its GPUs follow.
};

/// The devices of a run as rows, which grow with its history: a sample is read once. Rows and their
/// tracks stay where they are as long as this exists.
class DeviceRows
{
public:
    explicit DeviceRows(const DeviceHistory& history) : m_history(history) {}

    void update(const std::vector<HostSnapshot>& hosts = {});

    /// Machine by machine, in the order of the job's hosts and by the names that these have in the
    /// host book; others, as this machine without them, by their own.
    const std::vector<const DeviceRow*>& all() const { return m_all; }

private:
    struct Gpu
    {
        DeviceRow row{};
        std::string model{};
    };
    struct Machine
    {
        DeviceRow row{};
        std::map<int, Gpu> gpus{}; ///< by index
        size_t read = 0;           ///< of its samples
        int thinnings = 0;         ///< as they were read
    };

    static void readOn(Machine& shown, const DeviceHistory::Machine& machine);
    void list(Machine& shown, const DeviceHistory::Machine& machine,
              const std::vector<HostSnapshot>& hosts);

    const DeviceHistory& m_history;
    std::deque<Machine> m_machines; ///< As in the history.
    std::vector<const DeviceRow*> m_all;
};

/// Why a machine has no GPU to show; empty: it has, or nobody said.
QString gpuAbsenceText(const DeviceHistory& history);

QString quantityName(DeviceQuantity quantity);
/// "45 %", "17.2 GiB of 141.0 GiB", "in 1.20 GB/s, out 300 MB/s"
QString trackText(const DeviceTrack& track, const std::vector<double>& values);
/// The same where there is little room: "↓ 1.20 GB/s ↑ 300 MB/s"
QString shortTrackText(const DeviceTrack& track, const std::vector<double>& values);

/// The values at the last moment that isn't after `atNs`; empty: none near it.
std::vector<double> valuesAt(const DeviceTrack& track, double atNs);

/// Whether nothing was measured between two samples that follow each other: the line breaks there.
bool isGap(const std::vector<QPointF>& line, size_t second);

} // namespace ringmaster::app
