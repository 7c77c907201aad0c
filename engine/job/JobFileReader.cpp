#include "engine/job/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/JobOptions.h"
#include "engine/job/StreamSelection.h"
#include "engine/job/WorkerCounts.h"
#include "engine/text/PythonText.h"
#include "engine/text/TomlReader.h"

#include <algorithm>
#include <functional>

namespace ringmaster {

namespace {

constexpr std::string_view RoleKey = "role"; // A role's name, or the tables of several.

/// Reads the tables of a `.ringjob` file: each key by the type of its field.
class JobReader
{
public:
    JobFileResult read(const toml::table& root);

private:
    using Spot = TomlSpot;

    /// Those of the job itself, of a table ("restart"), and of a role.
    TomlKeys jobKeys();
    TomlKeys sectionKeys(std::string_view section);
    TomlKeys roleKeys(Role& role, const std::string& scope);
    TomlKey keyOf(const JobOption& option, Role& role);

    void take(const toml::node& node, const Spot& spot, std::optional<int>& field)
    {
        field = m_toml.asInteger(node, spot);
    }
    void take(const toml::node& node, const Spot& spot, StringMap& field);
    void take(const toml::node& node, const Spot& spot, StreamSelection& field);
    void take(const toml::node& node, const Spot& spot, NodeRange& field);
    void take(const toml::node& node, const Spot& spot, WorkerCount& field);
    template <NamedChoice T>
    void take(const toml::node& node, const Spot& spot, T& field);
    template <class T>
    void take(const toml::node& node, const Spot& spot, T& field)
    {
        m_toml.read(node, spot, field);
    }

    template <class Names>
    void refuseChoice(const toml::node& node, const Spot& spot, const std::string& value,
                      const Names& names);
    void readRoles(const toml::node& node, const Spot& spot);
    void readProgram(const toml::node& node, const Spot& spot, ProgramKind kind, Role& role);
    std::optional<std::uint8_t> streamMask(const toml::node& node, const Spot& spot);

