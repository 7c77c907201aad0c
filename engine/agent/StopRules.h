#pragma once

#include "engine/event/Event.h"
#include "engine/job/JobSpec.h"

#include <chrono>
#include <map>
#include <optional>

namespace ringmaster {

/// A job's rules about when its run is ended: after its longest time, or when a verdict of a kind
/// has stood for too long. Pure: the caller brings events and the time, and does the ending.
class StopRules
{
public:
    explicit StopRules(const JobSpec& spec);

    /// The run began so long ago.
    void begin(std::int64_t nowNs, std::chrono::nanoseconds ago = std::chrono::nanoseconds(0));
    void happened(const EventBody& body, std::int64_t nowNs);

    /// Which rule ends the run now; said once.
    std::optional<Message> due(std::int64_t nowNs);

    bool isEmpty() const { return m_longestRun.count() == 0 && m_limits.empty(); }

private:
    struct Standing
    {
        Verdict::Kind kind = Verdict::Kind::Waiting;
        int attempt = 0;
        std::int64_t sinceNs = 0; ///< When it was first stated as of this kind.
    };

    void stated(const Verdict& verdict, std::int64_t nowNs);
    void forgetBefore(int attempt);
    std::optional<Message> stoodTooLong(std::int64_t nowNs) const;

    std::chrono::milliseconds m_longestRun;
    std::map<Verdict::Kind, std::chrono::milliseconds> m_limits;
    std::map<std::uint64_t, Standing> m_standing; ///< By id; of kinds with a limit only.
    std::optional<std::int64_t> m_startedNs{};
    bool m_hasActed = false;
};

} // namespace ringmaster
