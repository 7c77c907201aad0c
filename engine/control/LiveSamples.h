#pragma once

#include "engine/event/Event.h"

#include <chrono>
#include <map>
#include <string>
#include <utility>

namespace ringmaster {

/// What the workers and nodes of a run were sampled with last, as the events come; nothing that is
/// old, or of a worker that has ended. Pure: the caller brings the time.
class LiveSamples
{
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Samples come once a second, while somebody watches.
    static constexpr std::chrono::seconds Age{15};

    void happened(const Event& event, Time now);

    std::map<int, ProcessSample> workers(Time now) const;      ///< By global rank.
    std::map<std::string, DeviceSample> nodes(Time now) const; ///< By name.

private:
    template <class T>
    struct Taken
    {
        T sample{};
        Time at{};
    };

    std::map<int, Taken<ProcessSample>> m_workers;
    std::map<std::string, Taken<DeviceSample>> m_nodes;
};

} // namespace ringmaster
