#pragma once

#include "engine/collective/ring/Collectives.h"
#include "engine/collective/ring/KeyValue.h"
#include "engine/collective/ring/Watch.h"

#include <memory>

namespace ringmaster::ring {

class GroupMember;

/// A rank's place in a group of processes that exchange data: over shared memory with those on the
/// same host, over TCP with the others. When a rank dies, leaves, is late or calls something else,
/// every rank that needs it gets an error, and the group is over.
class Group
{
public:
    struct Options
    {
        int rank = 0;
        int size = 1;
        std::chrono::milliseconds joinTime = std::chrono::minutes(5);
        std::string interface {
        };                  ///< For peers on other hosts: a name or an address.
        std::string host{}; ///< What tells hosts apart; this machine's own if empty.
        Observer* observer = nullptr;
        std::shared_ptr<Watch> watch{}; ///< Shared by the groups of a process; one's own if null.
    };

    static Result<std::unique_ptr<Group>> join(KeyValue& store, const Options& options);

    /// Leaves in order: what this rank has completed reaches the others.
    ~Group();

    int rank() const;
    int size() const;

    /// An error in a process that was forked from the one that joined: there it can do nothing.
    Result<void> checkOwner() const;

    /// Runs one collective; callers take turns. After an error that the others are affected by, the
    /// group is over and later calls fail at once.
    template <class Operation>
    Result<void> collect(const Operation& operation)
    {
        const std::unique_lock turn = takeTurn();
        Collectives& all = collectives();
        const std::uint64_t before = all.sequence();
        RM_TRY(checkUsable(before + 1));
        Result<void> result = operation(all);
        // One call may run several; those that it has completed go on elsewhere.
        if (!result && all.sequence() != before)
            giveUp(result.error(), all.sequence());
        return result;
    }

    /// The buffers stay until `done` is called, on a thread of the group, with the other rank.
    using Done = std::function<void(Result<int> otherRank)>;
    void send(int to, std::uint32_t tag, ConstBytes data, Deadline deadline, Done done);
    void receive(int from, std::uint32_t tag, Bytes data, Deadline deadline, Done done);
    void receiveFromAny(std::uint32_t tag, Bytes data, Deadline deadline, Done done);

    /// Ends the group for everybody, with a reason.
    void abort(const Error& reason);

private:
    explicit Group(std::unique_ptr<GroupMember> member);
    std::unique_lock<std::mutex> takeTurn();
    Collectives& collectives();
    Result<void> checkUsable(std::uint64_t sequence) const;
    Result<void> checkPeer(const char* operation, int peer) const;
    void giveUp(const Error& error, std::uint64_t sequence);

    std::unique_ptr<GroupMember> m_member;
};

} // namespace ringmaster::ring
