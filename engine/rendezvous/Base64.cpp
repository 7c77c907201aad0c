#include "engine/rendezvous/Base64.h"

#include <array>
#include <cstdint>

namespace ringmaster {

namespace {

constexpr std::string_view Alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> reversed()
{
    std::array<std::int8_t, 256> table{};
    table.fill(-1);
    for (size_t i = 0; i < Alphabet.size(); ++i)
        table[static_cast<unsigned char>(Alphabet[i])] = static_cast<std::int8_t>(i);
    return table;
}

constexpr auto Values = reversed();

} // namespace

std::string encodeBase64(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t at = 0; at < bytes.size(); at += 3) {
        const size_t count = std::min<size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (size_t i = 0; i < 3; ++i)
            group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (size_t i = 0; i < 4; ++i)
            text += i <= count ? Alphabet[group >> (18 - 6 * i) & 63U] : '=';
    }
    return text;
}

std::optional<std::string> decodeBase64(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (size_t at = 0; at < text.size(); at += 4) {
        const std::string_view quad = text.substr(at, 4);
        const bool last = at + 4 == text.size();
        size_t padding = 0;
        if (last && quad[3] == '=')
            padding = quad[2] == '=' ? 2 : 1;
        std::uint32_t group = 0;
        for (size_t i = 0; i < 4; ++i) {
            const int value = i < 4 - padding ? Values[static_cast<unsigned char>(quad[i])] : 0;
            if (value < 0)
                return std::nullopt;
            group = group << 6U | static_cast<std::uint32_t>(value);
        }
        for (size_t i = 0; i < 3 - padding; ++i)
            bytes += static_cast<char>(group >> (16 - 8 * i) & 255U);
    }
    return bytes;
}

} // namespace ringmaster
