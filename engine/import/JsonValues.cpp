#include "engine/import/JsonValues.h"

#include <charconv>

namespace ringmaster {

using Json = nlohmann::json;

const Json* memberOf(const Json& object, const char* name)
{
    if (!object.is_object())
        return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

std::string textOf(const Json& object, const char* name, size_t longest)
{
    const Json* value = memberOf(object, name);
    if (value == nullptr || !value->is_string())
        return {};
    std::string text = value->get_ref<const std::string&>().substr(0, longest);
    // What was cut in the middle of a character would be no text any more.
    while (text.size() == longest && !text.empty() &&
           (static_cast<unsigned char>(text.back()) & 0x80U) != 0)
        text.pop_back();
    return text;
}

std::int64_t numberOf(const Json& object, const char* name, std::int64_t otherwise)
{
    const Json* value = memberOf(object, name);
    if (value == nullptr)
        return otherwise;
    if (value->is_number_unsigned()) {
        const auto number = value->get<std::uint64_t>();
        return number > INT64_MAX ? otherwise : static_cast<std::int64_t>(number);
    }
    if (value->is_number_integer())
        return value->get<std::int64_t>();
    if (!value->is_string())
        return otherwise;
    const std::string& text = value->get_ref<const std::string&>();
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : otherwise;
}

bool isTrue(const Json& object, const char* name)
{
    const Json* value = memberOf(object, name);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::vector<int> ranksIn(const Json& value)
{
    if (value.is_string()) {
        const std::string& text = value.get_ref<const std::string&>();
        const Json list = Json::parse(text, nullptr, false);
        return list.is_array() ? ranksIn(list) : std::vector<int>();
    }
    std::vector<int> ranks;
    if (!value.is_array() || value.size() > static_cast<size_t>(MostRanks))
        return ranks;
    for (const Json& rank : value) {
        if (!rank.is_number_unsigned() || rank.get<std::uint64_t>() >= std::uint64_t{MostRanks})
            return {};
        ranks.push_back(rank.get<int>());
    }
    return ranks;
}

} // namespace ringmaster
