#include "engine/collective/ring/Team.h"

#include "engine/collective/Codes.h"

#include <algorithm>
#include <cstring>

namespace ringmaster::ring {

namespace {

constexpr std::uint32_t CollectiveChunk = 1;

std::string secondsOf(Deadline::duration duration)
{
    const auto tenths =
        std::chrono::duration_cast<std::chrono::milliseconds>(duration).count() / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

Error mismatchOf(int rank, const Signature& call, int other, const Signature& otherCall)
{
    return {{code::CollectiveMismatch,
             {{"rank", std::to_string(rank)},
              {"call", describe(call)},
              {"other", std::to_string(other)},
              {"otherCall", describe(otherCall)}},
             {}},
            {}};
}

void storeCall(SharedCall& shared, const Signature& signature)
{
    std::array<std::uint64_t, std::tuple_size_v<SharedCall>> words{};
    static_assert(sizeof(words) == sizeof(signature));
    std::memcpy(words.data(), &signature, sizeof(words));
    for (size_t word = 0; word < words.size(); ++word)
        shared[word].store(words[word], std::memory_order_release);
}

Signature loadCall(const SharedCall& shared)
{
    std::array<std::uint64_t, std::tuple_size_v<SharedCall>> words{};
    for (size_t word = 0; word < words.size(); ++word)
        words[word] = shared[word].load(std::memory_order_seq_cst);
    Signature signature;
    std::memcpy(static_cast<void*>(&signature), words.data(), sizeof(signature));
    return signature;
}

} // namespace

Team::Team(Place place, const Segment& segment)
    : m_place(std::move(place))
    , m_segment(&segment)
    , m_alarm(segment)
    , m_to(static_cast<size_t>(m_place.size))
    , m_from(static_cast<size_t>(m_place.size))
{
    for (size_t other = 0; other < m_place.locals.size(); ++other) {
        const int local = static_cast<int>(other);
        const auto rank = static_cast<size_t>(m_place.locals[other]);
        m_to[rank] =
            Channel(segment.collectiveChannel(m_place.localRank, local), Segment::CollectiveShape);
        m_from[rank] =
            Channel(segment.collectiveChannel(local, m_place.localRank), Segment::CollectiveShape);
    }
}

void Team::setRemote(int rank, Channel outgoing, Channel incoming)
{
    m_to[static_cast<size_t>(rank)] = std::move(outgoing);
    m_from[static_cast<size_t>(rank)] = std::move(incoming);
}

void Team::begin(const Call& call)
{
    m_call = call;
    RankMemory& own = m_segment->rank(m_place.localRank);
    // A reader that sees 0 before or after, or two numbers, has not read one signature.
    own.sequence.store(0, std::memory_order_relaxed);
    storeCall(own.call, call.signature);
    own.sequence.store(call.signature.sequence, std::memory_order_seq_cst);
}

std::optional<Signature> Team::callOf(int local) const
{
    const RankMemory& rank = m_segment->rank(local);
    const auto sequence = rank.sequence.load(std::memory_order_seq_cst);
    const Signature signature = loadCall(rank.call);
    if (sequence == 0 || rank.sequence.load(std::memory_order_seq_cst) != sequence)
        return std::nullopt; // It is writing the next one just now.
    return signature;
}

std::optional<Error> Team::mismatch() const
{
    for (size_t local = 0; local < m_place.locals.size(); ++local) {
        const auto other = callOf(static_cast<int>(local));
        if (other && other->sequence == m_call.signature.sequence && *other != m_call.signature)
            return mismatchOf(m_place.rank, m_call.signature, m_place.locals[local], *other);
    }
    return std::nullopt;
}

/// Only when all have come. None changes what it came with before this rank comes again.
std::optional<Error> Team::mismatchAtBoard() const
{
    for (size_t local = 0; local < m_place.locals.size(); ++local) {
        const RankMemory& rank = m_segment->rank(static_cast<int>(local));
        const Signature other = loadCall(rank.barrierCalls[m_barriers & 1U]);
        if (other != m_call.signature)
            return mismatchOf(m_place.rank, m_call.signature, m_place.locals[local], other);
    }
    return std::nullopt;
}

int Team::absentRank(int otherwise) const
{
    for (size_t local = 0; local < m_place.locals.size(); ++local) {
        const RankMemory& rank = m_segment->rank(static_cast<int>(local));
        if (rank.sequence.load(std::memory_order_seq_cst) < m_call.signature.sequence)
            return m_place.locals[local];
    }
    return otherwise;
}

tl::unexpected<Error> Team::whyNot(Ending ending, int peer) const
{
    const std::string operation = shortName(m_call.signature);
    if (auto error = mismatch())
        return tl::unexpected(std::move(*error));
    if (m_alarm.isRaised(m_call.signature.sequence))
        return tl::unexpected(errorOf(m_alarm.record(), operation));
    if (ending != Ending::None)
        return tl::unexpected(endedError(ending, peer, operation));
    return fail(code::CollectiveTimedOut, {{"operation", operation},
                                           {"seconds", secondsOf(m_call.deadline - m_call.begun)},
                                           {"rank", std::to_string(absentRank(peer))}});
}

Result<void> Team::awaitChannel(Bell& bell, Channel& channel, bool toSend, int peer)
{
    const auto isReady = [&] { return toSend ? channel.canSend() : channel.canReceive(); };
    wakeReceivers();
    // Who waits compares the calls: either the other is seen here, or it waits later and sees this.
    const bool inTime = bell.wait(
        [&] {
            return isReady() || m_alarm.isRaised(m_call.signature.sequence) ||
                   channel.ending() != Ending::None || mismatch().has_value();
        },
        m_call.deadline, m_place.spins);
    const Ending ending = channel.ending();
    if (isReady())
        return {};
    return whyNot(inTime ? ending : Ending::None, peer);
}

Result<Bytes> Team::reserve(int to)
{
    Channel& channel = m_to[static_cast<size_t>(to)];
    if (!channel.canSend())
        RM_TRY(awaitChannel(channel.senderBell(), channel, true, to));
    return channel.slotToSend();
}

void Team::commit(int to, size_t bytes)
{
    Channel& channel = m_to[static_cast<size_t>(to)];
    channel.commitQuietly(makeHeader(CollectiveChunk, bytes, m_call.signature));
    if (!m_place.sharesProcessors)
        channel.wakeReceiver();
    else if (m_toWake.empty() || m_toWake.back() != to)
        m_toWake.push_back(to);
}

void Team::wakeReceivers()
{
    for (const int to : m_toWake)
        m_to[static_cast<size_t>(to)].wakeReceiver();
    m_toWake.clear();
}

Result<ConstBytes> Team::receive(int from, size_t bytes)
{
    Channel& channel = m_from[static_cast<size_t>(from)];
    if (!channel.canReceive())
        RM_TRY(awaitChannel(channel.receiverBell(), channel, false, from));
    const auto signature = meaningOf<Signature>(channel.header());
    const ConstBytes chunk = channel.received();
    if (signature != m_call.signature)
        return tl::unexpected(mismatchOf(m_place.rank, m_call.signature, from, signature));
    if (chunk.size() != bytes)
        return fail(code::MessageSizeDiffers, {{"rank", std::to_string(from)},
                                               {"sent", std::to_string(chunk.size())},
                                               {"expected", std::to_string(bytes)}});
    m_corrupted.clear();
    const bool isCorrupted = m_observer != nullptr && !chunk.empty() && m_observer->corruptsNext();
    return isCorrupted ? corrupted(chunk) : chunk;
}

/// A copy, for the channel is the sender's. The bit is one that a reader sees: of the exponent of a
/// float, in the first element.
ConstBytes Team::corrupted(ConstBytes chunk)
{
    m_corrupted.assign(chunk.begin(), chunk.end());
    const DataType type = m_call.signature.type;
    const size_t element = type == DataType::Bytes ? sizeof(float) : sizeOf(type);
    m_corrupted[std::min(element, chunk.size()) - 1] ^= std::byte{1};
    return m_corrupted;
}

void Team::release(int from)
{
    m_from[static_cast<size_t>(from)].release();
}

Result<void> Team::barrier()
{
    SegmentHeader& header = m_segment->header();
    RankMemory& own = m_segment->rank(m_place.localRank);
    const auto everybody = static_cast<std::uint32_t>(++m_barriers * m_place.locals.size());
    storeCall(own.barrierCalls[m_barriers & 1U], m_call.signature);
    const bool isLast = header.arrived.fetch_add(1, std::memory_order_seq_cst) + 1 == everybody;
    own.barriers.store(m_barriers, std::memory_order_seq_cst);
    if (isLast)
        header.board.ring();
    const auto isComplete = [&] {
        const auto missing = everybody - header.arrived.load(std::memory_order_seq_cst);
        return static_cast<std::int32_t>(missing) <= 0;
    };
    int ended = -1;
    (void)header.board.wait(
        [&] {
            return isComplete() || m_alarm.isRaised(m_call.signature.sequence) ||
                   (ended = endedBeforeBarrier()) >= 0 || mismatch().has_value();
        },
        m_call.deadline, m_place.spins);
    if (isComplete()) {
        // Who has come may have come in another call, of another number even.
        if (auto error = mismatchAtBoard())
            return tl::unexpected(std::move(*error));
        return {};
    }
    const auto ending = ended < 0 ? Ending::None : endingOf(ended);
    return whyNot(ending, ended < 0 ? m_place.rank : m_place.locals[static_cast<size_t>(ended)]);
}

Ending Team::endingOf(int local) const
{
    return static_cast<Ending>(m_segment->rank(local).ending.load(std::memory_order_seq_cst));
}

int Team::endedBeforeBarrier() const
{
    for (int local = 0; local < static_cast<int>(m_place.locals.size()); ++local) {
        const auto behind =
            m_barriers - m_segment->rank(local).barriers.load(std::memory_order_seq_cst);
        if (endingOf(local) != Ending::None && static_cast<std::int32_t>(behind) > 0)
            return local;
    }
    return -1;
}

Bytes Team::ownBoard()
{
    return m_segment->board(m_place.localRank, m_side);
}

ConstBytes Team::board(int rank) const
{
    return m_segment->board(localOf(rank), m_side);
}

int Team::localOf(int rank) const
{
    const auto found = std::ranges::find(m_place.locals, rank);
    return static_cast<int>(found - m_place.locals.begin());
}

std::vector<std::byte> Team::valuesBefore(ConstBytes values) const
{
    if (m_observer == nullptr || m_call.signature.bytes > ChunkStep::LargestShown)
        return {};
    return {values.begin(), values.end()};
}

void Team::report(int step, size_t chunk, int from, const Change& change) const
{
    if (m_observer == nullptr)
        return;
    const bool isShown = m_call.signature.bytes <= ChunkStep::LargestShown;
    const auto shown = [&](ConstBytes values) { return isShown ? values : ConstBytes{}; };
    m_observer->arrived({m_call.signature.operation, m_call.algorithm, m_call.signature.type,
                         m_call.signature.sequence, step, chunk, from, m_place.rank, change.bytes,
                         shown(change.before), shown(change.arrived), shown(change.after),
                         !m_corrupted.empty()});
}

} // namespace ringmaster::ring
