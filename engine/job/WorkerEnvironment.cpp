#include "engine/job/WorkerEnvironment.h"

#include "engine/job/Codes.h"
#include "engine/text/PythonPath.h"
#include "engine/text/PythonText.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr const char* VisibleDevices = "CUDA_VISIBLE_DEVICES";
constexpr const char* ThreadCount = "OMP_NUM_THREADS";

class EnvironmentBuilder
{
public:
    EnvironmentBuilder(const JobSpec& spec, const Role& role, const PlacementFacts& facts)
        : m_spec(spec), m_role(role), m_facts(facts)
    {
    }

    Result<WorkerEnvironment> build(const EnvironmentMap& base)
    {
        for (const auto& [name, value] : base)
            set(name, value, VariableOrigin::Inherited);
        for (const auto& [name, value] : m_role.environment)
            set(name, value, VariableOrigin::Job);
        RM_TRY(assignDevices());
        setRanks();
        setTorchelastic();
        setThreads();
        RM_TRY(setLocalRank());
        if (!m_spec.plain)
            setOwn();
        return finished();
    }

private:
    struct Value
    {
        std::string text;
        VariableOrigin origin = VariableOrigin::Inherited;
    };

    void set(const std::string& name, std::string value,
             VariableOrigin origin = VariableOrigin::Torchrun)
    {
        m_values[name] = {std::move(value), origin};
    }
    void set(const std::string& name, int value) { set(name, std::to_string(value)); }
    /// Keeps what is there already, whoever set it.
    void setMissing(const std::string& name, const std::string& value, VariableOrigin origin)
    {
        m_values.try_emplace(name, Value{value, origin});
    }

    Result<void> assignDevices();
    void setRanks();
    void setTorchelastic();
    void setThreads();
    Result<void> setLocalRank();
    void setOwn();
    void setPythonPath(const std::string& first, const std::string& last);
    WorkerEnvironment finished();

    const JobSpec& m_spec;
    const Role& m_role;
    const PlacementFacts& m_facts;
    std::map<std::string, Value> m_values;
    bool m_warns = false;
};

/// The devices chosen in the job, or this worker's share of them (of all that are visible).
Result<void> EnvironmentBuilder::assignDevices()
{
    std::vector<std::string> devices;
    for (const int device : m_role.devices)
        devices.push_back(std::to_string(device));
    if (!devices.empty())
        set(VisibleDevices, join(devices, ","), VariableOrigin::Job);
    const int each = m_role.devicesPerWorker;
    if (each <= 0)
        return {};
    const auto visible = m_values.find(VisibleDevices);
    if (devices.empty() && visible != m_values.end())
        devices = split(visible->second.text, ',');
    const int first = m_facts.firstDevice >= 0 ? m_facts.firstDevice : m_facts.localRank * each;
    std::vector<std::string> share;
    for (int i = first; i < first + each; ++i) {
        if (devices.empty())
            share.push_back(std::to_string(i));
        else if (static_cast<size_t>(i) < devices.size())
            share.emplace_back(stripped(devices[static_cast<size_t>(i)]));
        else
            return fail(code::DevicesTooFew, {{"rank", std::to_string(m_facts.localRank)},
                                              {"each", std::to_string(each)},
                                              {"devices", join(devices, ",")}});
    }
    set(VisibleDevices, join(share, ","), VariableOrigin::Job);
    return {};
}

void EnvironmentBuilder::setRanks()
{
    set("RANK", m_facts.globalRank);
    set("GROUP_RANK", m_facts.groupRank);
    set("ROLE_RANK", m_facts.roleRank);
    set("ROLE_NAME", m_role.name);
    set("LOCAL_WORLD_SIZE", m_facts.localWorldSize);
    set("WORLD_SIZE", m_facts.worldSize);
    set("GROUP_WORLD_SIZE", m_facts.groupWorldSize);
    set("ROLE_WORLD_SIZE", m_facts.roleWorldSize);
    set("MASTER_ADDR", m_facts.masterAddress);
    set("MASTER_PORT", m_facts.masterPort);
}

void EnvironmentBuilder::setTorchelastic()
{
    set("TORCHELASTIC_RESTART_COUNT", m_facts.restartCount);
    set("TORCHELASTIC_MAX_RESTARTS", m_spec.restart.maxRestarts);
    set("TORCHELASTIC_RUN_ID", m_facts.runId);
    // Python's str(bool): torch compares with exactly this text.
    set("TORCHELASTIC_USE_AGENT_STORE", m_facts.useAgentStore ? "True" : "False");
    set("TORCHELASTIC_ERROR_FILE", m_facts.errorFile);
    set("TORCHELASTIC_SIGNALS_TO_HANDLE", join(m_spec.signalsToHandle, ","));
    if (!m_facts.timerFile.empty())
        set("TORCHELASTIC_TIMER_FILE", m_facts.timerFile);
    setMissing("TORCH_NCCL_ASYNC_ERROR_HANDLING", "1", VariableOrigin::Torchrun);
}

