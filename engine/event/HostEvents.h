#pragma once

#include "engine/base/Error.h"
#include "engine/event/Fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// One of a job's hosts, as the lead sees it. Said by the lead.
struct HostChanged
{
    enum class State {
        Connecting,   ///< On the way there; the agent may be copied first.
        Connected,    ///< Its agent answers.
        Lost,         ///< It hasn't come back in time; its agent goes on for a while.
        Gone,         ///< Its agent is no more, or never was: `reason`.
        Finished,     ///< Its agent has ended as it should.
        StandingBy,   ///< Its agent is ready, and a round runs without it.
        Reconnecting, ///< The connection is broken: `reason`. Its workers go on.
    };

    std::string agent{}; ///< The id in its events.
    std::string host{};  ///< Its name in the host book.
    State state = State::Connecting;
    Message reason{};
    bool operator==(const HostChanged&) const = default;
};
RM_FIELDS(HostChanged, agent, host, state, reason);

/// How far an agent's clocks are ahead of the lead's. Said by the lead.
struct ClockMeasured
{
    std::string agent{};
    std::int64_t monotonicOffsetNs = 0;
    std::int64_t wallOffsetNs = 0;
    std::int64_t boundNs = 0; ///< The truth is within so much of both.
    bool operator==(const ClockMeasured&) const = default;
};
RM_FIELDS(ClockMeasured, agent, monotonicOffsetNs, wallOffsetNs, boundNs);

/// What an agent says to its lead about the round that they meet in.
struct RendezvousReport
{
    enum class Step {
        Offers,   ///< It is ready for a round, with so many workers.
        Finished, ///< All its workers of the round have succeeded.
    };

    struct RoleCount
    {
        std::string role{};
        int workers = 0;
        bool operator==(const RoleCount&) const = default;
    };

    Step step = Step::Offers;
    /// Of an offer: the first round that it can take part in, so that an offer that comes late or
    /// twice isn't taken for a later one. Else the round that has finished.
    std::uint64_t round = 0;
    std::vector<RoleCount> roles{};
    std::string address{}; ///< Where the workers' store would be, were it the first: it is open.
    int port = 0;
    bool operator==(const RendezvousReport&) const = default;
};
RM_FIELDS(RendezvousReport::RoleCount, role, workers);
RM_FIELDS(RendezvousReport, step, round, roles, address, port);

} // namespace ringmaster
