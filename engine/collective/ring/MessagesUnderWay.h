#pragma once

#include "engine/collective/ring/Alarm.h"
#include "engine/collective/ring/MessageMatch.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace ringmaster::ring {

/// A send or a receive of this rank, on its way.
struct Post
{
    using Done = std::function<void(Result<int> otherRank)>;

    bool isSend = false;
    int peer = AnyRank;
    std::uint32_t tag = 0;
    ConstBytes source{};
    Bytes target{};
    Deadline begun{};
    Deadline deadline{};
    Done done{};
    size_t moved = 0;
};

/// The two channels to one rank and what travels over them.
struct Conversation
{
    int rank = -1;
    Channel outgoing{};
    Channel incoming{};
    std::map<std::uint64_t, Post> sends{};    ///< By our number.
    std::map<std::uint64_t, Post> receives{}; ///< By the sender's number.
    std::deque<Control> controls{};
    std::deque<std::uint64_t> granted{}; ///< Sends whose data goes out, oldest first.
    std::uint64_t lastSend = 0;
    bool hasEnded = false;
};

/// The sends and receives of one rank that aren't done, and why they can't be. On the thread of
/// PeerMessages.
class MessagesUnderWay
{
public:
    std::map<int, Conversation>& conversations() { return m_conversations; }
    const std::map<int, Conversation>& conversations() const { return m_conversations; }
    MessageMatch<Post>& match() { return m_match; }
    /// Why nothing more can be done.
    const std::optional<Error>& over() const { return m_over; }

    /// The other rank has ended: yields the last error, if anything failed of it.
    std::optional<Error> failEnded(Conversation& conversation, Ending ending);
    void failAll(const Error& error);
    /// With whom a deadline has passed.
    std::optional<std::pair<int, Error>> late(Deadline now) const;
    Deadline nextDeadline() const;

private:
    std::map<int, Conversation> m_conversations;
    MessageMatch<Post> m_match;
    std::optional<Error> m_over;
};

/// Why a message to or from a rank that has ended can't be.
Error endedError(Ending ending, int rank, const Post& post);

void failPost(Post& post, Error error);

} // namespace ringmaster::ring
