#include "engine/node/DeviceSampler.h"

#include "engine/agent/Codes.h"
#include "engine/base/LoopCall.h"
#include "engine/node/Codes.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto Pace = 1s;

/// As NVIDIA's catalogue of them says: an exception of a kernel (13, 69), a page fault (31), a
/// program's channel that is stopped or cleaned up (43, 45).
bool isOfProgram(std::uint64_t xid)
{
    return xid == 13 || xid == 31 || xid == 43 || xid == 45 || xid == 69;
}

Message faultMessage(const DeviceFault& fault)
{
    const std::string gpu = std::to_string(fault.index);
    switch (fault.kind) {
    case DeviceFault::Kind::Xid:
        return {isOfProgram(fault.number) ? code::GpuXidOfProgram : code::GpuXid,
                {{"gpu", gpu}, {"xid", std::to_string(fault.number)}},
                {}};
    case DeviceFault::Kind::Memory: return {code::GpuMemoryError, {{"gpu", gpu}}, {}};
    }
    return {};
}

} // namespace

DeviceSampler::DeviceSampler(Host host, const char* nvml) : m_host(std::move(host))
{
    m_thread.post([this, nvml] { open(nvml); });
}

DeviceSampler::~DeviceSampler()
{
    // The timer belongs to the loop, which goes before it.
    callOnLoop(m_thread.loop(), [this] { m_timer.cancel(); });
    m_thread.stop();
}

void DeviceSampler::open(const char* nvml)
{
    m_reader = std::make_unique<DeviceReader>(nvml);
    m_tellsFaults = m_reader->nvml().watchFaults();
    tick();
}

void DeviceSampler::setOn(bool isOn)
{
    m_thread.post([this, isOn] {
        if (std::exchange(m_isOn, isOn) == isOn)
            return;
        m_reader->forget();
        tick();
    });
}

void DeviceSampler::lookNow()
{
    m_thread.post([this] { lookForFaults(); });
}

void DeviceSampler::tick()
{
    lookForFaults();
    if (m_isOn) {
        if (const auto sample = m_reader->read(SystemClock().now().monotonicNs))
            m_host.sampled(*sample);
    }
    m_timer.cancel();
    if (m_isOn || m_tellsFaults)
        m_timer = m_thread.loop().callAfter(Pace, [this] { tick(); });
}

void DeviceSampler::lookForFaults()
{
    if (!m_tellsFaults)
        return;
    for (const DeviceFault& fault : m_reader->nvml().takeFaults())
        m_host.failed({faultMessage(fault), m_pids[fault.index]});
    for (int index = 0; index < m_reader->nvml().count(); ++index) {
        // Whoever has just ended of a fault isn't there any more.
        std::vector<pid_t> pids;
        for (const DeviceProcess& process : m_reader->nvml().processes(index))
            pids.push_back(process.pid);
        if (!pids.empty())
            m_pids[index] = std::move(pids);
    }
}

} // namespace ringmaster
