#pragma once

#include "engine/base/Result.h"
#include "engine/collective/ring/Alarm.h"
#include "engine/collective/ring/Call.h"
#include "engine/collective/ring/Observer.h"

#include <vector>

namespace ringmaster::ring {

/// What an algorithm sees of its group: a rank, a channel to and from every other, and a board if
/// all are on one host. Used by one thread at a time. Every wait ends: with data, at the deadline,
/// or when a rank that is waited for has ended.
class Team
{
public:
    struct Place
    {
        int rank = 0;
        int size = 1;
        int localRank = 0;
        std::vector<int> locals{}; ///< The group's ranks on this host, in order.
        int spins = 0;
        bool sharesProcessors = false; ///< More ranks than processors: waking one stops another.
    };

    /// What a chunk has done to a part of a buffer.
    struct Change
    {
        size_t bytes = 0;
        ConstBytes before{};
        ConstBytes arrived{};
        ConstBytes after{};
    };

    Team(Place place, const Segment& segment);

    /// Channels from and to a rank that isn't on this host.
    void setRemote(int rank, Channel outgoing, Channel incoming);
    void setObserver(Observer* observer) { m_observer = observer; }

    int rank() const { return m_place.rank; }
    int size() const { return m_place.size; }
    bool hasBoard() const { return m_place.locals.size() == static_cast<size_t>(m_place.size); }
    const Call& call() const { return m_call; }
    size_t chunkBytes() const { return Segment::CollectiveShape.slotBytes; }

    void begin(const Call& call);

    /// Room for a chunk to a rank, filled in place and sent by commit().
    Result<Bytes> reserve(int to);
    void commit(int to, size_t bytes);

    /// The next chunk from a rank, which must have so many bytes; valid until release().
    Result<ConstBytes> receive(int from, size_t bytes);
    void release(int from);

    /// Wakes whom commit() has left asleep; every wait and every end of an operation does.
    void wakeReceivers();

    /// The board: each rank fills its own side, all meet, then each reads any side. Two sides in
    /// turn, so that one barrier a round is enough.
    Bytes ownBoard();
    ConstBytes board(int rank) const;
    Result<void> barrier();
    void turnBoard() { m_side ^= 1U; }

    bool isObserved() const { return m_observer != nullptr; }
    /// A copy of what is about to change, if an observer wants to see it.
    std::vector<std::byte> valuesBefore(ConstBytes values) const;
    /// What has come; told before anything that was made of it is sent.
    void report(int step, size_t chunk, int from, const Change& change) const;

private:
    Result<void> awaitChannel(Bell& bell, Channel& channel, bool toSend, int peer);
    tl::unexpected<Error> whyNot(Ending ending, int peer) const;
    std::optional<Error> mismatch() const;
    std::optional<Error> mismatchAtBoard() const;
    std::optional<Signature> callOf(int local) const;
    int absentRank(int otherwise) const;
    Ending endingOf(int local) const;
    int endedBeforeBarrier() const;
    int localOf(int rank) const;
    ConstBytes corrupted(ConstBytes chunk);

    Place m_place;
    const Segment* m_segment;
    Alarm m_alarm;
    std::vector<Channel> m_to;
    std::vector<Channel> m_from;
    Observer* m_observer = nullptr;
    std::vector<std::byte> m_corrupted; ///< What came last, where the observer has changed it.
    Call m_call{};
    std::uint32_t m_barriers = 0;
    unsigned m_side = 0;
    std::vector<int> m_toWake{};
};

} // namespace ringmaster::ring
