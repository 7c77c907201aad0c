#include "engine/node/DeviceReader.h"

#include "engine/base/Files.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ringmaster {

namespace {

constexpr const char* Loopback = "lo";

/// A counter that has begun anew tells nothing.
double rate(std::uint64_t before, std::uint64_t now, double seconds)
{
    return now >= before ? static_cast<double>(now - before) / seconds : 0;
}

std::optional<Traffic> traffic(const std::optional<DeviceReading::Traffic>& before,
                               const std::optional<DeviceReading::Traffic>& now, double seconds)
{
    if (!before || !now || now->received < before->received || now->sent < before->sent)
        return std::nullopt;
    return Traffic{static_cast<double>(now->received - before->received) / seconds,
                   static_cast<double>(now->sent - before->sent) / seconds};
}

GpuSample gpuSample(const DeviceReading& before, const DeviceReading& now, double seconds)
{
    GpuSample sample{.index = now.index,
                     .name = now.name,
                     .utilisation = now.utilisation,
                     .usedBytes = now.usedBytes,
                     .totalBytes = now.totalBytes,
                     .nvlink = traffic(before.nvlinkBytes, now.nvlinkBytes, seconds),
                     .pcie = traffic(before.pcieBytes, now.pcieBytes, seconds)};
    if (now.pcieRate)
        sample.pcie = Traffic{static_cast<double>(now.pcieRate->received),
                              static_cast<double>(now.pcieRate->sent)};
    return sample;
}

} // namespace

DeviceReader::DeviceReader(const char* nvml, std::filesystem::path root)
    : m_root(std::move(root)), m_nvml(nvml)
{
}

std::optional<DeviceSample> DeviceReader::read(std::int64_t monotonicNs)
{
    Counters now = readCounters();
    now.atNs = monotonicNs;
    const auto before = std::exchange(m_before, std::move(now));
    if (!before || m_before->atNs <= before->atNs ||
        m_before->processors.all <= before->processors.all)
        return std::nullopt;
    const double seconds = static_cast<double>(m_before->atNs - before->atNs) / 1e9;
    DeviceSample sample{.processors = m_before->processors.count, .absence = m_before->absence};
    sample.cpuFraction =
        rate(before->processors.busy, m_before->processors.busy,
             static_cast<double>(m_before->processors.all - before->processors.all));
    for (const auto& [name, counted] : m_before->interfaces) {
        const auto known = before->interfaces.find(name);
        if (known == before->interfaces.end())
            continue;
        const double received = rate(known->second.received, counted.received, seconds);
        if (name == Loopback) {
            sample.loopback = received;
            continue;
        }
        sample.network.received += received;
        sample.network.sent += rate(known->second.sent, counted.sent, seconds);
    }
    for (const DeviceReading& gpu : m_before->gpus) {
        const auto known = std::ranges::find(before->gpus, gpu.index, &DeviceReading::index);
        if (known != before->gpus.end())
            sample.gpus.push_back(gpuSample(*known, gpu, seconds));
    }
    return sample;
}

DeviceReader::Counters DeviceReader::readCounters() const
{
    Counters counters{.processors = readProcessors(), .interfaces = readInterfaces()};
    counters.absence = m_nvml.absence().value_or(Message{code::None, {}, {}});
    for (int index = 0; !m_nvml.absence() && index < m_nvml.count(); ++index) {
        if (auto gpu = m_nvml.read(index))
            counters.gpus.push_back(*std::move(gpu));
        else
            counters.absence = gpu.error();
    }
    return counters;
}

/// proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; guests are in the first
/// two.
DeviceReader::Processors DeviceReader::readProcessors() const
{
    Processors processors;
    std::istringstream lines(readFile(m_root / "proc/stat").value_or(""));
    for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
        if (line[3] != ' ') {
            ++processors.count;
            continue;
        }
        std::istringstream numbers(line.substr(4));
        std::array<std::uint64_t, 8> ticks{};
        for (std::uint64_t& tick : ticks) {
            numbers >> tick;
            processors.all += tick;
        }
        processors.busy = processors.all - ticks[3] - ticks[4];
    }
    return processors;
}

/// What belongs to a bond or a bridge would be counted twice.
bool DeviceReader::isPartOfAnother(const std::string& interface) const
{
    std::error_code ignored;
    const auto folder = m_root / "sys/class/net" / interface;
    return std::filesystem::exists(folder / "master", ignored) ||
           std::filesystem::exists(folder / "bridge", ignored);
}

std::map<std::string, DeviceReader::Interface> DeviceReader::readInterfaces() const
{
    std::map<std::string, Interface> interfaces;
    std::istringstream lines(readFile(m_root / "proc/net/dev").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        const size_t colon = line.find(':');
        if (colon == std::string::npos)
            continue;
        std::istringstream numbers(line.substr(colon + 1));
        std::array<std::uint64_t, 9> columns{}; // the first of what is sent is the ninth
        for (std::uint64_t& column : columns)
            numbers >> column;
        std::string name = line.substr(0, colon);
        name.erase(0, name.find_first_not_of(' '));
        if (!numbers.fail() && !isPartOfAnother(name))
            interfaces[name] = {columns[0], columns[8]};
    }
    return interfaces;
}

} // namespace ringmaster
