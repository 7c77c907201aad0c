#include "engine/event/DrilledHost.h"

#include "engine/event/Codes.h"
#include "engine/event/States.h"

#include <algorithm>
#include <set>

namespace ringmaster {

namespace {

std::string namesOf(const std::vector<HostSnapshot>& hosts)
{
    constexpr size_t MostNames = 20;
    std::string names;
    for (size_t i = 0; i < hosts.size() && i < MostNames; ++i)
        names += (names.empty() ? "" : ", ") + hosts[i].host;
    return hosts.size() > MostNames ? names + " …" : names;
}

} // namespace

Result<HostSnapshot> hostToDrill(const RunSnapshot& run, const std::string& host)
{
    const std::vector<HostSnapshot> hosts = latestOfEachHost(run);
    if (hosts.empty())
        return fail(code::DrillNoHosts, {{"run", run.run}});
    const auto found = std::ranges::find(hosts, host, &HostSnapshot::host);
    if (found == hosts.end())
        return fail(code::DrillHostUnknown,
                    {{"run", run.run}, {"host", host}, {"hosts", namesOf(hosts)}});
    if (found->state != HostChanged::State::Connected)
        return fail(code::DrillHostNotConnected,
                    {{"host", host}, {"state", std::string(nameOf(found->state))}});
    const bool isOnly = std::ranges::none_of(hosts, [&host](const HostSnapshot& other) {
        return other.host != host && (other.state == HostChanged::State::Connected ||
                                      other.state == HostChanged::State::StandingBy);
    });
    if (isOnly)
        return fail(code::DrillOnlyHost, {{"host", host}, {"run", run.run}});
    return *found;
}

std::optional<HostChanged::State> stateOfHost(const RunSnapshot& run, const std::string& host)
{
    for (const HostSnapshot& known : latestOfEachHost(run))
        if (known.host == host)
            return known.state;
    return std::nullopt;
}

std::vector<int> ranksOnHost(const RunSnapshot& run, const std::string& host)
{
    std::vector<int> ranks;
    for (const HostSnapshot& known : latestOfEachHost(run)) {
        if (known.host != host)
            continue;
        for (const WorkerSnapshot& worker : run.workers)
            if (worker.agent == known.agent && worker.attempt == run.attempt)
                ranks.push_back(worker.assignment.globalRank);
    }
    return ranks;
}

int workingHosts(const RunSnapshot& run)
{
    std::set<std::string> agents;
    for (const WorkerSnapshot& worker : run.workers)
        if (worker.attempt == run.attempt && worker.state == WorkerState::Healthy)
            agents.insert(worker.agent);
    return static_cast<int>(agents.size());
}

} // namespace ringmaster
