#pragma once

#include "engine/base/Result.h"
#include "engine/store/StoreWire.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ringmaster {

/// One request, as views into the bytes that it came in.
struct StoreRequest
{
    wire::Opcode opcode = wire::Opcode::Validate;
    /// Keys, or a key and its values, or key and value by turns (MultiSet).
    std::vector<std::string_view> strings{};
    std::uint32_t word = 0;  ///< Validate's magic, Ping's nonce.
    std::int64_t number = 0; ///< Add's delta.
};

/// Finds the end of a request in bytes that arrive in any number of pieces. Every length is checked
/// against its limit as soon as it is there; nothing is allocated, and no byte of a key or value is
/// looked at. What was found is kept, so that a request of many keys costs linear time.
class StoreRequestScanner
{
public:
    enum class Progress { Incomplete, Complete, Malformed };

    /// `bytes` starts with the request's first byte and holds at least what it held in the call
    /// before.
    Progress scan(std::string_view bytes);

    /// After Complete: how many bytes the request has.
    std::size_t size() const { return m_position; }
    /// After Malformed.
    Error problem() const;

    void reset() { *this = {}; }

private:
    enum class Fault : std::uint8_t {
        None,
        UnknownOpcode,
        KeyTooLong,
        ValueTooLong,
        TooManyKeys,
        RequestTooLong,
    };

    bool scanHeader(std::string_view bytes);
    bool scanStrings(std::string_view bytes);
    bool nextIsKey() const;

    std::size_t m_position = 0;
    std::uint32_t m_stringsDone = 0;
    std::uint32_t m_strings = 0;
    wire::Opcode m_opcode{};
    Fault m_fault = Fault::None;
};

/// Takes apart a request that the scanner found complete. `request` is reused from call to call.
void decodeStoreRequest(std::string_view bytes, StoreRequest& request);

} // namespace ringmaster
