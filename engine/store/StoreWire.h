#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

/// The bytes of torch 2.11's TCPStore: an opcode, then its arguments; integers little-endian.
namespace ringmaster::wire {

enum class Opcode : std::uint8_t {
    Validate,
    Set,
    CompareSet,
    Get,
    Add,
    Check,
    Wait,
    KeyCount,
    DeleteKey,
    Append,
    MultiGet,
    MultiSet,
    CancelWait,
    Ping,
    QueuePush,
    QueuePop,
    QueueLength,
    ListKeys,
};
inline constexpr std::size_t OpcodeCount = 18;

inline constexpr std::uint32_t ValidateMagic = 0x3C85F7CE;

inline constexpr std::uint8_t CheckAllPresent = 0;
inline constexpr std::uint8_t CheckSomeMissing = 1;
inline constexpr std::uint8_t WaitDone = 0;
inline constexpr std::uint8_t WaitCancelled = 1;

/// What torch's libuv server refuses, and so what a request of an honest client keeps within.
inline constexpr std::size_t KeyLimit = 8192;
inline constexpr std::size_t ValueLimit = 8U << 20U;
inline constexpr std::size_t KeysPerRequestLimit = 131072;
/// Ours: within torch's limits a request of many values could be of a terabyte.
inline constexpr std::size_t RequestLimit = 64U << 20U;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "torch sends integers in host order");

/// `bytes` has at least `at + sizeof(T)` bytes.
template <class T>
T readInteger(std::string_view bytes, std::size_t at = 0)
{
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

template <class T>
void appendInteger(std::string& out, T value)
{
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

inline void appendString(std::string& out, std::string_view text)
{
    appendInteger<std::uint64_t>(out, text.size());
    out.append(text);
}

inline void appendOpcode(std::string& out, Opcode opcode)
{
    out.push_back(static_cast<char>(opcode));
}

/// An opcode and one to three strings: a key, a key and a value, a key with expected and desired.
void appendRequest(std::string& out, Opcode opcode,
                   std::initializer_list<std::string_view> strings);

/// An opcode, a count and that many keys; each gets `prefix` in front.
void appendKeysRequest(std::string& out, Opcode opcode, std::span<const std::string> keys,
                       std::string_view prefix = {});

} // namespace ringmaster::wire
