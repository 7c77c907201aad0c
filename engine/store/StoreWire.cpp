#include "engine/store/StoreWire.h"

namespace ringmaster::wire {

void appendRequest(std::string& out, Opcode opcode, std::initializer_list<std::string_view> strings)
{
    appendOpcode(out, opcode);
    for (const std::string_view text : strings)
        appendString(out, text);
}

void appendKeysRequest(std::string& out, Opcode opcode, std::span<const std::string> keys,
                       std::string_view prefix)
{
    appendOpcode(out, opcode);
    appendInteger<std::uint64_t>(out, keys.size());
    for (const std::string& key : keys) {
        appendInteger<std::uint64_t>(out, prefix.size() + key.size());
        out.append(prefix).append(key);
    }
}

} // namespace ringmaster::wire
