#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What a server answers: the protocol's replies don't say what they are, so the asker does.
struct StoreReply
{
    std::int64_t number = 0;          ///< A byte, a word or an integer.
    std::vector<std::string> texts{}; ///< A value, values, or keys.
};

/// Reads one reply out of bytes that arrive in any number of pieces; a server's lengths are not
/// believed beyond the limits.
class StoreReplyReader
{
public:
    enum class Kind : std::uint8_t { Byte, Word, Integer, Text, Texts, CountedTexts };

    static constexpr std::size_t TextLimit = 64U << 20U;
    static constexpr std::size_t ReplyLimit = 256U << 20U;

    /// `texts`: how many, for Kind::Texts.
    explicit StoreReplyReader(Kind kind, std::size_t texts = 1) : m_kind(kind), m_texts(texts) {}

    /// True when the reply is complete. `bytes` starts with the reply's first byte and holds at
    /// least what it held in the call before.
    Result<bool> read(std::string_view bytes);

    /// After true.
    std::size_t size() const { return m_position; }
    StoreReply take() { return std::move(m_reply); }

private:
    Result<bool> readTexts(std::string_view bytes);

    Kind m_kind;
    std::size_t m_texts;
    std::size_t m_position = 0;
    StoreReply m_reply;
};

} // namespace ringmaster
