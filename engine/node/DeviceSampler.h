#pragma once

#include "engine/base/LoopThread.h"
#include "engine/event/Event.h"
#include "engine/node/DeviceReader.h"

#include <functional>

namespace ringmaster {

/// Watches the node's devices on a thread of its own ("rm-devices"), where the driver may take its
/// time: a sample a second while somebody looks, and errors of GPUs always. Where there are none,
/// the thread sleeps.
class DeviceSampler
{
public:
    struct Fault
    {
        Message what{};
        std::vector<pid_t> pids{}; ///< That computed on the GPU when it was last looked at.
    };

    /// Called on the thread.
    struct Host
    {
        std::function<void(const DeviceSample&)> sampled{};
        std::function<void(const Fault&)> failed{};
    };

    explicit DeviceSampler(Host host, const char* nvml = Nvml::Library);
    ~DeviceSampler();
    DeviceSampler(const DeviceSampler&) = delete;
    DeviceSampler& operator=(const DeviceSampler&) = delete;

    void setOn(bool isOn);

    /// A worker has failed: what the driver has to say of that is wanted soon.
    void lookNow();

private:
    void open(const char* nvml);
    void tick();
    void lookForFaults();

    const Host m_host;
    // The thread's own.
    std::unique_ptr<DeviceReader> m_reader;
    bool m_isOn = false;
    bool m_tellsFaults = false;
    std::map<int, std::vector<pid_t>> m_pids; ///< By GPU.
    EventLoop::Registration m_timer;
    LoopThread m_thread{"rm-devices"};
};

} // namespace ringmaster
