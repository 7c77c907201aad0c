#include "engine/job/DeviceChecks.h"

#include "engine/job/Codes.h"
#include "engine/job/JobOptions.h"
#include "engine/job/WorkerCounts.h"

#include <algorithm>
#include <set>

namespace ringmaster {

namespace {

std::string gibibytes(std::int64_t bytes)
{
    const std::int64_t tenths = bytes * 10 / (std::int64_t(1) << 30);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

} // namespace

void DeviceChecks::check()
{
    for (size_t i = 0; i < m_spec.roles.size(); ++i) {
        checkWorkers(i);
        checkRoleDevices(i);
    }
    checkBackend();
    checkRing();
    checkBusyDevices();
}

void DeviceChecks::checkWorkers(size_t index)
{
    const Role& role = m_spec.roles[index];
    const std::string field = at(index, "workers");
    const auto count = resolveWorkers(role.workers, m_systemInfo.counts());
    if (!count)
        return error(field, count.error());
    if (*count <= 0)
        return error(field, code::WorkersNotPositive, {{"count", std::to_string(*count)}});
    if (role.workers.kind != WorkerCount::Kind::Number)
        ok(field, code::WorkersCounted,
           {{"count", std::to_string(*count)}, {"kind", workerCountText(role.workers)}});
}

void DeviceChecks::checkRoleDevices(size_t index)
{
    const Role& role = m_spec.roles[index];
    const int present = static_cast<int>(m_systemInfo.devices().devices.size());
    const std::string field = at(index, "devices");
    std::set<int> seen;
    for (const int device : role.devices) {
        if (device < 0 || device >= present)
            error(field, code::DeviceNotThere,
                  {{"device", std::to_string(device)}, {"count", std::to_string(present)}});
        else if (!seen.insert(device).second)
            error(field, code::DeviceTwice, {{"device", std::to_string(device)}});
    }
    const int visible =
        role.devices.empty() ? m_systemInfo.counts().gpus : static_cast<int>(role.devices.size());
    const int workers = resolveWorkers(role.workers, m_systemInfo.counts()).value_or(0);
    const std::int64_t needed = std::int64_t(std::max(role.devicesPerWorker, 0)) * workers;
    if (needed > visible)
        error(at(index, "devices_per_worker"), code::NotEnoughDevices,
              {{"workers", std::to_string(workers)},
               {"each", std::to_string(role.devicesPerWorker)},
               {"count", std::to_string(visible)}});
    if (m_spec.virtualLocalRank && role.devicesPerWorker == 0 && visible > 0 && workers > visible)
        error("virtual_local_rank", code::NotEnoughDevices,
              {{"workers", std::to_string(workers)},
               {"each", "1"},
               {"count", std::to_string(visible)}});
}

void DeviceChecks::checkBackend()
{
    const std::string& backend = m_spec.backendHint;
    const int gpus = m_systemInfo.counts().gpus;
    if (backend.empty())
        return;
    if (!isChoice("backend", backend))
        return error("backend", code::BackendUnknown, {{"backend", backend}});
    if (backend != "nccl")
        return;
    int visible = 0;
    for (const Role& role : m_spec.roles)
        visible += static_cast<int>(role.devices.size());
    const int usable = visible > 0 ? std::min(visible, gpus) : gpus;
    if (gpus == 0)
        error("backend", code::NcclNeedsGpu);
    else if (localWorkers() > usable)
        error("backend", code::NcclNeedsGpuEach,
              {{"workers", std::to_string(localWorkers())}, {"count", std::to_string(usable)}});
}

void DeviceChecks::checkRing()
{
    const std::string& algorithm = m_spec.ringAlgorithm;
    if (!isChoice("ring_algorithm", algorithm))
        error("ring_algorithm", code::RingAlgorithmUnknown, {{"algorithm", algorithm}});
    if (m_spec.plain && m_spec.backendHint == "ring")
        warn("plain", code::RingHiddenByPlain);
}

void DeviceChecks::checkBusyDevices()
{
    const DeviceList list = m_systemInfo.devices();
    std::set<int> chosen;
    for (const Role& role : m_spec.roles)
        chosen.insert(role.devices.begin(), role.devices.end());
    int unused = 0;
    for (const Device& device : list.devices) {
        if (!chosen.empty() && !chosen.contains(device.index))
            continue;
        if (device.processes.empty()) {
            ++unused;
            continue;
        }
        warn(at(0, "devices"), code::DeviceBusy,
             {{"device", std::to_string(device.index)},
              {"name", device.name},
              {"pid", std::to_string(device.processes.front().pid)},
              {"used", gibibytes(device.usedBytes)}});
    }
    if (unused > 0)
        ok(at(0, "devices"), code::DevicesFree, {{"count", std::to_string(unused)}});
    else if (list.devices.empty())
        ok(at(0, "devices"), code::WorkersUseCpu);
}

} // namespace ringmaster
