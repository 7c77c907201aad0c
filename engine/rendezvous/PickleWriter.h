#pragma once

#include "engine/rendezvous/PickleOpcodes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace ringmaster::pickle {

/// Writes pickle protocol 4 and remembers texts and classes, so that each is written once.
class Writer
{
public:
    Writer();

    void opcode(Opcode code) { m_bytes += static_cast<char>(code); }
    void none() { opcode(Opcode::None); }
    void boolean(bool value) { opcode(value ? Opcode::NewTrue : Opcode::NewFalse); }
    void integer(std::int64_t value);
    void text(std::string_view value);
    void bytes(std::string_view value);
    void global(std::string_view module, std::string_view name);

    /// Remembers the value on top of the stack; `get` pushes it again.
    std::uint32_t memoize();
    void get(std::uint32_t slot);

    std::string finish();

private:
    void number(std::uint64_t value, int bytes);

    std::string m_bytes;
    std::map<std::string, std::uint32_t, std::less<>> m_texts;
    std::map<std::string, std::uint32_t, std::less<>> m_globals;
    std::uint32_t m_nextSlot = 0;
};

} // namespace ringmaster::pickle
