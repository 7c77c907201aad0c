#include "engine/job/TorchrunLine.h"

#include "engine/job/Codes.h"
#include "engine/job/JobOptions.h"
#include "engine/job/StreamSelection.h"
#include "engine/job/WorkerCounts.h"
#include "engine/text/Codes.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"
#include "engine/text/ShellWords.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

/// torchrun looks at these in this order, and complains of the first that is wrong.
constexpr auto ReadFirst = std::to_array<std::string_view>(
    {"nodes", "workers", "rendezvous.method", "rendezvous.configuration", "logs.local_ranks",
     "logs_specs", "logs.redirect", "logs.tee"});

/// Fills a JobSpec from parsed options: each by the type of its field.
class SpecBuilder
{
public:
    SpecBuilder(const ParsedArguments& arguments, const EnvironmentMap& environment)
        : m_arguments(arguments), m_environment(environment)
    {
    }

    JobSpec build()
    {
        for (const std::string_view key : ReadFirst)
            read(*findJobOption(key));
        readProgram();
        readTorchrunsGrace();
        for (const JobOption& option : jobOptions()) {
            if (std::ranges::find(ReadFirst, option.key) == ReadFirst.end())
                read(option);
        }
        return std::move(m_spec);
    }

    std::vector<Message> takeErrors() { return std::move(m_errors); }

private:
    void readProgram();
    void readTorchrunsGrace();
    void read(const JobOption& option)
    {
        if (!option.row.name.empty())
            visitField(option, m_spec, role(), [&](auto& field) { take(option.row, field); });
    }

    void take(const OptionRow& row, bool& field);
    void take(const OptionRow& row, int& field);
    void take(const OptionRow& row, std::optional<int>& field);
    void take(const OptionRow& row, std::string& field);
    void take(const OptionRow& row, std::chrono::milliseconds& field);
    void take(const OptionRow& row, std::vector<std::string>& field);
    void take(const OptionRow& row, std::vector<int>& field);
    void take(const OptionRow& row, StringMap& field);
    void take(const OptionRow& row, StreamSelection& field);
    void take(const OptionRow& row, NodeRange& field);
    void take(const OptionRow& row, WorkerCount& field);
    void take(const OptionRow& row, RendezvousMethod& field);
    void take(const OptionRow& row, RunOn& field);
    void take(const OptionRow& row, WarmMode& field);

    void takeConfiguration(const std::string& given, StringMap& field);

    bool has(const OptionRow& row) const { return m_arguments.has(row.destination()); }
    std::optional<std::string> last(const OptionRow& row) const
    {
        return m_arguments.last(row.destination());
    }
    std::vector<std::string> all(const OptionRow& row) const;
    /// As it was read, or why it can't be.
    template <class T>
    void keep(Result<T> read, T& field)
    {
        if (read)
            field = *std::move(read);
        else
            m_errors.push_back(std::move(read).error());
    }
    Role& role() { return m_spec.roles.front(); }
    void refuse(Code code, Parameters parameters)
    {
        m_errors.push_back({code, std::move(parameters), {}});
    }

    const ParsedArguments& m_arguments;
    const EnvironmentMap& m_environment;
    JobSpec m_spec;
    std::vector<Message> m_errors;
};

/// torchrun: a double comma is a comma, a single one separates.
std::vector<std::string> commaList(const std::string& text)
{
    std::vector<std::string> items{std::string()};
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != ',') {
            items.back() += text[i];
        } else if (i + 1 < text.size() && text[i + 1] == ',') {
            items.back() += ',';
            ++i;
        } else {
            items.emplace_back();
        }
    }
    return items;
}

std::vector<std::string> SpecBuilder::all(const OptionRow& row) const
{
    std::vector<std::string> texts;
    const auto given = m_arguments.values.find(row.destination());
    if (given == m_arguments.values.end())
        return texts;
    for (const ParsedArguments::Value& value : given->second)
        texts.push_back(value.text);
    return texts;
}

