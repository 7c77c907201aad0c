#pragma once

#include "engine/event/LessonEvents.h"

#include <cstddef>
#include <map>
#include <optional>
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
    /// "root"; empty: nothing.
    std::string disagreement() const;
    bool isOver() const;
    bool operator==(const Collective&) const = default;
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

/// What the ranks' calls amount to: which message meets which receive, who is where in which
/// collective, who waits for whom. Pure; knows no time.
class Calls
{
public:
    /// `ranks` of the job: the members of what is said before there is a group.
    explicit Calls(int ranks = 0) : m_ranks(ranks) {}

    void apply(const LessonStep& step, size_t index);
    void ended(int rank) { m_ended[rank] = true; }

    /// Those under way, and the latest that are over; oldest first.
    const std::vector<PeerMessage>& messages() const { return m_messages; }
    const std::vector<Collective>& collectives() const { return m_collectives; }
    /// Collectives about which their members didn't agree, as that came out.
    const std::vector<Collective>& disagreements() const { return m_disagreements; }
    /// The call that a rank is in.
    const LessonCall* callOf(int rank) const;
    /// Requests that the rank hasn't waited for.
    std::vector<LessonCall> requestsOf(int rank) const;
    /// Bytes that it has sent with send and isend.
    std::uint64_t bytesSentBy(int rank) const;

    std::vector<Wait> waits() const;
    bool isBlocked(int rank) const { return waitOf(rank).has_value(); }
    std::optional<Deadlock> deadlock() const;

private:
    struct Open
    {
        LessonCall call{};
        Place at{};
    };
    struct Rank
    {
        std::optional<Open> in{};
        std::map<std::uint64_t, Open> requests{};
        std::map<std::string, std::uint64_t> collectives{}; ///< Entered so far, by group.
        std::uint64_t bytesSent = 0;
    };

    void entered(const LessonStep& step, const Place& at);
    void returned(const LessonStep& step, const Place& at);
    void finishPart(int rank, std::uint64_t call, int peer, const Place& at);
    void send(int rank, const LessonCall& call, const Place& at);
    void receive(int rank, const LessonCall& call, const Place& at);
    void arrived(int rank, std::uint64_t call, int from, const Place& at);
    void joinCollective(int rank, const LessonCall& call, const Place& at);
    void forgetOld();
    std::optional<Wait> waitOf(int rank) const;
    const PeerMessage* messageOf(int rank, std::uint64_t call) const;
    const Collective* collectiveOf(int rank, std::uint64_t call) const;
    bool hasSenderFor(const PeerMessage& receive) const;

    int m_ranks = 0;
    std::map<int, Rank> m_byRank;
    std::map<int, bool> m_ended;
    std::vector<PeerMessage> m_messages;
    std::vector<Collective> m_collectives;
    std::vector<Collective> m_disagreements;
};

/// send, recv, isend, irecv and their like.
bool isSend(const std::string& operation);
bool isReceive(const std::string& operation);
/// Meets every member of its group.
bool isCollective(const std::string& operation);

} // namespace ringmaster::lesson
