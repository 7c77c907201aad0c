#include "engine/job/TorchrunLine.h"

#include "engine/job/Codes.h"
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

/// Fills a JobSpec from parsed options in the order in which torchrun looks at them.
class SpecBuilder
{
public:
    SpecBuilder(const ParsedArguments& arguments, const EnvironmentMap& environment)
        : m_arguments(arguments), m_environment(environment)
    {
    }

    JobSpec build()
    {
        readNodes();
        readWorkers();
        readRendezvous();
        readLogs();
        readProgram();
        readRestart();
        readOthers();
        readOwnOptions();
        return std::move(m_spec);
    }

    std::vector<Message> takeErrors() { return std::move(m_errors); }

private:
    void readNodes();
    void readWorkers();
    void readRendezvous();
    void readConfiguration(const std::string& text);
    void readLogs();
    void readRanksFilter(const std::string& text);
    void readProgram();
    void readRestart();
    void readOthers();
    void readOwnOptions();
    void readEnvironmentOption();
    void readDevices(const std::string& text);
    void readSlurm();
    void readContainer();
    std::vector<std::string> repeated(const char* option) const;

    bool has(const char* option) const { return m_arguments.has(option); }
    std::optional<std::string> last(const char* option) const { return m_arguments.last(option); }
    Role& role() { return m_spec.roles.front(); }
    void refuse(Code code, Parameters parameters)
    {
        m_errors.push_back({code, std::move(parameters), {}});
    }

    void text(const char* option, std::string& field)
    {
        if (auto value = last(option))
            field = *value;
    }
    void integer(const char* option, int& field)
    {
        if (const auto value = last(option))
            field = pythonInt(*value).value_or(field);
    }
    void seconds(const char* option, std::chrono::milliseconds& field);
    void duration(const char* option, std::chrono::milliseconds& field);
    void streams(const char* option, StreamSelection& field);

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

void SpecBuilder::seconds(const char* option, std::chrono::milliseconds& field)
{
    const auto value = last(option);
    if (!value)
        return;
    const auto number = pythonFloat(*value);
    if (const auto time = number ? secondsToDuration(*number) : std::nullopt)
        field = *time;
    else
        refuse(code::DurationTooLong,
               {{"option", findOption(option)->argparseName()}, {"value", *value}});
}

void SpecBuilder::duration(const char* option, std::chrono::milliseconds& field)
{
    const auto value = last(option);
    if (!value)
        return;
    if (const auto time = parseDuration(*value))
        field = *time;
    else
        refuse(code::OptionInvalidDuration,
               {{"option", findOption(option)->argparseName()}, {"value", pythonRepr(*value)}});
}

void SpecBuilder::streams(const char* option, StreamSelection& field)
{
    const auto value = last(option);
    if (!value)
        return;
    auto selection = parseStreamSelection(*value);
    if (selection)
        field = *std::move(selection);
    else
        m_errors.push_back(std::move(selection).error());
}

void SpecBuilder::readNodes()
{
    const auto value = last("nnodes");
    if (!value)
        return;
    const std::vector<std::string> parts = split(*value, ':');
    if (parts.size() > 2)
        return refuse(code::NodesNotMinMax, {{"value", *value}});
    for (const std::string& part : parts) {
        if (!pythonInt(part))
            return refuse(code::NodesNotInteger, {{"value", pythonRepr(part)}, {"nodes", *value}});
    }
    m_spec.nodes.min = *pythonInt(parts.front());
    m_spec.nodes.max = *pythonInt(parts.back());
}

void SpecBuilder::readWorkers()
{
    const auto value = last("nproc_per_node");
    if (!value)
        return;
    auto count = parseWorkerCount(*value);
    if (count)
        role().workers = *count;
    else
        m_errors.push_back(std::move(count).error());
}

void SpecBuilder::readConfiguration(const std::string& given)
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
        m_spec.rendezvous.configuration[key] = value;
    }
}

void SpecBuilder::readRendezvous()
{
    RendezvousSpec& rendezvous = m_spec.rendezvous;
    rendezvous.standalone = has("standalone");
    const std::string backend = last("rdzv_backend").value_or("static");
    if (rendezvous.standalone || backend == "c10d")
        rendezvous.method = RendezvousMethod::C10d;
    else if (backend == "etcd" || backend == "etcd-v2")
        refuse(code::RendezvousBackendUnsupported, {{"backend", backend}});
    else if (backend != "static")
        refuse(code::RendezvousBackendUnknown, {{"backend", backend}});
    readConfiguration(last("rdzv_conf").value_or(""));
    text("rdzv_endpoint", rendezvous.endpoint);
    text("rdzv_id", rendezvous.id);
    integer("node_rank", rendezvous.nodeRank);
    text("master_addr", rendezvous.masterAddress);
    integer("master_port", rendezvous.masterPort);
    text("local_addr", rendezvous.localAddress);
}

void SpecBuilder::readRanksFilter(const std::string& given)
{
    if (given.empty())
        return;
    for (const std::string& item : split(given, ',')) {
        const auto rank = pythonInt(item);
        if (!rank)
            return refuse(code::RanksFilterNotIntegers, {{"value", given}});
        if (std::ranges::find(m_spec.logs.localRanksFilter, *rank) ==
            m_spec.logs.localRanksFilter.end())
            m_spec.logs.localRanksFilter.push_back(*rank);
    }
}