void EnvironmentBuilder::setThreads()
{
    m_warns = !m_values.contains(ThreadCount) && m_facts.localWorldSize > 1;
    if (m_warns)
        set(ThreadCount, 1);
}

Result<void> EnvironmentBuilder::setLocalRank()
{
    if (!m_spec.virtualLocalRank) {
        set("LOCAL_RANK", m_facts.localRank);
        return {};
    }
    set("LOCAL_RANK", 0);
    // Already this worker's own share.
    if (m_role.devicesPerWorker > 0)
        return {};
    const auto visible = m_values.find(VisibleDevices);
    if (visible == m_values.end()) {
        set(VisibleDevices, m_facts.localRank);
        return {};
    }
    const std::vector<std::string> devices = split(visible->second.text, ',');
    const auto index = static_cast<size_t>(m_facts.localRank);
    if (index >= devices.size())
        return fail(code::LocalRankExceedsDevices, {{"rank", std::to_string(m_facts.localRank)},
                                                    {"devices", visible->second.text}});
    set(VisibleDevices, std::string(stripped(devices[index])));
    return {};
}

void EnvironmentBuilder::setOwn()
{
    if (m_facts.outputToPipe)
        setMissing("PYTHONUNBUFFERED", "1", VariableOrigin::Ringmaster);
    if (!m_facts.runToken.empty())
        set("RINGMASTER_RUN", m_facts.runToken, VariableOrigin::Ringmaster);
    const bool hasHook = !m_facts.hookFolder.empty() && !m_facts.hook.empty();
    setPythonPath(hasHook ? m_facts.hookFolder : "", m_facts.ringFolder);
    if (hasHook)
        set("RINGMASTER_HOOK", m_facts.hook, VariableOrigin::Ringmaster);
    if (hasHook && !m_facts.ncclProfiler.empty())
        setMissing("NCCL_PROFILER_PLUGIN", m_facts.ncclProfiler, VariableOrigin::Ringmaster);
    if (m_spec.ringAlgorithm != JobSpec().ringAlgorithm)
        set("RINGMASTER_RING_ALGORITHM", m_spec.ringAlgorithm, VariableOrigin::Ringmaster);
    if (!m_spec.ringInterface.empty())
        set("RINGMASTER_RING_INTERFACE", m_spec.ringInterface, VariableOrigin::Ringmaster);
}

void EnvironmentBuilder::setPythonPath(const std::string& first, const std::string& last)
{
    if (first.empty() && last.empty())
        return;
    const auto found = m_values.find("PYTHONPATH");
    const std::string given = found != m_values.end() ? found->second.text : std::string();
    set("PYTHONPATH", pythonPathWith(first, given, last), VariableOrigin::Ringmaster);
}

WorkerEnvironment EnvironmentBuilder::finished()
{
    WorkerEnvironment environment;
    environment.warnsAboutThreads = m_warns;
    for (auto& [name, value] : m_values)
        environment.entries.push_back({name, std::move(value.text), value.origin});
    return environment;
}

} // namespace

EnvironmentMap WorkerEnvironment::variables() const
{
    EnvironmentMap map;
    for (const EnvironmentEntry& entry : entries)
        map[entry.name] = entry.value;
    return map;
}

const EnvironmentEntry* WorkerEnvironment::find(std::string_view name) const
{
    const auto found = std::ranges::find(entries, name, &EnvironmentEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

Result<WorkerEnvironment> workerEnvironment(const JobSpec& spec, const Role& role,
                                            const PlacementFacts& facts, const EnvironmentMap& base)
{
    return EnvironmentBuilder(spec, role, facts).build(base);
}

const std::vector<OwnVariable>& ownVariables()
{
    static const std::vector<OwnVariable> variables{
        {"NCCL_PROFILER_PLUGIN", "Tells when NCCL's operations begin and end on the GPU, where "
                                 "there are GPUs, unless it is "
                                 "set; none switches it off."},
        {"PYTHONPATH",
         "The start-up hook's folder comes first, that of the backend ring last; what was "
         "there is between them."},
        {"PYTHONUNBUFFERED",
         "1 where output goes to a pipe, unless it is set: lines appear at once."},
        {"RINGMASTER_HOOK",
         "The parts of the start-up hook: what records the operations of process groups, for one."},
        {"RINGMASTER_RING_ALGORITHM", "How the ring's collectives go, where the job says it."},
        {"RINGMASTER_RING_INTERFACE", "The ring's interface between hosts, where the job says it."},
        {"RINGMASTER_RUN", "The run's token: what a killed agent leaves behind is found by it."}};
    return variables;
}

std::string_view threadsWarning()
{
    return "\n*****************************************\n"
           "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to "
           "avoid your system being overloaded, please further tune the variable for optimal "
           "performance in your application as needed. \n"
           "*****************************************";
}

} // namespace ringmaster