    JobSpec m_spec;
    TomlReader m_toml;
};

void JobReader::readProgram(const toml::node& node, const Spot& spot, ProgramKind kind, Role& role)
{
    const auto program = m_toml.asText(node, spot);
    const std::string scope = spot.field.substr(0, spot.field.rfind('.') + 1);
    for (const std::string_view name : namesOf(kind)) {
        const std::string other(name);
        if (scope + other != spot.field && m_toml.has(scope + other))
            return m_toml.complain(node, spot, code::JobFileTwoPrograms, {{"other", other}});
    }
    role.kind = kind;
    role.program = program.value_or("");
}

void JobReader::take(const toml::node& node, const Spot& spot, StringMap& field)
{
    if (spot.key.ends_with("environment"))
        m_toml.readVariables(node, spot, field);
    else
        m_toml.readMap(node, spot, field);
}

void JobReader::take(const toml::node& node, const Spot& spot, WorkerCount& field)
{
    const auto text = node.value_exact<std::string>();
    if (node.is_integer())
        field = {WorkerCount::Kind::Number, m_toml.asInteger(node, spot).value_or(1)};
    else if (!text)
        m_toml.wrongType(node, spot, "a number, \"auto\", \"gpu\" or \"cpu\"");
    else if (const auto parsed = parseWorkerCount(*text))
        field = *parsed;
    else
        m_toml.complain(node, spot, code::JobFileBadWorkers, {{"value", *text}});
}

void JobReader::take(const toml::node& node, const Spot& spot, NodeRange& field)
{
    if (node.is_integer()) {
        field.min = field.max = m_toml.asInteger(node, spot).value_or(1);
        return;
    }
    const auto given = node.value_exact<std::string>();
    if (!given)
        return m_toml.wrongType(node, spot, "a number or \"MIN:MAX\"");
    const std::vector<std::string> parts = split(*given, ':');
    const auto min = pythonInt(parts.front());
    const auto max = pythonInt(parts.back());
    if (parts.size() > 2 || !min || !max)
        return m_toml.complain(node, spot, code::JobFileBadNodes, {{"value", *given}});
    field = {*min, *max};
}

template <class Names>
void JobReader::refuseChoice(const toml::node& node, const Spot& spot, const std::string& value,
                             const Names& names)
{
    m_toml.complain(
        node, spot, code::JobFileBadChoice,
        {{"value", value},
         {"choices", join(std::vector<std::string>(names.begin(), names.end()), ", ")}});
}

template <NamedChoice T>
void JobReader::take(const toml::node& node, const Spot& spot, T& field)
{
    const auto text = m_toml.asText(node, spot);
    if (const auto choice = choiceOf<T>(text.value_or("")))
        field = *choice;
    else if (text)
        refuseChoice(node, spot, *text, namesOf(T{}));
}

std::optional<std::uint8_t> JobReader::streamMask(const toml::node& node, const Spot& spot)
{
    const auto text = m_toml.asText(node, spot);
    if (!text)
        return std::nullopt;
    const auto found = std::ranges::find(StreamNames, *text);
    if (found != StreamNames.end())
        return static_cast<std::uint8_t>(found - StreamNames.begin());
    refuseChoice(node, spot, *text, StreamNames);
    return std::nullopt;
}

void JobReader::take(const toml::node& node, const Spot& spot, StreamSelection& field)
{
    const toml::table* table = node.as_table();
    if (table == nullptr && !node.is_string())
        return m_toml.wrongType(node, spot, "\"stdout\", \"stderr\", \"both\" or a table");
    if (table == nullptr) {
        field.all = streamMask(node, spot).value_or(0);
        return;
    }
    for (const auto& [key, value] : *table) {
        const Spot inner{spot.key + "." + std::string(key.str()), spot.field};
        const auto rank = pythonInt(key.str());
        if (key.str() != "others" && (!rank || *rank < 0)) {
            m_toml.complain(value, inner, code::JobFileBadLocalRank);
            continue;
        }
        const std::uint8_t mask = streamMask(value, inner).value_or(0);
        if (rank)
            field.byLocalRank[*rank] = mask;
        else
            field.all = mask;
    }
}

TomlKey JobReader::keyOf(const JobOption& option, Role& role)
{
    const auto read = [this, &option, &role](const toml::node& node, const Spot& spot) {
        visitField(option, m_spec, role, [&](auto& field) { take(node, spot, field); });
    };
    return {option.name(), read, {}};
}

TomlKeys JobReader::roleKeys(Role& role, const std::string& scope)
{
    TomlKeys keys;
    for (const ProgramKind kind :
         {ProgramKind::Script, ProgramKind::Module, ProgramKind::Command, ProgramKind::RunPath})
        keys.push_back({textOf(kind),
                        [this, &role, kind](const toml::node& node, const Spot& spot) {
                            readProgram(node, spot, kind, role);
                        },
                        {}});
    for (const JobOption& option : jobOptions())
        if (option.field.isOfRole && option.key != RoleKey)
            keys.push_back(keyOf(option, role));
    for (TomlKey& key : keys)
        key.scope = scope;
    return keys;
}

void JobReader::readRoles(const toml::node& node, const Spot& spot)
{
    Role& first = m_spec.roles.front();
    if (node.is_string()) {
        first.name = *node.value_exact<std::string>();
        return;
    }
    const toml::array* array = node.as_array();
    if (array == nullptr || array->empty())
        return m_toml.wrongType(node, spot, "a name or [[role]] tables");
    m_spec.roles.assign(array->size(), Role{});
    for (size_t i = 0; i < array->size(); ++i) {
        Role& role = m_spec.roles[i];
        const std::string scope = roleField(i, array->size(), "");
        TomlKeys keys = roleKeys(role, scope);
        TomlKey name = keyOf(*findJobOption(RoleKey), role);
        name.name = "name";
        name.scope = scope;
        keys.insert(keys.begin(), std::move(name));
        m_toml.readTable((*array)[i], {spot.key, scope}, "role.", keys);
    }
}

TomlKeys JobReader::sectionKeys(std::string_view section)
{
    TomlKeys keys;
    for (const JobOption& option : jobOptions())
        if (option.section() == section)
            keys.push_back(keyOf(option, m_spec.roles.front()));
    return keys;
}

TomlKeys JobReader::jobKeys()
{
    TomlKeys keys{
        {RoleKey, [this](const toml::node& node, const Spot& spot) { readRoles(node, spot); }, {}}};
    for (const JobOption& option : jobOptions())
        if (!option.key.empty() && option.section().empty() && !option.field.isOfRole)
            keys.push_back(keyOf(option, m_spec.roles.front()));
    for (const std::string_view section : jobSections())
        keys.push_back({section,
                        [this, section](const toml::node& node, const Spot& spot) {
                            m_toml.readTable(node, spot, std::string(section) + ".",
                                             sectionKeys(section));
                        },
                        {}});
    return keys;
}

JobFileResult JobReader::read(const toml::table& root)
{
    TomlKeys keys = jobKeys();
    const bool hasRoleTables = root["role"].is_array();
    Role unused;
    for (TomlKey& key : roleKeys(hasRoleTables ? unused : m_spec.roles.front(), "role.")) {
        if (hasRoleTables)
            key.read = [this](const toml::node& node, const Spot& spot) {
                m_toml.complain(node, spot, code::JobFileKeyOfRole);
            };
        keys.push_back(std::move(key));
    }
    m_toml.readTable(root, {}, "", keys);
    std::vector<Finding> errors = m_toml.takeErrors();
    if (errors.empty())
        return JobFile{std::move(m_spec), m_toml.takePlaces()};
    std::ranges::stable_sort(errors, {}, [](const Finding& finding) {
        return std::pair(finding.place.line, finding.place.column);
    });
    return tl::unexpected(std::move(errors));
}

} // namespace

JobFileResult parseJobFile(std::string_view text)
{
    const toml::parse_result parsed = toml::parse(text);
    if (parsed)
        return JobReader().read(parsed.table());
    const toml::parse_error& error = parsed.error();
    const Message message{code::JobFileNotToml, {{"reason", std::string(error.description())}}, {}};
    return tl::unexpected(std::vector<Finding>{
        {Finding::Severity::Error, message, TomlReader::placeOf(error.source(), {})}});
}

std::optional<std::chrono::nanoseconds> graceIn(std::string_view jobFile)
{
    const JobFileResult job = parseJobFile(jobFile);
    return job ? std::optional(job->spec.restart.grace) : std::nullopt;
}

} // namespace ringmaster
