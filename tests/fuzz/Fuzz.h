#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace ringmaster::fuzz {

/// What must hold of every input: the fuzzer stops at one of which it doesn't.
inline void require(bool holds)
{
    if (!holds)
        std::abort();
}

inline std::string_view textOf(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

/// Takes numbers and texts from the fuzzer's bytes; zeros once they are used up.
class Input
{
public:
    Input(const std::uint8_t* data, std::size_t size) : m_rest(textOf(data, size)) {}

    bool isEmpty() const { return m_rest.empty(); }

    template <class Number>
    requires std::is_arithmetic_v<Number> Number number()
    {
        const std::string_view bytes = text(sizeof(Number));
        Number number{};
        if (!bytes.empty())
            std::memcpy(&number, bytes.data(), bytes.size());
        return number;
    }

    std::string_view text(std::size_t longest)
    {
        const std::string_view text = m_rest.substr(0, longest);
        m_rest.remove_prefix(text.size());
        return text;
    }

private:
    std::string_view m_rest;
};

} // namespace ringmaster::fuzz
