#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ringmaster {

/// UTC, in the microseconds that the state carries.
using StateTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

/// One agent, as the c10d rendezvous names it. The order of these is the order of the ranks.
struct NodeDescription
{
    std::string address{};
    std::int64_t pid = 0;
    std::int64_t localId = 0; ///< Tells the agents of one process apart.

    auto operator<=>(const NodeDescription&) const = default;
};

/// Ours count their local ids from here, torchrun's agents from 0: so each knows whom it meets.
constexpr std::int64_t FirstOwnLocalId = 0x524d'0000;

constexpr bool isOurs(const NodeDescription& node)
{
    return node.localId >= FirstOwnLocalId;
}

/// Of the keys in which the agents of a run meet: before its id.
constexpr std::string_view RunKeyPrefix = "torch.rendezvous.";

/// The one value that all agents of a c10d rendezvous read and replace (torch 2.11's
/// _RendezvousState).
struct RendezvousState
{
    std::int64_t round = 0;
    bool complete = false;
    std::optional<StateTime> deadline{}; ///< End of the last call.
    bool closed = false;
    std::map<NodeDescription, std::int64_t> participants{}; ///< node → rank, valid once complete
    std::set<NodeDescription> waitList{};
    std::set<NodeDescription> redundancyList{};
    std::map<NodeDescription, StateTime> lastHeartbeats{};

    bool operator==(const RendezvousState&) const = default;
};

} // namespace ringmaster
