#pragma once

#include "engine/event/Event.h"
#include "engine/lead/JobMember.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// How a job on several hosts ends.
struct JobOutcome
{
    RunState state = RunState::Failed;
    Message reason{};

    /// As an agent's last word has it. It succeeds only when a lead tells it that all have: maybe a
    /// former one, that had heard more.
    static JobOutcome saidBy(const RunStateChanged& agentsEnd);
    /// Somebody wanted it to end.
    static bool isAsked(const Message& reason);
};

/// Where the coordinator of another lead had come to.
struct JobStanding
{
    struct Member
    {
        std::string agent{};
        std::string name{};
        JobMember::State state = JobMember::State::Expected; ///< Never Gone, never Offering.
        std::optional<RendezvousReport> offer{};
        std::optional<std::uint64_t> round{}; ///< That it was in last.
        bool hasFinished = false;             ///< In that.
        bool isRunning = false;
    };

    int attempt = -1;
    int restartsUsed = 0;
    bool isCharged = false;   ///< The attempt, if there was any.
    std::uint64_t round = 0;  ///< The last that is known to have begun.
    std::uint64_t latest = 0; ///< That anybody has spoken of.
    bool stands = false;      ///< It goes on; else whoever isn't Ended or Expected leaves it.
    Message why{};
    std::optional<JobOutcome> outcome{};       ///< It was about to end so.
    std::map<std::string, int> hostFailures{}; ///< That its rule has counted, by host.
    std::vector<Member> members{};

    /// The highest number that a round may have which an agent was told to begin, and the former
    /// lead didn't keep.
    std::uint64_t lastPossibleRound() const;
    /// As another coordinator has it, that can't reach it yet.
    JobMember memberOf(const Member& known) const;
    /// It takes part in the round that stands.
    bool isPart(const Member& known) const;
};

} // namespace ringmaster
