#pragma once

#include "engine/collective/ring/Bell.h"

#include <array>
#include <cstring>
#include <functional>
#include <optional>

namespace ringmaster::ring {

/// How a rank's part in a group ended, for those who still wait for it. Lost: it may go on, but
/// nothing comes from there any more.
enum class Ending : std::uint32_t { None, Left, Died, Lost };

/// What travels with the bytes of one slot. `meaning` belongs to whoever uses the channel.
struct SlotHeader
{
    std::uint32_t bytes = 0;
    std::uint32_t kind = 0;
    std::array<std::byte, 56> meaning{};
};
static_assert(sizeof(SlotHeader) == 64);

/// The shared part of a one-way channel between two ranks, or between a rank and the thread that
/// serves its sockets. All zero is a valid, empty channel; the slots follow it in memory.
struct ChannelMemory
{
    alignas(64) std::atomic<std::uint32_t> written;
    Bell receiver; ///< Rung when `written` or `ending` changes.
    alignas(64) std::atomic<std::uint32_t> read;
    Bell sender; ///< Rung when `read` or `ending` changes.
    alignas(64) std::atomic<std::uint32_t> ending;
};

/// A bounded queue of slots with one sender and one receiver. Each side has its own Channel over
/// the same memory. A slot is filled and read where it lies, so that data can be reduced straight
/// from one channel into the next.
class Channel
{
public:
    struct Shape
    {
        std::uint32_t slotCount = 8; ///< A power of two: the counters wrap.
        std::uint32_t slotBytes = 128U << 10U;
    };

    Channel() = default;
    Channel(void* memory, Shape shape);

    static size_t memoryNeeded(Shape shape);

    /// Called after each commit and release, when the other side sleeps elsewhere than at a bell.
    void setPoke(std::function<void()> poke) { m_poke = std::move(poke); }

    bool canSend() const;
    Bytes slotToSend();                    ///< Only when canSend().
    void commit(const SlotHeader& header); ///< `header.bytes` of the slot are filled.

    /// As commit, but who waits for it is woken by wakeReceiver(), so that one waking serves
    /// several.
    void commitQuietly(const SlotHeader& header);
    void wakeReceiver();

    bool canReceive() const;
    const SlotHeader& header() const; ///< Only when canReceive().
    ConstBytes received() const;      ///< Bounded by the slot, whatever the header says.
    void release();

    Ending ending() const;
    void end(Ending ending); ///< By either side or by whoever noticed; the first one holds.

    Bell& receiverBell() { return m_memory->receiver; }
    Bell& senderBell() { return m_memory->sender; }
    size_t slotBytes() const { return m_shape.slotBytes; }
    bool isOpen() const { return m_memory != nullptr; }
    void wakeBoth();

private:
    std::byte* slot(std::uint32_t number) const;

    ChannelMemory* m_memory = nullptr;
    Shape m_shape{};
    std::function<void()> m_poke{};
};

template <class T>
SlotHeader makeHeader(std::uint32_t kind, size_t bytes, const T& meaning)
{
    static_assert(sizeof(T) <= sizeof(SlotHeader::meaning) && std::is_trivially_copyable_v<T>);
    SlotHeader header{static_cast<std::uint32_t>(bytes), kind, {}};
    std::memcpy(header.meaning.data(), &meaning, sizeof(T));
    return header;
}

template <class T>
T meaningOf(const SlotHeader& header)
{
    static_assert(sizeof(T) <= sizeof(SlotHeader::meaning) && std::is_trivially_copyable_v<T>);
    T meaning{};
    std::memcpy(static_cast<void*>(&meaning), header.meaning.data(), sizeof(T));
    return meaning;
}

} // namespace ringmaster::ring
