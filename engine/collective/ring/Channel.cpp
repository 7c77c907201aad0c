#include "engine/collective/ring/Channel.h"

#include <algorithm>
#include <cassert>

namespace ringmaster::ring {

Channel::Channel(void* memory, Shape shape)
    : m_memory(static_cast<ChannelMemory*>(memory)), m_shape(shape)
{
    assert((shape.slotCount & (shape.slotCount - 1)) == 0);
}

size_t Channel::memoryNeeded(Shape shape)
{
    return sizeof(ChannelMemory) + shape.slotCount * (sizeof(SlotHeader) + size_t{shape.slotBytes});
}

std::byte* Channel::slot(std::uint32_t number) const
{
    auto* slots = reinterpret_cast<std::byte*>(m_memory) + sizeof(ChannelMemory);
    return slots +
           (number & (m_shape.slotCount - 1)) * (sizeof(SlotHeader) + size_t{m_shape.slotBytes});
}

bool Channel::canSend() const
{
    const auto written = m_memory->written.load(std::memory_order_relaxed);
    return written - m_memory->read.load(std::memory_order_seq_cst) < m_shape.slotCount;
}

Bytes Channel::slotToSend()
{
    return {slot(m_memory->written.load(std::memory_order_relaxed)) + sizeof(SlotHeader),
            m_shape.slotBytes};
}

void Channel::commit(const SlotHeader& header)
{
    commitQuietly(header);
    wakeReceiver();
}

void Channel::commitQuietly(const SlotHeader& header)
{
    const auto number = m_memory->written.load(std::memory_order_relaxed);
    std::memcpy(slot(number), &header, sizeof(header));
    m_memory->written.store(number + 1, std::memory_order_seq_cst);
}

void Channel::wakeReceiver()
{
    m_memory->receiver.ring();
    if (m_poke)
        m_poke();
}

bool Channel::canReceive() const
{
    const auto read = m_memory->read.load(std::memory_order_relaxed);
    return m_memory->written.load(std::memory_order_seq_cst) != read;
}

const SlotHeader& Channel::header() const
{
    return *reinterpret_cast<const SlotHeader*>(
        slot(m_memory->read.load(std::memory_order_relaxed)));
}

ConstBytes Channel::received() const
{
    const auto bytes = std::min(header().bytes, m_shape.slotBytes);
    return {slot(m_memory->read.load(std::memory_order_relaxed)) + sizeof(SlotHeader), bytes};
}

void Channel::release()
{
    m_memory->read.store(m_memory->read.load(std::memory_order_relaxed) + 1,
                         std::memory_order_seq_cst);
    m_memory->sender.ring();
    if (m_poke)
        m_poke();
}

Ending Channel::ending() const
{
    return static_cast<Ending>(m_memory->ending.load(std::memory_order_seq_cst));
}

void Channel::end(Ending ending)
{
    std::uint32_t open = 0;
    m_memory->ending.compare_exchange_strong(open, static_cast<std::uint32_t>(ending));
    wakeBoth();
}

void Channel::wakeBoth()
{
    m_memory->receiver.ring();
    m_memory->sender.ring();
}

} // namespace ringmaster::ring
