#pragma once

#include "engine/base/Clock.h"
#include "engine/base/Result.h"
#include "engine/event/Fields.h"
#include "engine/event/InheritedSecrets.h"

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// From a lead to each agent of a round: it is complete, and this is your place.
struct BeginRound
{
    struct RolePlace
    {
        std::string role{};
        int globalRankBase = 0;
        int roleRankBase = 0;
        int roleWorldSize = 0;
        bool operator==(const RolePlace&) const = default;
    };

    std::uint64_t round = 0;
    int attempt = 0;
    int restartCount = 0;
    int groupRank = 0;
    int groupWorldSize = 1;
    int worldSize = 0;
    std::vector<RolePlace> places{};
    std::string runId{};
    std::string masterAddress{};
    int masterPort = 0;
    bool operator==(const BeginRound&) const = default;
};
RM_FIELDS(BeginRound::RolePlace, role, globalRankBase, roleRankBase, roleWorldSize);
RM_FIELDS(BeginRound, round, attempt, restartCount, groupRank, groupWorldSize, worldSize, places,
          runId, masterAddress, masterPort);

/// The round is over for everybody: stop the workers and offer again.
struct LeaveRound
{
    std::uint64_t round = 0;      ///< And whatever was before; a later one isn't meant.
    bool recallsFinished = false; ///< Also where the workers have succeeded: they are needed again.
    Message why{};
    bool operator==(const LeaveRound&) const = default;
};
RM_FIELDS(LeaveRound, round, recallsFinished, why);

/// No round will come any more.
struct CloseRendezvous
{
    bool hasSucceeded = false; ///< Every agent of the last round has finished.
    Message why{};
    bool operator==(const CloseRendezvous&) const = default;
};
RM_FIELDS(CloseRendezvous, hasSucceeded, why);

/// The lead's heartbeat.
struct Heartbeat
{
    std::uint64_t generation = 0; ///< Of leads: an older one is refused.
    bool isReleased = false;      ///< The lead has everything; the agent may go.
    bool operator==(const Heartbeat&) const = default;
};

/// More are neither told nor taken.
constexpr size_t MostSecretsTold = 1000;

/// What an agent answers to that.
struct HeartbeatReply
{
    Moment at{};                  ///< Of its clocks.
    std::string machine{};        ///< machineLife()
    std::uint64_t keptEvents = 0; ///< It has ended, and this is what it kept: so many events.
    bool hasGivenUp = false;      ///< It ended because its lead didn't come.
    InheritedSecrets secrets{};   ///< Of its machine's environment; at most MostSecretsTold.
};

/// What an agent is told before anything else goes over its channel.
struct AgentLaunchRequest
{
    std::string run{};
    std::string agent{}; ///< Its id in the run's events.
    std::string host{};  ///< The name that people know it by.
    std::uint64_t generation = 1;
    bool isAttaching = false; ///< The agent runs already; only the way to it was lost.
    std::string jobFile{};
    std::string torchrunLine{};
    std::string workingFolder{};
    std::string interpreter{};
    std::string address{}; ///< At which the others reach it; empty: found out there.
    std::string interface {
    }; ///< That has it; empty: any.
    std::map<std::string, std::string> environment{};
    std::chrono::milliseconds leadTimeout{60'000};
    std::chrono::milliseconds holdTimeout{5'000};
    bool operator==(const AgentLaunchRequest&) const = default;
};
RM_FIELDS(AgentLaunchRequest, run, agent, host, generation, isAttaching, jobFile, torchrunLine,
          workingFolder, interpreter, address, interface, environment, leadTimeout, holdTimeout);

/// The bytes of a v1::AgentLaunchRequest.
std::string serialize(const AgentLaunchRequest& order);
Result<AgentLaunchRequest> parseLaunchRequest(std::string_view bytes);

} // namespace ringmaster
