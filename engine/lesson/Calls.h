#pragma once

#include "engine/lesson/CallWaits.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster::lesson {

/// What the ranks' calls amount to: which message meets which receive, who is where in which
/// collective, who waits for whom. Pure; knows no time.
class Calls
{
public:
    /// `ranks` of the job: the members of what is said before there is a group. `before`: how many
    /// collectives each group has had before the first one that is told of.
    explicit Calls(int ranks = 0, std::map<std::string, std::uint64_t> before = {})
        : m_ranks(ranks), m_before(std::move(before))
    {
    }

    void apply(const LessonStep& step, size_t index);
    void ended(int rank) { m_ended[rank] = true; }

    /// Those under way, and the latest that are over; oldest first.
    const std::vector<PeerMessage>& messages() const { return m_messages; }
    const std::vector<Collective>& collectives() const { return m_collectives; }
    /// Collectives about which their members didn't agree, as that came out.
    const std::vector<Collective>& disagreements() const { return m_disagreements; }
    const std::vector<OutsiderCall>& outsiders() const { return m_outsiders; }
    /// Messages of which the receiver has another size than the sender.
    const std::vector<PeerMessage>& otherSizes() const { return m_otherSizes; }
    /// Groups that were made without ranks that have ended meanwhile.
    std::vector<Collective> skippedGroups() const;
    /// The rank has begun to leave its process groups.
    bool hasLeft(int rank) const;
    /// The call that a rank is in.
    const LessonCall* callOf(int rank) const;
    /// Requests that the rank hasn't waited for.
    std::vector<LessonCall> requestsOf(int rank) const;
    /// Bytes that it has sent with send and isend.
    std::uint64_t bytesSentBy(int rank) const;

    std::vector<Wait> waits() const { return conclusions().waits(); }
    bool isBlocked(int rank) const { return conclusions().waitOf(rank).has_value(); }
    std::optional<Deadlock> deadlock() const { return conclusions().deadlock(); }

private:
    using Open = CallWaits::Open;
    struct Rank
    {
        std::optional<Open> in{};
        std::map<std::uint64_t, Open> requests{};
        std::map<std::string, std::uint64_t> collectives{}; ///< Entered so far, by group.
        std::uint64_t bytesSent = 0;
        bool hasLeft = false;
    };

    void entered(const LessonStep& step, const Place& at);
    void returned(const LessonStep& step, const Place& at);
    void finishPart(int rank, std::uint64_t call, const LessonCall& returned, const Place& at);
    void send(int rank, const LessonCall& call, const Place& at);
    void receive(int rank, const LessonCall& call, const Place& at);
    void arrived(int rank, std::uint64_t call, int from, const Place& at);
    void compareSizes(const PeerMessage& message);
    void joinCollective(int rank, const LessonCall& call, const Place& at);
    void forgetOld();
    CallWaits conclusions() const;

    int m_ranks = 0;
    std::map<std::string, std::uint64_t> m_before;
    std::map<int, Rank> m_byRank;
    std::map<int, bool> m_ended;
    std::vector<PeerMessage> m_messages;
    std::vector<Collective> m_collectives;
    std::vector<Collective> m_disagreements;
    std::vector<OutsiderCall> m_outsiders;
    std::vector<PeerMessage> m_otherSizes;
};

/// send, recv, isend, irecv and their like.
bool isSend(const std::string& operation);
bool isReceive(const std::string& operation);
/// Meets every member of its group.
bool isCollective(const std::string& operation);

} // namespace ringmaster::lesson
