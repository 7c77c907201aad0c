#pragma once

#include "engine/event/LessonEvents.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ringmaster::lesson {

/// Where something was said: which step of the recording, and which line of the program.
struct Place
{
    size_t step = 0;
    std::string file{};
    int line = 0;
    bool operator==(const Place&) const = default;
};

/// A send and the receive that takes it. Which send a receive from any rank takes is known when it
/// returns.
struct PeerMessage
{
    enum class Phase {
        Offered,  ///< Sent, and nobody receives.
        Awaited,  ///< Received, and nobody sends.
        InFlight, ///< Both sides are there.
        Delivered ///< The receiver has it.
    };
    Phase phase = Phase::Offered;
    int from = -1; ///< -1: from any rank.
    int to = -1;
    int tag = 0;
    std::string group{};
    LessonValue data{};         ///< What is sent, with its elements, once it is sent.
    LessonValue room{};         ///< Where it is received.
    std::uint64_t sendCall = 0; ///< 0: not sent yet.
    std::uint64_t receiveCall = 0;
    Place sentAt{};
    Place receivedAt{};   ///< Where the receive was asked for.
    size_t arrivedAt = 0; ///< Step of its delivery.
    bool operator==(const PeerMessage&) const = default;
};

/// One collective of a group: what each member that came says of it.
struct Collective
{
    struct Part
    {
        LessonCall call{};
        Place at{};
        bool isBack = false; ///< Returned; of an asynchronous one: waited for.
        bool operator==(const Part&) const = default;
    };
    std::string group{};
    std::uint64_t number = 0; ///< In its group, from 1.
    std::vector<int> members{};
    std::map<int, Part> parts{}; ///< By rank.

    std::vector<int> missing() const;
    /// What the members that came don't agree about: "operation", "type", "size", "reduction",
    /// "root", of new_group "members"; empty: nothing.
    std::string disagreement() const;
    bool isOver() const;
    bool operator==(const Collective&) const = default;
};

/// A rank's call of a group that it isn't in: torch warns, and does nothing.
struct OutsiderCall
{
    int rank = -1;
    LessonCall call{};
    Place at{};
    bool operator==(const OutsiderCall&) const = default;
};

/// One rank that can't go on before others have done something.
struct Wait
{
    int rank = -1;
    LessonCall call{};
    Place at{};
    std::vector<int> on{}; ///< Whom it waits for; empty: the members disagree.
    bool isAny = false;    ///< One of them is enough.
    bool operator==(const Wait&) const = default;
};

/// Ranks that can never go on: each waits for one of them, or for one that has ended.
struct Deadlock
{
    std::vector<Wait> waits{};
    std::vector<int> cycle{}; ///< In the order of waiting; empty: they wait for ranks that ended.
    bool operator==(const Deadlock&) const = default;
};

} // namespace ringmaster::lesson
