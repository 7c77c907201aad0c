#include "engine/job/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/WorkerCounts.h"
#include "engine/text/PythonText.h"
#include "engine/text/TomlReader.h"

#include <algorithm>
#include <array>
#include <functional>

namespace ringmaster {

namespace {

constexpr std::array<std::string_view, 4> StreamNames{"none", "stdout", "stderr", "both"};

/// The schema of a `.ringjob` file: one function a table, its keys in the order of the writer.
class JobReader
{
public:
    JobFileResult read(const toml::table& root);

private:
    using Spot = TomlSpot;

    TomlKeys jobKeys();
    TomlKeys roleKeys(Role& role, const std::string& scope);
    TomlKeys restartKeys();
    TomlKeys rendezvousKeys();
    TomlKeys logKeys();
    TomlKeys slurmKeys();
    TomlKeys containerKeys();
    void readRunOn(const toml::node& node, const Spot& spot);

    void readRoles(const toml::node& node, const Spot& spot);
    void readProgram(const toml::node& node, const Spot& spot, ProgramKind kind, Role& role);
    void readWorkers(const toml::node& node, const Spot& spot, WorkerCount& count);
    void readNodes(const toml::node& node, const Spot& spot);
    void readMethod(const toml::node& node, const Spot& spot);
    void readWarm(const toml::node& node, const Spot& spot);
    void readStreams(const toml::node& node, const Spot& spot, StreamSelection& streams);
    std::optional<std::uint8_t> streamMask(const toml::node& node, const Spot& spot);

    template <class Member>
    TomlKey custom(std::string_view name, Member read)
    {
        return {name, read, {}};
    }
    TomlKey subtable(std::string_view name, const TomlKeys& keys)
    {
        const auto read = [this, name, keys](const toml::node& node, const Spot& spot) {
            m_toml.readTable(node, spot, std::string(name) + ".", keys);
        };
        return {name, read, {}};
    }
    TomlKey streams(std::string_view name, StreamSelection& target)
    {
        return custom(name, [this, &target](const toml::node& node, const Spot& spot) {
            readStreams(node, spot, target);
        });
    }

