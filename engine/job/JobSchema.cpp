#include "engine/job/JobSchema.h"

#include "engine/job/JobOptions.h"
#include "engine/job/StreamSelection.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"

#include <nlohmann/json.hpp>

namespace ringmaster {

namespace {

using Json = nlohmann::ordered_json;

/// What a value may be, by the type of its field.
class SchemaTypes
{
public:
    explicit SchemaTypes(const JobOption& option) : m_option(option) {}

    Json of(bool) const { return {{"type", "boolean"}}; }
    Json of(int) const
    {
        Json type{{"type", "integer"}};
        if (m_option.least != JobOption().least)
            type["minimum"] = m_option.least;
        if (m_option.most != JobOption().most)
            type["maximum"] = m_option.most;
        return type;
    }
    Json of(std::optional<int>) const { return of(0); }

    Json of(std::chrono::milliseconds) const
    {
        const char* units = R"(^\s*-?([0-9]*\.?[0-9]+(ms|s|m|h|d))+\s*$|^\s*-?[0-9]*\.?[0-9]+\s*$)";
        return oneOf({{{"type", "string"}, {"pattern", units}}, {{"type", "number"}}});
    }
    Json of(const std::string&) const
    {
        const std::vector<std::string> choices = split(m_option.row.choices, ',');
        return m_option.row.choices.empty() ? text() : Json{{"enum", choices}};
    }
    Json of(const std::vector<std::string>&) const { return arrayOf(text()); }
    Json of(const std::vector<int>&) const { return arrayOf(of(0)); }
    Json of(const StringMap&) const
    {
        return {{"type", "object"}, {"additionalProperties", {{"type", {"string", "integer"}}}}};
    }
    Json of(const StreamSelection&) const
    {
        const Json stream{{"enum", StreamNames}};
        return oneOf({stream,
                      {{"type", "object"},
                       {"properties", {{"others", stream}}},
                       {"patternProperties", {{"^[0-9]+$", stream}}},
                       {"additionalProperties", false}}});
    }
    Json of(NodeRange) const
    {
        return oneOf(
            {of(0), {{"type", "string"}, {"pattern", "^\\s*-?[0-9]+\\s*(:\\s*-?[0-9]+\\s*)?$"}}});
    }
    Json of(WorkerCount) const { return oneOf({of(0), text()}); }
    template <NamedChoice T>
    Json of(T) const
    {
        return {{"enum", namesOf(T{})}};
    }

    static Json text() { return {{"type", "string"}}; }
    static Json oneOf(Json::array_t types) { return {{"anyOf", std::move(types)}}; }
    static Json arrayOf(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

private:
    const JobOption& m_option;
};

/// Null where nothing is said by default.
template <class T>
Json defaultOf(const T& value)
{
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int>)
        return value;
    else if constexpr (NamedChoice<T>)
        return textOf(value);
    else if constexpr (std::is_same_v<T, std::chrono::milliseconds>)
        return durationText(value);
    else if constexpr (std::is_same_v<T, std::string>)
        return value.empty() ? Json() : Json(value);
    else
        return {};
}

Json propertyOf(const JobOption& option)
{
    JobSpec usual;
    Role role;
    Json property;
    visitField(option, usual, role, [&](const auto& value) {
        property = SchemaTypes(option).of(value);
        property["description"] = option.row.help;
        if (Json usually = defaultOf(value); !usually.is_null())
            property["default"] = std::move(usually);
    });
    return property;
}

Json tableOf(Json properties)
{
    return {
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json roleProperties()
{
    Json properties = Json::object();
    for (const std::string_view kind : namesOf(ProgramKind{}))
        properties[std::string(kind)] = SchemaTypes::text();
    for (const JobOption& option : jobOptions())
        if (option.field.isOfRole && option.key != "role")
            properties[std::string(option.key)] = propertyOf(option);
    return properties;
}

} // namespace

std::string jobSchema()
{
    const JobOption& role = *findJobOption("role");
    // A job of one role has its keys beside its own, one of several has a table for each.
    Json several = roleProperties();
    several["name"] = propertyOf(role);
    Json properties = roleProperties();
    properties["role"] =
        SchemaTypes::oneOf({propertyOf(role), SchemaTypes::arrayOf(tableOf(std::move(several)))});
    for (const JobOption& option : jobOptions()) {
        const std::string section(option.section());
        if (option.key.empty() || option.field.isOfRole)
            continue;
        if (section.empty()) {
            properties[std::string(option.key)] = propertyOf(option);
        } else {
            if (!properties.contains(section))
                properties[section] = tableOf(Json::object());
            properties[section]["properties"][std::string(option.name())] = propertyOf(option);
        }
    }
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "A job of Ringmaster (.ringjob)"}};
    schema.update(tableOf(std::move(properties)));
    return schema.dump(2) + "\n";
}

} // namespace ringmaster
