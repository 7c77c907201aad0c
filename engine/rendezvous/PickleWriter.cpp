#include "engine/rendezvous/PickleWriter.h"

#include <limits>

namespace ringmaster::pickle {

Writer::Writer()
{
    opcode(Opcode::Protocol);
    number(4, 1);
}

void Writer::number(std::uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        m_bytes += static_cast<char>(value >> (8 * i) & 255U);
}

void Writer::integer(std::int64_t value)
{
    if (value >= 0 && value <= 0xFF) {
        opcode(Opcode::BinInt1);
        number(static_cast<std::uint64_t>(value), 1);
    } else if (value >= 0 && value <= 0xFFFF) {
        opcode(Opcode::BinInt2);
        number(static_cast<std::uint64_t>(value), 2);
    } else if (value >= std::numeric_limits<std::int32_t>::min() &&
               value <= std::numeric_limits<std::int32_t>::max()) {
        opcode(Opcode::BinInt);
        number(static_cast<std::uint64_t>(value), 4);
    } else {
        opcode(Opcode::Long1);
        number(8, 1);
        number(static_cast<std::uint64_t>(value), 8);
    }
}

void Writer::text(std::string_view value)
{
    if (const auto known = m_texts.find(value); known != m_texts.end())
        return get(known->second);
    if (value.size() <= 0xFF) {
        opcode(Opcode::ShortBinUnicode);
        number(value.size(), 1);
    } else {
        opcode(Opcode::BinUnicode);
        number(value.size(), 4);
    }
    m_bytes += value;
    m_texts.emplace(value, memoize());
}

void Writer::bytes(std::string_view value)
{
    opcode(Opcode::ShortBinBytes);
    number(value.size(), 1);
    m_bytes += value;
}

void Writer::global(std::string_view module, std::string_view name)
{
    const std::string key = std::string(module) + "\n" + std::string(name);
    if (const auto known = m_globals.find(key); known != m_globals.end())
        return get(known->second);
    text(module);
    text(name);
    opcode(Opcode::StackGlobal);
    m_globals.emplace(key, memoize());
}

std::uint32_t Writer::memoize()
{
    opcode(Opcode::Memoize);
    return m_nextSlot++;
}

void Writer::get(std::uint32_t slot)
{
    const bool isShort = slot <= 0xFF;
    opcode(isShort ? Opcode::BinGet : Opcode::LongBinGet);
    number(slot, isShort ? 1 : 4);
}

std::string Writer::finish()
{
    opcode(Opcode::Stop);
    return std::move(m_bytes);
}

} // namespace ringmaster::pickle
