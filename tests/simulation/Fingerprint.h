#pragma once

#include "engine/event/Event.h"

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace ringmaster::simulation {

/// Differs where what was added does, or its order (FNV-1a).
class Fingerprint
{
public:
    std::uint64_t value() const { return m_value; }

    template <class Number>
    requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
    void add(Number number) { mix(static_cast<std::uint64_t>(number)); }
    void add(std::string_view text)
    {
        mix(text.size());
        for (const char character : text)
            mix(static_cast<unsigned char>(character));
    }
    void add(const std::string& text) { add(std::string_view(text)); }
    void add(const char* text) { add(std::string_view(text)); }
    void add(const Message& message)
    {
        add(message.code);
        add(message.parameters);
        add(message.detail);
    }
    template <HasFields Struct>
    void add(const Struct& all)
    {
        visitFields<Struct>([&](const auto& field) { add(all.*field.member); });
    }
    template <class Value>
    void add(const std::optional<Value>& value)
    {
        add(value.has_value());
        if (value)
            add(*value);
    }
    template <class Value>
    void add(const std::vector<Value>& values)
    {
        add(values.size());
        for (const Value& value : values)
            add(value);
    }
    template <class Key, class Value, class Less>
    void add(const std::map<Key, Value, Less>& values)
    {
        add(values.size());
        for (const auto& [key, value] : values) {
            add(key);
            add(value);
        }
    }
    template <class... Kinds>
    void add(const std::variant<Kinds...>& body)
    {
        add(body.index());
        std::visit([this](const auto& kind) { this->add(kind); }, body);
    }

private:
    void mix(std::uint64_t word) { m_value = (m_value ^ word) * 0x100000001b3U; }

    std::uint64_t m_value = 0xcbf29ce484222325U;
};

} // namespace ringmaster::simulation
