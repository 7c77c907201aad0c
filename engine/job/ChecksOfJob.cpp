#include "engine/base/Codes.h"
#include "engine/job/Checks.h"
#include "engine/job/Codes.h"
#include "engine/job/ContainerEngine.h"
#include "engine/job/ContainerSpec.h"
#include "engine/job/Endpoint.h"
#include "engine/job/JobOptions.h"
#include "engine/job/SlurmSpec.h"
#include "engine/machine/Codes.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"
#include "engine/text/Spelling.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace ringmaster {

namespace {

using namespace std::chrono_literals;

/// SIGTERM for "SIGTERM": the C library's own list.
bool isSignal(const std::string& name)
{
    if (!name.starts_with("SIG"))
        return false;
    const std::string abbreviation = name.substr(3);
    for (int number = 1; number < NSIG; ++number) {
        const char* known = sigabbrev_np(number);
        if (known != nullptr && abbreviation == known)
            return true;
    }
    return abbreviation.starts_with("RTM");
}

bool isOneOf(const std::string& value, std::string_view choices)
{
    return std::ranges::count(split(choices, ','), value) > 0;
}

/// Who brings the nodes together: torchrun's methods, or the lead of hosts that are named.
enum RendezvousKind : unsigned { AtStatic = 1, AtC10d = 2, AtLead = 4 };

struct ConfigurationKey
{
    std::string_view name;
    enum class Type { Timeout, Boolean, Text } type;
    unsigned rendezvousKinds; ///< That it does something in.
};

constexpr auto ConfigurationKeys = std::to_array<ConfigurationKey>({
    {"timeout", ConfigurationKey::Type::Timeout, AtStatic},
    {"rank", ConfigurationKey::Type::Text, AtStatic},
    {"join_timeout", ConfigurationKey::Type::Timeout, AtC10d | AtLead},
    {"last_call_timeout", ConfigurationKey::Type::Timeout, AtC10d | AtLead},
    {"close_timeout", ConfigurationKey::Type::Timeout, AtC10d},
    {"heartbeat_timeout", ConfigurationKey::Type::Timeout, AtC10d},
    {"keep_alive_interval", ConfigurationKey::Type::Timeout, AtC10d},
    {"keep_alive_max_attempt", ConfigurationKey::Type::Timeout, AtC10d},
    {"read_timeout", ConfigurationKey::Type::Timeout, AtC10d},
    {"is_host", ConfigurationKey::Type::Boolean, AtC10d},
    {"store_type", ConfigurationKey::Type::Text, AtC10d},
    {"node_timeout", ConfigurationKey::Type::Timeout, AtLead},
    {"lead_timeout", ConfigurationKey::Type::Timeout, AtLead},
    {"login_timeout", ConfigurationKey::Type::Timeout, AtLead},
});

bool isBoolean(std::string value)
{
    std::ranges::transform(value, value.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return isOneOf(value, "1,true,t,yes,y,0,false,f,no,n");
}

} // namespace

void Checks::notNegative(const char* field, std::chrono::milliseconds value)
{
    if (value < 0ms)
        error(field, code::DurationNegative, {{"field", field}, {"value", durationText(value)}});
}

void Checks::checkRanges()
{
    JobSpec spec = m_spec;
    for (size_t i = 0; i < spec.roles.size(); ++i) {
        for (const JobOption& option : jobOptions()) {
            const std::string field =
                option.field.isOfRole ? at(i, option.key) : std::string(option.key);
            visitField(option, spec, spec.roles[i], [&]<class T>(const T& value) {
                if constexpr (std::is_same_v<T, int>)
                    if (option.field.isOfRole || i == 0)
                        checkRange(field, value, option);
            });
        }
    }
}

void Checks::checkRange(const std::string& field, int value, const JobOption& option)
{
    if (value < option.least)
        error(field, code::OptionTooSmall,
              {{"field", field},
               {"value", std::to_string(value)},
               {"least", std::to_string(option.least)}});
    if (value > option.most)
        error(field, code::OptionTooLarge,
              {{"field", field},
               {"value", std::to_string(value)},
               {"most", std::to_string(option.most)}});
}

void Checks::checkCounts()
{
    const NodeRange& nodes = m_spec.nodes;
    if (m_spec.roles.empty())
        error("role", code::JobWithoutRoles);
    if (nodes.min <= 0 || nodes.min > nodes.max)
        error("nodes", code::NodesOutOfOrder,
              {{"min", std::to_string(nodes.min)}, {"max", std::to_string(nodes.max)}});
}

void Checks::checkRestart()
{
    const RestartSpec& restart = m_spec.restart;
    notNegative("restart.first_delay", restart.firstDelay);
    notNegative("restart.longest_delay", restart.longestDelay);
    notNegative("restart.minimum_healthy_time", restart.minimumHealthyTime);
    notNegative("restart.grace", restart.grace);
    notNegative("restart.exit_barrier", restart.exitBarrier);
    if (restart.firstDelay > restart.longestDelay && restart.longestDelay >= 0ms)
        warn("restart.first_delay", code::DelayLongerThanLongest,
             {{"first", durationText(restart.firstDelay)},
              {"longest", durationText(restart.longestDelay)}});
    if (m_spec.monitorInterval <= 0ms)
        error("monitor_interval", code::MonitorIntervalNotPositive);
}

void Checks::checkRendezvous()
{
    if (m_spec.isLed())
        checkHosts();
    else if (m_spec.rendezvous.standalone)
        checkStandalone();
    else if (m_spec.rendezvous.method == RendezvousMethod::Static)
        checkStatic();
    else
        checkC10d();
    checkConfiguration();
}

void Checks::checkHosts()
{
    const RendezvousSpec& rendezvous = m_spec.rendezvous;
    if (rendezvous.standalone || !rendezvous.endpoint.empty())
        error(m_spec.hosts.empty() ? "run_on" : "hosts", code::HostsWithRendezvous);
    if (!m_spec.hosts.empty() && m_spec.runOn == RunOn::Slurm)
        error("hosts", code::HostsWithSlurm);
    const RendezvousSpec usual;
    if (rendezvous.masterAddress != usual.masterAddress ||
        rendezvous.masterPort != usual.masterPort)
        warn("rendezvous.master_address", code::HostsChooseMaster);
}

void Checks::checkSlurm()
{
    for (SlurmError& wrong : errorsOf(m_spec.slurm))
        error(wrong.field, wrong.what.code, std::move(wrong.what.parameters));
    if (m_spec.runOn == RunOn::Slurm && m_systemInfo.findCommand("sbatch").empty())
        error("run_on", code::SlurmMissing, {{"command", "sbatch"}});
}

void Checks::checkContainer()
{
    const std::vector<ContainerError> errors = errorsOf(m_spec.container);
    for (const ContainerError& wrong : errors)
        error(wrong.field, wrong.what.code, wrong.what.parameters);
    const auto inImage = std::ranges::find_if(
        m_spec.roles, [this](const Role& role) { return !imageOf(m_spec, role).empty(); });
    // Other hosts have their own, or none, and say so themselves.
    if (!errors.empty() || inImage == m_spec.roles.end() || m_spec.isLed())
        return;
    const auto find = [this](const std::string& command) {
        return m_systemInfo.findCommand(command);
    };
    if (!findContainerEngine(m_spec.container, find).first.empty())
        return;
    const auto missing = containerEngineMissing(m_spec.container, imageOf(m_spec, *inImage));
    error("container.engine", missing.value().code, missing.value().parameters);
}

void Checks::checkStandalone()
{
    if (m_spec.nodes.max > 1)
        error("rendezvous.standalone", code::StandaloneWithNodes,
              {{"nodes", std::to_string(m_spec.nodes.max)}});
    if (!m_spec.rendezvous.endpoint.empty())
        warn("rendezvous.endpoint", code::StandaloneIgnores,
             {{"what", "endpoint"}, {"value", m_spec.rendezvous.endpoint}});
    if (m_spec.rendezvous.id != RendezvousSpec{}.id)
        warn("rendezvous.id", code::StandaloneIgnores,
             {{"what", "id"}, {"value", m_spec.rendezvous.id}});
}

void Checks::checkPort(const char* field, const std::string& host, int port)
{
    if (port <= 0 || !m_systemInfo.isThisMachine(host))
        return;
    const SystemInfo::Port state = m_systemInfo.port(port);
    const Parameters parameters{{"port", std::to_string(port)},
                                {"pid", std::to_string(state.pid)},
                                {"program", state.program}};
    if (state.isFree)
        return ok(field, code::PortFree, parameters);
    // An agent of c10d that can't bind joins whoever holds the port.
    if (m_spec.rendezvous.method == RendezvousMethod::C10d)
        return warn(field, code::PortBusyWillJoin, parameters);
    error(field, state.pid > 0 ? code::PortBusyBy : code::PortBusy, parameters);
}

void Checks::checkStatic()
{
    const RendezvousSpec& rendezvous = m_spec.rendezvous;
    if (m_spec.nodes.min != m_spec.nodes.max && m_spec.nodes.min > 0)
        warn("nodes", code::StaticIsNotElastic, {{"max", std::to_string(m_spec.nodes.max)}});
    if (rendezvous.nodeRank < 0 || rendezvous.nodeRank >= std::max(m_spec.nodes.max, 1))
        error("rendezvous.node_rank", code::NodeRankOutOfRange,
              {{"rank", std::to_string(rendezvous.nodeRank)},
               {"nodes", std::to_string(m_spec.nodes.max)}});
    const bool isNamed = !rendezvous.endpoint.empty();
    const char* field = isNamed ? "rendezvous.endpoint" : "rendezvous.master_address";
    const auto endpoint = parseEndpoint(isNamed ? rendezvous.endpoint
                                                : rendezvous.masterAddress + ":" +
                                                      std::to_string(rendezvous.masterPort),
                                        -1);
    if (!endpoint)
        return error(field, endpoint.error().code, endpoint.error().parameters);
    if (endpoint->port < 0)
        return error(field, code::EndpointWithoutPort, {{"endpoint", rendezvous.endpoint}});
    if (endpoint->port == 0 && m_spec.nodes.max > 1)
        return error(field, code::MasterPortUnknown);
    if (rendezvous.nodeRank == 0)
        checkPort(isNamed ? field : "rendezvous.master_port", endpoint->host, endpoint->port);
}

void Checks::checkC10d()
{
    const RendezvousSpec& rendezvous = m_spec.rendezvous;
    const RendezvousSpec usual;
    if (rendezvous.masterAddress != usual.masterAddress ||
        rendezvous.masterPort != usual.masterPort)
        warn("rendezvous.master_address", code::MasterAddressUnused);
    const auto storeType = rendezvous.configuration.find("store_type");
    if (storeType != rendezvous.configuration.end() && storeType->second == "file") {
        if (rendezvous.endpoint.empty())
            error("rendezvous.endpoint", code::FileStoreNeedsPath);
        return;
    }
    const auto endpoint = parseEndpoint(rendezvous.endpoint, DefaultC10dPort);
    if (!endpoint)
        return error("rendezvous.endpoint", endpoint.error().code, endpoint.error().parameters);
    if (rendezvous.endpoint.empty() && m_spec.nodes.max > 1)
        warn("rendezvous.endpoint", code::EndpointIsLocal);
    if (rendezvous.id.empty())
        error("rendezvous.id", code::RunIdEmpty);
    else if (rendezvous.id == usual.id && m_spec.nodes.max > 1)
        warn("rendezvous.id", code::RunIdIsCommon);
    checkPort("rendezvous.endpoint", endpoint->host, endpoint->port);
}

void Checks::checkConfiguration()
{
    const bool isStatic = m_spec.rendezvous.method == RendezvousMethod::Static;
    const RendezvousKind rendezvousKind = m_spec.isLed() ? AtLead : isStatic ? AtStatic : AtC10d;
    for (const auto& [key, value] : m_spec.rendezvous.configuration) {
        const std::string field = "rendezvous.configuration." + key;
        const auto known = std::ranges::find(ConfigurationKeys, key, &ConfigurationKey::name);
        if (known == ConfigurationKeys.end() || (known->rendezvousKinds & rendezvousKind) == 0) {
            std::vector<std::string> names;
            for (const ConfigurationKey& candidate : ConfigurationKeys) {
                if ((candidate.rendezvousKinds & rendezvousKind) != 0 && candidate.name != key)
                    names.emplace_back(candidate.name);
            }
            warn(field, code::RendezvousOptionUnused,
                 {{"key", key},
                  {"method", rendezvousKind == AtLead ? "--hosts"
                             : isStatic               ? "static"
                                                      : "c10d"},
                  {"known", join(names, ", ")}});
            continue;
        }
        const auto number = pythonInt(value);
        if (known->type == ConfigurationKey::Type::Timeout && !number)
            error(field, code::RendezvousOptionNotInteger, {{"key", key}});
        else if (known->type == ConfigurationKey::Type::Timeout && *number <= 0)
            error(field, code::RendezvousOptionNotPositive, {{"key", key}, {"value", value}});
        else if (known->type == ConfigurationKey::Type::Boolean && !isBoolean(value))
            error(field, code::RendezvousOptionNotBoolean, {{"key", key}});
        else if (key == "store_type" && !isOneOf(value, "tcp,file"))
            error(field, code::StoreTypeUnknown, {{"value", value}});
    }
}

void Checks::checkStreams(const char* field, const StreamSelection& streams)
{
    const int workers = localWorkers();
    for (const auto& [rank, mask] : streams.byLocalRank) {
        if (workers > 0 && rank >= workers)
            warn(field, code::LocalRankNotThere,
                 {{"rank", std::to_string(rank)}, {"workers", std::to_string(workers)}});
    }
}

void Checks::checkFilters()
{
    const LogSpec& logs = m_spec.logs;
    const bool tees = logs.tee.all != 0 || std::ranges::any_of(logs.tee.byLocalRank, [](auto& p) {
                          return p.second != 0;
                      });
    if (!logs.duplicateStdoutFilters.empty() && !tees)
        warn("logs.duplicate_stdout", code::FilterNeedsTee);
    if (!logs.duplicateStderrFilters.empty() && !tees)
        warn("logs.duplicate_stderr", code::FilterNeedsTee);
    const bool files = tees || logs.redirects.all != 0 || !logs.redirects.byLocalRank.empty();
    if (logs.folder == "/dev/null" && files)
        warn("logs.folder", code::NoLogFiles);
    const int workers = localWorkers();
    for (const int rank : logs.localRanksFilter) {
        if (rank < 0 || (workers > 0 && rank >= workers))
            warn("logs.local_ranks", code::LocalRankNotThere,
                 {{"rank", std::to_string(rank)}, {"workers", std::to_string(workers)}});
    }
}

void Checks::checkLogs()
{
    checkStreams("logs.redirect", m_spec.logs.redirects);
    checkStreams("logs.tee", m_spec.logs.tee);
    checkFilters();
    const std::string& given = m_spec.logs.folder;
    if (given.empty() || given == "/dev/null")
        return;
    const std::string folder =
        given.starts_with('/') ? given : m_systemInfo.launchFolder() + "/" + given;
    const SystemInfo::File file = m_systemInfo.file(folder);
    if (file.exists && !file.isFolder)
        error("logs.folder", code::LogFolderIsFile, {{"path", given}});
    else if (!m_systemInfo.canWriteInto(folder))
        error("logs.folder", code::FolderNotWritable, {{"path", given}});
    else
        ok("logs.folder", code::LogFolderWritable, {{"path", given}});
}

void Checks::checkOthers()
{
    const bool usesMethod = std::ranges::any_of(
        m_spec.roles, [](const Role& role) { return role.kind == ProgramKind::RunPath; });
    if (!isChoice("start_method", m_spec.startMethod)) {
        const Parameters parameters{{"value", m_spec.startMethod},
                                    {"choices", join(choicesOf("start_method"), ", ")}};
        add(usesMethod ? Finding::Severity::Error : Finding::Severity::Warning, "start_method",
            code::StartMethodUnknown, parameters);
    }
    if (!isOneOf(m_spec.eventLogHandler, "null,console"))
        error("event_log_handler", code::EventHandlerUnknown, {{"value", m_spec.eventLogHandler}});
    // "default" is the name of torch's own.
    if (!m_spec.logsSpecs.empty() && m_spec.logsSpecs != "default")
        error("logs_specs", code::LogsSpecsUnsupported, {{"name", m_spec.logsSpecs}});
    for (const std::string& name : m_spec.signalsToHandle) {
        if (!isSignal(name))
            warn("signals", code::SignalNameUnknown, {{"name", name}});
    }
    if (m_spec.numaBinding.empty())
        return;
    if (!isChoice("numa_binding", m_spec.numaBinding))
        error("numa_binding", code::NumaBindingUnknown,
              {{"value", m_spec.numaBinding}, {"choices", join(choicesOf("numa_binding"), ", ")}});
    else if (m_systemInfo.findCommand("numactl").empty())
        error("numa_binding", code::NumactlMissing);
    else if (m_systemInfo.counts().gpus == 0)
        error("numa_binding", code::NumaNeedsGpu);
}

} // namespace ringmaster
