#include "engine/text/TomlReader.h"

#include "engine/text/Codes.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"
#include "engine/text/ShellWords.h"
#include "engine/text/Spelling.h"

#include <algorithm>
#include <limits>

namespace ringmaster {

namespace {

std::string typeName(const toml::node& node)
{
    switch (node.type()) {
    case toml::node_type::none: return "nothing";
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date";
    }
    return {};
}

} // namespace

Place TomlReader::placeOf(const toml::source_region& region, std::string field)
{
    return {std::move(field), static_cast<int>(region.begin.line),
            static_cast<int>(region.begin.column)};
}

void TomlReader::complain(const toml::node& node, const TomlSpot& spot, Code code,
                          Parameters parameters)
{
    parameters.emplace("key", spot.key);
    m_errors.push_back({Finding::Severity::Error,
                        {code, std::move(parameters), {}},
                        placeOf(node.source(), spot.field)});
}

void TomlReader::wrongType(const toml::node& node, const TomlSpot& spot, const char* expected)
{
    complain(node, spot, code::JobFileWrongType,
             {{"expected", expected}, {"found", typeName(node)}});
}

void TomlReader::unknownKey(const toml::key& key, const TomlSpot& spot, const TomlKeys& keys)
{
    std::vector<std::string> known;
    for (const TomlKey& candidate : keys)
        known.emplace_back(candidate.name);
    const auto nearest = nearestSpelling(key.str(), known);
    m_errors.push_back(
        {Finding::Severity::Error,
         {nearest ? code::JobFileUnknownKeyNearest : code::JobFileUnknownKey,
          {{"key", spot.key}, {"nearest", nearest.value_or("")}, {"known", join(known, ", ")}},
          {}},
         placeOf(key.source(), spot.field)});
}

void TomlReader::readTable(const toml::node& node, const TomlSpot& spot, const std::string& prefix,
                           const TomlKeys& keys)
{
    const toml::table* table = node.as_table();
    if (table == nullptr)
        return wrongType(node, spot, "a table");
    for (const auto& [key, value] : *table) {
        const std::string written = prefix + std::string(key.str());
        const auto known = std::ranges::find(keys, key.str(), &TomlKey::name);
        if (known == keys.end()) {
            unknownKey(key, {written, written}, keys);
            continue;
        }
        const std::string field =
            known->scope.empty() ? written : known->scope + std::string(known->name);
        m_places[field] = placeOf(value.source(), field);
        known->read(value, {written, field});
    }
}

void TomlReader::readTables(const toml::node& node, const TomlSpot& spot,
                            const std::function<void(const toml::node&, const TomlSpot&)>& readOne)
{
    const toml::array* tables = node.as_array();
    if (tables == nullptr)
        return wrongType(node, spot, "[[tables]]");
    int index = 0;
    for (const toml::node& table : *tables)
        readOne(table, {spot.key, spot.field + "." + std::to_string(index++)});
}

void TomlReader::readMap(const toml::node& node, const TomlSpot& spot,
                         std::map<std::string, std::string>& map)
{
    const toml::table* table = node.as_table();
    if (table == nullptr)
        return wrongType(node, spot, "a table");
    for (const auto& [key, value] : *table) {
        const std::string name(key.str());
        const TomlSpot inner{spot.key + "." + name, spot.field + "." + name};
        m_places[inner.field] = placeOf(value.source(), inner.field);
        if (const auto number = value.value_exact<std::int64_t>())
            map[name] = std::to_string(*number);
        else if (const auto text = asText(value, inner))
            map[name] = *text;
    }
}

void TomlReader::readVariables(const toml::node& node, const TomlSpot& spot,
                               std::map<std::string, std::string>& map)
{
    readMap(node, spot, map);
    if (const toml::table* table = node.as_table(); table != nullptr) {
        for (const auto& [key, value] : *table)
            if (!isVariableName(key.str()))
                complain(value, {spot.key + "." + std::string(key.str()), spot.field},
                         code::VariableNameInvalid, {{"name", std::string(key.str())}});
    }
}

std::optional<std::string> TomlReader::asText(const toml::node& node, const TomlSpot& spot)
{
    auto value = node.value_exact<std::string>();
    if (!value)
        wrongType(node, spot, "a text");
    return value;
}

std::optional<int> TomlReader::asInteger(const toml::node& node, const TomlSpot& spot)
{
    const auto value = node.value_exact<std::int64_t>();
    if (!value) {
        wrongType(node, spot, "a whole number");
        return std::nullopt;
    }
    if (*value < std::numeric_limits<int>::min() || *value > std::numeric_limits<int>::max()) {
        complain(node, spot, code::JobFileNumberTooLarge, {{"value", std::to_string(*value)}});
        return std::nullopt;
    }
    return static_cast<int>(*value);
}

void TomlReader::read(const toml::node& node, const TomlSpot& spot, bool& target)
{
    if (const auto value = node.value_exact<bool>())
        target = *value;
    else
        wrongType(node, spot, "true or false");
}

void TomlReader::read(const toml::node& node, const TomlSpot& spot, int& target)
{
    target = asInteger(node, spot).value_or(target);
}

void TomlReader::read(const toml::node& node, const TomlSpot& spot, std::string& target)
{
    target = asText(node, spot).value_or(target);
}

void TomlReader::read(const toml::node& node, const TomlSpot& spot,
                      std::chrono::milliseconds& target)
{
    const auto text = node.value_exact<std::string>();
    if (!text && !node.is_number())
        return wrongType(node, spot, "a time like \"30s\"");
    const auto time =
        text ? parseDuration(*text) : secondsToDuration(node.value<double>().value_or(0));
    if (!time)
        return complain(node, spot, code::JobFileBadDuration);
    target = *time;
}

void TomlReader::read(const toml::node& node, const TomlSpot& spot,
                      std::vector<std::string>& target)
{
    const toml::array* array = node.as_array();
    if (array == nullptr)
        return wrongType(node, spot, "an array of texts");
    target.clear();
    for (const toml::node& item : *array)
        target.push_back(asText(item, spot).value_or(""));
}

void TomlReader::read(const toml::node& node, const TomlSpot& spot, std::vector<int>& target)
{
    const toml::array* array = node.as_array();
    if (array == nullptr)
        return wrongType(node, spot, "an array of whole numbers");
    target.clear();
    for (const toml::node& item : *array)
        target.push_back(asInteger(item, spot).value_or(0));
}

} // namespace ringmaster