    JobSpec m_spec;
    TomlReader m_toml;
};

void JobReader::readProgram(const toml::node& node, const Spot& spot, ProgramKind kind, Role& role)
{
    const auto program = m_toml.asText(node, spot);
    const std::string scope = spot.field.substr(0, spot.field.rfind('.') + 1);
    for (const char* other : {"program", "module", "command", "run_path"}) {
        if (scope + other != spot.field && m_toml.has(scope + other))
            return m_toml.complain(node, spot, code::JobFileTwoPrograms, {{"other", other}});
    }
    role.kind = kind;
    role.program = program.value_or("");
}

void JobReader::readWorkers(const toml::node& node, const Spot& spot, WorkerCount& count)
{
    const auto text = node.value_exact<std::string>();
    if (node.is_integer())
        count = {WorkerCount::Kind::Number, m_toml.asInteger(node, spot).value_or(1)};
    else if (!text)
        m_toml.wrongType(node, spot, "a number, \"auto\", \"gpu\" or \"cpu\"");
    else if (const auto parsed = parseWorkerCount(*text))
        count = *parsed;
    else
        m_toml.complain(node, spot, code::JobFileBadWorkers, {{"value", *text}});
}

void JobReader::readNodes(const toml::node& node, const Spot& spot)
{
    NodeRange& nodes = m_spec.nodes;
    if (node.is_integer()) {
        nodes.min = nodes.max = m_toml.asInteger(node, spot).value_or(1);
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
    nodes = {*min, *max};
}

void JobReader::readMethod(const toml::node& node, const Spot& spot)
{
    const auto method = m_toml.asText(node, spot);
    if (!method)
        return;
    if (*method == "c10d")
        m_spec.rendezvous.method = RendezvousMethod::C10d;
    else if (*method != "static")
        m_toml.complain(node, spot, code::JobFileBadChoice,
                        {{"value", *method}, {"choices", "static, c10d"}});
}

void JobReader::readWarm(const toml::node& node, const Spot& spot)
{
    const auto text = m_toml.asText(node, spot);
    if (!text)
        return;
    if (const auto mode = warmModeOf(*text))
        m_spec.warm = *mode;
    else
        m_toml.complain(node, spot, code::JobFileBadChoice,
                        {{"value", *text}, {"choices", "auto, on, off"}});
}

void JobReader::readRunOn(const toml::node& node, const Spot& spot)
{
    const auto text = m_toml.asText(node, spot);
    if (!text)
        return;
    if (const auto place = runOnOf(*text))
        m_spec.runOn = *place;
    else
        m_toml.complain(node, spot, code::JobFileBadChoice,
                        {{"value", *text}, {"choices", "hosts, slurm"}});
}

std::optional<std::uint8_t> JobReader::streamMask(const toml::node& node, const Spot& spot)
{
    const auto text = m_toml.asText(node, spot);
    if (!text)
        return std::nullopt;
    const auto found = std::ranges::find(StreamNames, *text);
    if (found != StreamNames.end())
        return static_cast<std::uint8_t>(found - StreamNames.begin());
    m_toml.complain(node, spot, code::JobFileBadChoice,
                    {{"value", *text}, {"choices", "none, stdout, stderr, both"}});
    return std::nullopt;
}

void JobReader::readStreams(const toml::node& node, const Spot& spot, StreamSelection& streams)
{
    const toml::table* table = node.as_table();
    if (table == nullptr && !node.is_string())
        return m_toml.wrongType(node, spot, "\"stdout\", \"stderr\", \"both\" or a table");
    if (table == nullptr) {
        streams.all = streamMask(node, spot).value_or(0);
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
            streams.byLocalRank[*rank] = mask;
        else
            streams.all = mask;
    }
}

TomlKeys JobReader::roleKeys(Role& role, const std::string& scope)
{
    const auto program = [this, &role](std::string_view name, ProgramKind kind) {
        return custom(name, [this, &role, kind](const toml::node& node, const Spot& spot) {
            readProgram(node, spot, kind, role);
        });
    };
    TomlKeys keys{program("program", ProgramKind::Script),
                  program("module", ProgramKind::Module),
                  program("command", ProgramKind::Command),
                  program("run_path", ProgramKind::RunPath),
                  m_toml.texts("arguments", role.arguments),
                  m_toml.text("interpreter", role.interpreter),
                  m_toml.text("working_folder", role.workingFolder),
                  custom("workers",
                         [this, &role](const toml::node& node, const Spot& spot) {
                             readWorkers(node, spot, role.workers);
                         }),
                  m_toml.integers("devices", role.devices),
                  m_toml.integer("devices_per_worker", role.devicesPerWorker),
                  m_toml.text("image", role.image),
                  custom("environment", [this, &role](const toml::node& node, const Spot& spot) {
                      m_toml.readVariables(node, spot, role.environment);
                  })};
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
        keys.insert(keys.begin(), m_toml.text("name", role.name));
        keys.front().scope = scope;
        m_toml.readTable((*array)[i], {spot.key, scope}, "role.", keys);
    }
}

TomlKeys JobReader::restartKeys()
{
    RestartSpec& restart = m_spec.restart;
    return {m_toml.integer("max", restart.maxRestarts),
            m_toml.duration("first_delay", restart.firstDelay),
            m_toml.duration("longest_delay", restart.longestDelay),
            m_toml.duration("minimum_healthy_time", restart.minimumHealthyTime),
            m_toml.duration("grace", restart.grace),
            m_toml.duration("exit_barrier", restart.exitBarrier)};
}

TomlKeys JobReader::rendezvousKeys()
{
    RendezvousSpec& rendezvous = m_spec.rendezvous;
    return {custom("method",
                   [this](const toml::node& node, const Spot& spot) { readMethod(node, spot); }),
            m_toml.flag("standalone", rendezvous.standalone),
            m_toml.text("endpoint", rendezvous.endpoint),
            m_toml.text("id", rendezvous.id),
            m_toml.integer("node_rank", rendezvous.nodeRank),
            m_toml.text("master_address", rendezvous.masterAddress),
            m_toml.integer("master_port", rendezvous.masterPort),
            m_toml.text("local_address", rendezvous.localAddress),
            custom("configuration", [this, &rendezvous](const toml::node& node, const Spot& spot) {
                m_toml.readMap(node, spot, rendezvous.configuration);
            })};
}

TomlKeys JobReader::logKeys()
{
    LogSpec& logs = m_spec.logs;
    return {m_toml.text("folder", logs.folder),
            streams("redirect", logs.redirects),
            streams("tee", logs.tee),
            m_toml.integers("local_ranks", logs.localRanksFilter),
            m_toml.texts("duplicate_stdout", logs.duplicateStdoutFilters),
            m_toml.texts("duplicate_stderr", logs.duplicateStderrFilters)};
}

TomlKeys JobReader::slurmKeys()
{
    SlurmSpec& slurm = m_spec.slurm;
    return {m_toml.text("partition", slurm.partition), m_toml.text("account", slurm.account),
            m_toml.text("time", slurm.time), m_toml.integer("gpus_per_node", slurm.gpusPerNode),
            m_toml.texts("options", slurm.options)};
}

TomlKeys JobReader::containerKeys()
{
    ContainerSpec& container = m_spec.container;
    return {m_toml.text("engine", container.engine), m_toml.texts("mounts", container.mounts),
            m_toml.texts("devices", container.devices), m_toml.texts("options", container.options)};
}

TomlKeys JobReader::jobKeys()
{
    return {
        m_toml.text("name", m_spec.name),
        custom("role", [this](const toml::node& node, const Spot& spot) { readRoles(node, spot); }),
        custom("nodes",
               [this](const toml::node& node, const Spot& spot) { readNodes(node, spot); }),
        custom("run_on",
               [this](const toml::node& node, const Spot& spot) { readRunOn(node, spot); }),
        m_toml.texts("hosts", m_spec.hosts),
        m_toml.text("backend", m_spec.backendHint),
        m_toml.text("ring_algorithm", m_spec.ringAlgorithm),
        m_toml.text("ring_interface", m_spec.ringInterface),
        m_toml.duration("monitor_interval", m_spec.monitorInterval),
        m_toml.text("start_method", m_spec.startMethod),
        m_toml.text("event_log_handler", m_spec.eventLogHandler),
        m_toml.text("logs_specs", m_spec.logsSpecs),
        m_toml.text("numa_binding", m_spec.numaBinding),
        m_toml.texts("signals", m_spec.signalsToHandle),
        m_toml.flag("virtual_local_rank", m_spec.virtualLocalRank),
        m_toml.flag("plain", m_spec.plain),
        m_toml.flag("record_operations", m_spec.recordOperations),
        custom("warm", [this](const toml::node& node, const Spot& spot) { readWarm(node, spot); }),
        m_toml.texts("preload", m_spec.preload),
        subtable("rendezvous", rendezvousKeys()),
        subtable("restart", restartKeys()),
        subtable("logs", logKeys()),
        subtable("slurm", slurmKeys()),
        subtable("container", containerKeys())};
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