/// A flag says the opposite of what holds without it.
void SpecBuilder::take(const OptionRow& row, bool& field)
{
    if (has(row))
        field = !field;
}

void SpecBuilder::take(const OptionRow& row, int& field)
{
    if (const auto value = last(row))
        field = pythonInt(*value).value_or(field);
}

void SpecBuilder::take(const OptionRow& row, std::optional<int>& field)
{
    if (const auto value = last(row))
        field = pythonInt(*value);
}

void SpecBuilder::take(const OptionRow& row, std::string& field)
{
    const auto value = last(row);
    if (value == "" && row.name == "--logs-specs")
        refuse(code::LogsSpecsUnsupported, {{"name", ""}});
    field = value.value_or(field);
}

void SpecBuilder::take(const OptionRow& row, std::chrono::milliseconds& field)
{
    const auto value = last(row);
    if (!value)
        return;
    const bool isSeconds = row.kind == OptionKind::Number;
    const auto number = pythonFloat(*value);
    const auto time = !isSeconds ? parseDuration(*value)
                      : number   ? secondsToDuration(*number)
                                 : std::nullopt;
    if (time)
        field = *time;
    else if (isSeconds)
        refuse(code::DurationTooLong, {{"option", row.argparseName()}, {"value", *value}});
    else
        refuse(code::OptionInvalidDuration,
               {{"option", row.argparseName()}, {"value", pythonRepr(*value)}});
}

void SpecBuilder::take(const OptionRow& row, std::vector<std::string>& field)
{
    const auto value = last(row);
    if (!value)
        return;
    if (row.kind == OptionKind::Repeated) {
        field = all(row);
    } else if (row.kind == OptionKind::CommaList) {
        field = commaList(*value);
    } else {
        field.clear();
        for (const std::string& item : split(*value, ','))
            if (!stripped(item).empty())
                field.emplace_back(stripped(item));
    }
}

void SpecBuilder::take(const OptionRow& row, std::vector<int>& field)
{
    const auto given = last(row);
    const bool areDevices = row.origin == OptionOrigin::Ringmaster;
    if (!given || (given->empty() && !areDevices))
        return;
    for (const std::string& item : split(*given, ',')) {
        const auto number = pythonInt(item);
        if (areDevices && (!number || *number < 0))
            return refuse(code::DevicesNotIndices, {{"value", *given}});
        if (!number)
            return refuse(code::RanksFilterNotIntegers, {{"value", *given}});
        if (areDevices || std::ranges::find(field, *number) == field.end())
            field.push_back(*number);
    }
}

void SpecBuilder::take(const OptionRow& row, StringMap& field)
{
    if (row.kind != OptionKind::Repeated)
        return takeConfiguration(last(row).value_or(""), field);
    const bool areVariables = row.name == "--env";
    const Code otherwise = areVariables             ? code::EnvironmentOptionShape
                           : row.name == "--number" ? code::NumberOptionShape
                                                    : code::StopOptionShape;
    for (const std::string& text : all(row)) {
        const size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        if (equals == std::string::npos || equals == 0)
            refuse(otherwise, {{"value", text}});
        else if (areVariables && !isVariableName(name))
            refuse(code::VariableNameInvalid, {{"name", name}});
        else
            field[name] = text.substr(equals + 1);
    }
}

void SpecBuilder::takeConfiguration(const std::string& given, StringMap& field)
{
    if (stripped(given).empty())
        return;
    for (const std::string& pair : split(stripped(given), ',')) {
        const size_t equals = pair.find('=');
        const std::string key(stripped(pair.substr(0, equals)));
        const std::string value(
            equals == std::string::npos ? "" : stripped(std::string_view(pair).substr(equals + 1)));
        if (key.empty())
            return refuse(code::RendezvousConfigurationShape, {});
        if (value.empty())
            return refuse(code::RendezvousOptionNeedsValue, {{"key", key}});
        field[key] = value;
    }
}

