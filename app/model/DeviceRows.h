#pragma once

#include "app/model/DeviceHistory.h"
#include "engine/event/Snapshot.h"

#include <QPointF>
#include <QString>

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
    std::vector<DeviceTrack> tracks{}; ///< What was measured, and nothing else.
    bool isMachine = false;            ///< Its GPUs follow.
};

/// Machine by machine, in the order of the job's hosts and by the names that these have in the host
/// book; others, as this machine without them, by their own.
std::vector<DeviceRow> deviceRows(const DeviceHistory& history,
                                  const std::vector<HostSnapshot>& hosts = {});

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
