#include "engine/job/RendezvousChecks.h"

#include "engine/job/Codes.h"
#include "engine/job/Endpoint.h"
#include "engine/machine/Codes.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace ringmaster {

namespace {

bool isOneOf(const std::string& value, std::string_view choices)
{
    return std::ranges::count(split(choices, ','), value) > 0;
}

/// Who brings the nodes together: torchrun's methods, or the lead of hosts that are named.
enum RendezvousKind : unsigned { AtStatic = 1, AtC10d = 2, AtLead = 4 };

struct ConfigurationKey
{
    std::string_view name;
    enum class Type { Timeout, Seconds, Boolean, Text } type;
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
    {"cas_backoff_max_seconds", ConfigurationKey::Type::Seconds, AtC10d},
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

bool isSeconds(const std::string& value)
{
    const auto number = pythonFloat(value);
    return number && std::isfinite(*number) && *number >= 0;
}

} // namespace

void RendezvousChecks::check()
{
    if (m_spec.isLed())
        checkHosts();
    else if (m_spec.isStandalone())
        checkStandalone();
    else if (m_spec.rendezvous.method == RendezvousMethod::Static)
        checkStatic();
    else
        checkC10d();
    checkConfiguration();
}

void RendezvousChecks::checkHosts()
{
    const RendezvousSpec& rendezvous = m_spec.rendezvous;
    if (rendezvous.standalone || !rendezvous.endpoint.empty())
        error(m_spec.hosts.empty() ? "run_on" : "hosts", code::HostsWithRendezvous);
    if (!m_spec.hosts.empty() && m_spec.runOn == RunOn::Slurm)
        error("hosts", code::HostsWithSlurm);
    const RendezvousSpec usual;
    if (rendezvous.masterAddress != usual.masterAddress || rendezvous.masterPort)
        warn("rendezvous.master_address", code::HostsChooseMaster);
}

void RendezvousChecks::checkStandalone()
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
    checkNodeRankIsUnused();
}

void RendezvousChecks::checkNodeRankIsUnused()
{
    if (m_spec.rendezvous.nodeRank != 0)
        warn("rendezvous.node_rank", code::NodeRankUnused,
             {{"rank", std::to_string(m_spec.rendezvous.nodeRank)}});
}

void RendezvousChecks::checkPort(const char* field, const std::string& host, int port)
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

void RendezvousChecks::checkStatic()
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
    const auto endpoint =
        parseEndpoint(isNamed ? rendezvous.endpoint
                              : rendezvous.masterAddress + ":" + std::to_string(rendezvous.port()),
                      -1);
    if (!endpoint)
        return error(field, endpoint.error());
    if (endpoint->port < 0)
        return error(field, code::EndpointWithoutPort, {{"endpoint", rendezvous.endpoint}});
    if (endpoint->port == 0 && m_spec.nodes.max > 1)
        return error(field, code::MasterPortUnknown);
    if (rendezvous.nodeRank == 0)
        checkPort(isNamed ? field : "rendezvous.master_port", endpoint->host, endpoint->port);
}

void RendezvousChecks::checkC10d()
{
    const RendezvousSpec& rendezvous = m_spec.rendezvous;
    const RendezvousSpec usual;
    if (rendezvous.masterAddress != usual.masterAddress || rendezvous.masterPort)
        warn("rendezvous.master_address", code::MasterAddressUnused);
    checkNodeRankIsUnused();
    const auto storeType = rendezvous.configuration.find("store_type");
    if (storeType != rendezvous.configuration.end() && storeType->second == "file") {
        if (rendezvous.endpoint.empty())
            error("rendezvous.endpoint", code::FileStoreNeedsPath);
        return;
    }
    const auto endpoint = parseEndpoint(rendezvous.endpoint, DefaultC10dPort);
    if (!endpoint)
        return error("rendezvous.endpoint", endpoint.error());
    if (rendezvous.endpoint.empty() && m_spec.nodes.max > 1)
        warn("rendezvous.endpoint", code::EndpointIsLocal);
    if (rendezvous.id.empty())
        error("rendezvous.id", code::RunIdEmpty);
    else if (rendezvous.id == usual.id && m_spec.nodes.max > 1)
        warn("rendezvous.id", code::RunIdIsCommon);
    checkPort("rendezvous.endpoint", endpoint->host, endpoint->port);
}

void RendezvousChecks::checkConfiguration()
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
        else if (known->type == ConfigurationKey::Type::Seconds && !isSeconds(value))
            error(field, code::RendezvousOptionNotSeconds,
                  {{"key", key}, {"value", pythonRepr(value)}});
        else if (known->type == ConfigurationKey::Type::Boolean && !isBoolean(value))
            error(field, code::RendezvousOptionNotBoolean, {{"key", key}});
        else if (key == "store_type" && !isOneOf(value, "tcp,file"))
            error(field, code::StoreTypeUnknown, {{"value", value}});
    }
}

} // namespace ringmaster