void SpecBuilder::take(const OptionRow& row, StreamSelection& field)
{
    if (const auto value = last(row))
        keep(parseStreamSelection(*value), field);
}

void SpecBuilder::take(const OptionRow& row, NodeRange& field)
{
    const auto value = last(row);
    if (!value)
        return;
    const std::vector<std::string> parts = split(*value, ':');
    if (parts.size() > 2)
        return refuse(code::NodesNotMinMax, {{"value", *value}});
    for (const std::string& part : parts) {
        if (!pythonInt(part))
            return refuse(code::NodesNotInteger, {{"value", pythonRepr(part)}, {"nodes", *value}});
    }
    field = {.min = *pythonInt(parts.front()), .max = *pythonInt(parts.back())};
}

void SpecBuilder::take(const OptionRow& row, WorkerCount& field)
{
    if (const auto value = last(row))
        keep(parseWorkerCount(*value), field);
}

void SpecBuilder::take(const OptionRow& row, RendezvousMethod& field)
{
    const std::string backend =
        m_arguments.has("standalone") ? "c10d" : last(row).value_or("static");
    if (const auto method = choiceOf<RendezvousMethod>(backend))
        field = *method;
    else if (backend == "etcd" || backend == "etcd-v2")
        refuse(code::RendezvousBackendUnsupported, {{"backend", backend}});
    else
        refuse(code::RendezvousBackendUnknown, {{"backend", backend}});
}

void SpecBuilder::take(const OptionRow& row, RunOn& field)
{
    if (has(row))
        field = RunOn::Slurm;
}

void SpecBuilder::take(const OptionRow& row, WarmMode& field)
{
    if (const auto value = last(row))
        field = choiceOf<WarmMode>(*value).value_or(field);
}

void SpecBuilder::readProgram()
{
    role().program = m_arguments.program.value_or("");
    role().arguments = m_arguments.arguments;
    if (m_arguments.has("run_path"))
        role().kind = ProgramKind::RunPath;
    else if (m_arguments.has("no_python") && m_arguments.has("module"))
        refuse(code::ModuleWithoutPython, {});
    else if (m_arguments.has("no_python"))
        role().kind = ProgramKind::Command;
    else if (m_arguments.has("module"))
        role().kind = ProgramKind::Module;
}

void SpecBuilder::readTorchrunsGrace()
{
    const auto variable = m_environment.find("TORCH_ELASTIC_SHUTDOWN_TIMEOUT");
    const auto number =
        variable != m_environment.end() ? pythonFloat(variable->second) : std::nullopt;
    if (number)
        m_spec.restart.grace = secondsToDuration(*number).value_or(m_spec.restart.grace);
}

} // namespace

tl::expected<ParsedLine, LineErrors> parseTorchrunLine(const std::vector<std::string>& words,
                                                       const EnvironmentMap& environment,
                                                       std::span<const OptionRow> extra)
{
    ParsedArguments arguments = parseArguments(words, environment, extra);
    ParsedLine line;
    line.help = arguments.help || arguments.completion;
    if (line.help)
        return line;
    LineErrors errors{std::move(arguments.valueErrors), 1};
    if (errors.messages.empty() && !arguments.usageErrors.empty())
        errors.exitCode = 2;
    std::ranges::move(arguments.usageErrors, std::back_inserter(errors.messages));
    SpecBuilder builder(arguments, environment);
    line.spec = builder.build();
    std::ranges::move(builder.takeErrors(), std::back_inserter(errors.messages));
    if (!errors.messages.empty())
        return tl::unexpected(std::move(errors));
    for (const OptionRow& row : commandOptions()) {
        if (row.origin != OptionOrigin::Torchrun && arguments.has(row.destination()))
            line.ownOptions.emplace(row.name);
    }
    for (const OptionRow& row : extra) {
        for (const auto& value : arguments.values[row.destination()])
            line.extra[row.destination()].push_back(value.text);
    }
    return line;
}

} // namespace ringmaster
