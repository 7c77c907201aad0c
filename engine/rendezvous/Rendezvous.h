#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// What one agent brings: how many workers of which role it will start.
struct NodeOffer
{
    struct RoleCount
    {
        std::string role{};
        int workers = 0;
    };
    std::vector<RoleCount> roles{}; ///< In the job's order. torchrun's agents bring exactly one.
};

/// One completed rendezvous, seen from this agent.
struct Round
{
    struct RolePlace
    {
        std::string role{};
        int globalRankBase = 0;
        int roleRankBase = 0;
        int roleWorldSize = 0;
    };

    std::uint64_t number = 0;
    int groupRank = 0;
    int groupWorldSize = 1;
    int worldSize = 0;
    std::vector<RolePlace> places{}; ///< One for each of the offer's roles, in its order.
    std::string runId{};             ///< TORCHELASTIC_RUN_ID
    std::string masterAddress{};
    int masterPort = 0;
    bool useAgentStore = true;         ///< TORCHELASTIC_USE_AGENT_STORE
    std::optional<int> attempt{};      ///< Where a lead counts for all agents; else each its own.
    std::optional<int> restartCount{}; ///< The same of the restarts that were charged.
};

/// Agrees with the job's other agents who takes part and with which ranks. Lives on the agent's
/// loop; every call returns at once and the Host is told later, never inside the call.
class Rendezvous
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void rendezvousJoined(const Round& round) = 0;
        virtual void rendezvousFailed(const Error& error) = 0;
        /// Other nodes wait for a new round, or one that takes part has gone: the group has to
        /// restart.
        virtual void rendezvousMembershipChanged(const Message& what) = 0;
        /// From the exit barrier: others of the round have failed and are too few without this
        /// node, whose workers have to run again.
        virtual void rendezvousRecalled(const Message& why) = 0;
        /// The job ended elsewhere: nothing can be joined any more.
        virtual void rendezvousClosed(const Message& why) = 0;
    };

    virtual ~Rendezvous() = default;

    /// The first round, or the next one (which leaves the present one). In the workers' store of a
    /// round nothing is left of an earlier one.
    virtual void join(const NodeOffer& offer) = 0;

    /// Waits until every node of the round has succeeded, at most as long as the job allows; then
    /// calls once.
    virtual void enterExitBarrier(std::function<void(Result<void>)> done) = 0;

    /// Ends the job for all nodes, for ever. `done` runs once, when the others can know it or can't
    /// be told: until then this object has to live.
    virtual void close(std::function<void()> done) = 0;
};

} // namespace ringmaster