void SpecBuilder::readLogs()
{
    readRanksFilter(last("local_ranks_filter").value_or(""));
    if (last("logs_specs") == "")
        refuse(code::LogsSpecsUnsupported, {{"name", ""}});
    text("logs_specs", m_spec.logsSpecs);
    streams("redirects", m_spec.logs.redirects);
    streams("tee", m_spec.logs.tee);
    text("log_dir", m_spec.logs.folder);
    if (const auto filters = last("duplicate_stdout_filters"))
        m_spec.logs.duplicateStdoutFilters = commaList(*filters);
    if (const auto filters = last("duplicate_stderr_filters"))
        m_spec.logs.duplicateStderrFilters = commaList(*filters);
}

void SpecBuilder::readProgram()
{
    role().program = m_arguments.program.value_or("");
    role().arguments = m_arguments.arguments;
    text("role", role().name);
    if (has("run_path"))
        role().kind = ProgramKind::RunPath;
    else if (has("no_python") && has("module"))
        refuse(code::ModuleWithoutPython, {});
    else if (has("no_python"))
        role().kind = ProgramKind::Command;
    else if (has("module"))
        role().kind = ProgramKind::Module;
}

void SpecBuilder::readRestart()
{
    integer("max_restarts", m_spec.restart.maxRestarts);
    const auto variable = m_environment.find("TORCH_ELASTIC_SHUTDOWN_TIMEOUT");
    if (variable != m_environment.end()) {
        const auto number = pythonFloat(variable->second);
        m_spec.restart.grace = number ? secondsToDuration(*number).value_or(m_spec.restart.grace)
                                      : m_spec.restart.grace;
    }
    seconds("shutdown_timeout", m_spec.restart.grace);
    seconds("exit_barrier_timeout", m_spec.restart.exitBarrier);
}

void SpecBuilder::readOthers()
{
    seconds("monitor_interval", m_spec.monitorInterval);
    text("start_method", m_spec.startMethod);
    text("event_log_handler", m_spec.eventLogHandler);
    text("numa_binding", m_spec.numaBinding);
    m_spec.virtualLocalRank = has("virtual_local_rank");
    const auto signals = last("signals_to_handle");
    if (!signals)
        return;
    m_spec.signalsToHandle.clear();
    for (const std::string& name : split(*signals, ',')) {
        if (!stripped(name).empty())
            m_spec.signalsToHandle.emplace_back(stripped(name));
    }
}

void SpecBuilder::readEnvironmentOption()
{
    const auto given = m_arguments.values.find("env");
    if (given == m_arguments.values.end())
        return;
    for (const ParsedArguments::Value& value : given->second) {
        const size_t equals = value.text.find('=');
        if (equals == std::string::npos || equals == 0)
            refuse(code::EnvironmentOptionShape, {{"value", value.text}});
        else if (!isVariableName(value.text.substr(0, equals)))
            refuse(code::VariableNameInvalid, {{"name", value.text.substr(0, equals)}});
        else
            role().environment[value.text.substr(0, equals)] = value.text.substr(equals + 1);
    }
}

void SpecBuilder::readDevices(const std::string& given)
{
    for (const std::string& item : split(given, ',')) {
        const auto index = pythonInt(item);
        if (!index || *index < 0)
            return refuse(code::DevicesNotIndices, {{"value", given}});
        role().devices.push_back(*index);
    }
}

void SpecBuilder::readSlurm()
{
    SlurmSpec& slurm = m_spec.slurm;
    text("slurm_partition", slurm.partition);
    text("slurm_account", slurm.account);
    text("slurm_time", slurm.time);
    integer("slurm_gpus_per_node", slurm.gpusPerNode);
    slurm.options = repeated("slurm_option");
}

void SpecBuilder::readContainer()
{
    ContainerSpec& container = m_spec.container;
    text("image", role().image);
    text("container_engine", container.engine);
    container.mounts = repeated("container_mount");
    container.devices = repeated("container_device");
    container.options = repeated("container_option");
}

std::vector<std::string> SpecBuilder::repeated(const char* option) const
{
    std::vector<std::string> texts;
    const auto given = m_arguments.values.find(option);
    if (given == m_arguments.values.end())
        return texts;
    for (const ParsedArguments::Value& value : given->second)
        texts.push_back(value.text);
    return texts;
}

void SpecBuilder::readOwnOptions()
{
    text("name", m_spec.name);
    m_spec.plain = has("plain");
    m_spec.recordOperations = !has("no_record_operations");
    if (const auto warm = last("warm"))
        m_spec.warm = warmModeOf(*warm).value_or(WarmMode::Auto);
    if (const auto modules = last("preload"))
        m_spec.preload = commaList(*modules);
    if (const auto hosts = last("hosts"))
        m_spec.hosts = commaList(*hosts);
    text("backend", m_spec.backendHint);
    text("ring_algorithm", m_spec.ringAlgorithm);
    text("ring_interface", m_spec.ringInterface);
    if (has("slurm"))
        m_spec.runOn = RunOn::Slurm;
    readSlurm();
    readContainer();
    text("python", role().interpreter);
    text("working_folder", role().workingFolder);
    integer("devices_per_worker", role().devicesPerWorker);
    if (const auto devices = last("devices"))
        readDevices(*devices);
    readEnvironmentOption();
    duration("backoff", m_spec.restart.firstDelay);
    duration("longest_backoff", m_spec.restart.longestDelay);
    duration("minimum_healthy_time", m_spec.restart.minimumHealthyTime);
    duration("grace", m_spec.restart.grace);
}

} // namespace

tl::expected<ParsedLine, LineErrors> parseTorchrunLine(const std::vector<std::string>& words,
                                                       const EnvironmentMap& environment,
                                                       std::span<const OptionRow> extra)
{
    ParsedArguments arguments = parseArguments(words, environment, extra);
    ParsedLine line;
    line.help = arguments.help;
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
