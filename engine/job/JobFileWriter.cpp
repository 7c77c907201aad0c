#include "engine/job/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/WorkerCounts.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"

#include <array>
#include <cstdio>

namespace ringmaster {

namespace {

constexpr size_t LineLength = 100;

/// Writes a job in the order in which a person explains it: what, where, when it fails, the rest.
class JobWriter
{
public:
    explicit JobWriter(const JobSpec& spec) : m_spec(spec) {}

    Result<std::string> write()
    {
        const bool flat = m_spec.roles.size() == 1;
        line("name", m_spec.name, m_defaults.name);
        if (flat)
            writeRole(m_spec.roles.front(), "role", false);
        writeJob();
        if (flat)
            writeTable("environment", m_spec.roles.front().environment);
        writeRestart();
        writeRendezvous();
        writeLogs();
        writeSlurm();
        writeContainer();
        for (size_t i = 0; !flat && i < m_spec.roles.size(); ++i) {
            m_text += "\n[[role]]\n";
            writeRole(m_spec.roles[i], "name", true);
            writeTable("role.environment", m_spec.roles[i].environment);
        }
        if (!m_notUtf8.empty())
            return fail(code::JobTextNotUtf8, {{"text", m_notUtf8}});
        return std::move(m_text);
    }

private:
    void writeRole(const Role& role, const char* nameKey, bool alwaysName);
    void writeJob();
    void writeRestart();
    void writeRendezvous();
    void writeLogs();
    void writeSlurm();
    void writeContainer();
    void writeTable(const std::string& name, const std::map<std::string, std::string>& values);
    void writeConfiguration();
    void writeStreams(const char* key, const StreamSelection& streams);

    std::string quoted(const std::string& text);
    std::string keyText(const std::string& key);
    void raw(const std::string& key, const std::string& value);
    void line(const std::string& key, const std::string& value, const std::string& usual);
    void line(const std::string& key, int value, int usual);
    void line(const std::string& key, bool value, bool usual);
    void line(const std::string& key, std::chrono::milliseconds value,
              std::chrono::milliseconds usual);
    void list(const std::string& key, const std::vector<std::string>& values,
              const std::vector<std::string>& usual);
    void list(const std::string& key, const std::vector<int>& values);
    void array(const std::string& key, const std::vector<std::string>& items);

    const JobSpec m_defaults{};
    const JobSpec& m_spec;
    std::string m_section; ///< A "[table]" that is written before its first line.
    std::string m_text;
    std::string m_notUtf8;
};

std::string JobWriter::quoted(const std::string& text)
{
    if (!isUtf8(text) && m_notUtf8.empty())
        m_notUtf8 = pythonRepr(text);
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        std::array<char, 8> escape{};
        if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (c == '\n' || c == '\t')
            result += c == '\n' ? "\\n" : "\\t";
        else if (byte < 0x20 || byte == 0x7F)
            result.append(escape.data(), static_cast<size_t>(std::snprintf(
                                             escape.data(), escape.size(), "\\u%04X", byte)));
        else
            result += c;
    }
    return result + "\"";
}

std::string JobWriter::keyText(const std::string& key)
{
    const bool bare =
        !key.empty() && key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                              "0123456789_-") == std::string::npos;
    return bare ? key : quoted(key);
}

void JobWriter::raw(const std::string& key, const std::string& value)
{
    if (!m_section.empty())
        m_text += (m_text.empty() || m_text.ends_with("\n\n") ? "" : "\n") + m_section + "\n";
    m_section.clear();
    m_text += keyText(key) + " = " + value + "\n";
}

void JobWriter::line(const std::string& key, const std::string& value, const std::string& usual)
{
    if (value != usual)
        raw(key, quoted(value));
}

void JobWriter::line(const std::string& key, int value, int usual)
{
    if (value != usual)
        raw(key, std::to_string(value));
}

void JobWriter::line(const std::string& key, bool value, bool usual)
{
    if (value != usual)
        raw(key, value ? "true" : "false");
}

void JobWriter::line(const std::string& key, std::chrono::milliseconds value,
                     std::chrono::milliseconds usual)
{
    if (value != usual)
        raw(key, quoted(durationText(value)));
}

void JobWriter::array(const std::string& key, const std::vector<std::string>& items)
{
    const std::string joined = join(items, ", ");
    if (key.size() + joined.size() + 5 <= LineLength)
        return raw(key, "[" + joined + "]");
    std::string lines = "[\n";
    for (const std::string& item : items)
        lines += "    " + item + ",\n";
    raw(key, lines + "]");
}

void JobWriter::list(const std::string& key, const std::vector<std::string>& values,
                     const std::vector<std::string>& usual)
{
    if (values == usual)
        return;
    std::vector<std::string> items;
    for (const std::string& value : values)
        items.push_back(quoted(value));
    array(key, items);
}

void JobWriter::list(const std::string& key, const std::vector<int>& values)
{
    std::vector<std::string> items;
    for (const int value : values)
        items.push_back(std::to_string(value));
    if (!items.empty())
        array(key, items);
}

void JobWriter::writeTable(const std::string& name,
                           const std::map<std::string, std::string>& values)
{
    m_section = "[" + name + "]";
    for (const auto& [key, value] : values)
        raw(key, quoted(value));
    m_section.clear();
}

void JobWriter::writeRole(const Role& role, const char* nameKey, bool alwaysName)
{
    if (alwaysName)
        raw(nameKey, quoted(role.name));
    const char* key = "program";
    switch (role.kind) {
    case ProgramKind::Script: break;
    case ProgramKind::Module: key = "module"; break;
    case ProgramKind::Command: key = "command"; break;
    case ProgramKind::RunPath: key = "run_path"; break;
    }
    raw(key, quoted(role.program));
    list("arguments", role.arguments, {});
    const std::string count = workerCountText(role.workers);
    raw("workers", role.workers.kind == WorkerCount::Kind::Number ? count : quoted(count));
    if (!alwaysName)
        line(nameKey, role.name, "default");
    line("interpreter", role.interpreter, "");
    line("working_folder", role.workingFolder, "");
    list("devices", role.devices);
    line("devices_per_worker", role.devicesPerWorker, 0);
    line("image", role.image, "");
}

void JobWriter::writeJob()
{
    const NodeRange& nodes = m_spec.nodes;
    if (nodes.min != nodes.max)
        raw("nodes", quoted(std::to_string(nodes.min) + ":" + std::to_string(nodes.max)));
    else
        line("nodes", nodes.min, 1);
    line("run_on", std::string(textOf(m_spec.runOn)), "hosts");
    list("hosts", m_spec.hosts, {});
    line("backend", m_spec.backendHint, "");
    line("ring_algorithm", m_spec.ringAlgorithm, m_defaults.ringAlgorithm);
    line("ring_interface", m_spec.ringInterface, "");
    line("numa_binding", m_spec.numaBinding, "");
    line("virtual_local_rank", m_spec.virtualLocalRank, false);
    line("plain", m_spec.plain, false);
    line("record_operations", m_spec.recordOperations, true);
    line("warm", std::string(textOf(m_spec.warm)), "auto");
    list("preload", m_spec.preload, {});
    list("signals", m_spec.signalsToHandle, m_defaults.signalsToHandle);
    line("monitor_interval", m_spec.monitorInterval, m_defaults.monitorInterval);
    line("start_method", m_spec.startMethod, m_defaults.startMethod);
    line("event_log_handler", m_spec.eventLogHandler, m_defaults.eventLogHandler);
    line("logs_specs", m_spec.logsSpecs, "");
}

void JobWriter::writeRestart()
{
    const RestartSpec& restart = m_spec.restart;
    const RestartSpec& usual = m_defaults.restart;
    m_section = "[restart]";
    line("max", restart.maxRestarts, usual.maxRestarts);
    line("first_delay", restart.firstDelay, usual.firstDelay);
    line("longest_delay", restart.longestDelay, usual.longestDelay);
    line("minimum_healthy_time", restart.minimumHealthyTime, usual.minimumHealthyTime);
    line("grace", restart.grace, usual.grace);
    line("exit_barrier", restart.exitBarrier, usual.exitBarrier);
    m_section.clear();
}

void JobWriter::writeConfiguration()
{
    std::vector<std::string> pairs;
    for (const auto& [key, value] : m_spec.rendezvous.configuration) {
        const auto number = pythonInt(value);
        const bool plain = number && std::to_string(*number) == value;
        pairs.push_back(keyText(key) + " = " + (plain ? value : quoted(value)));
    }
    if (!pairs.empty())
        raw("configuration", "{ " + join(pairs, ", ") + " }");
}

void JobWriter::writeRendezvous()
{
    const RendezvousSpec& rendezvous = m_spec.rendezvous;
    const RendezvousSpec& usual = m_defaults.rendezvous;
    m_section = "[rendezvous]";
    if (rendezvous.method == RendezvousMethod::C10d)
        raw("method", quoted("c10d"));
    line("standalone", rendezvous.standalone, false);
    line("endpoint", rendezvous.endpoint, "");
    line("id", rendezvous.id, usual.id);
    line("node_rank", rendezvous.nodeRank, 0);
    line("master_address", rendezvous.masterAddress, usual.masterAddress);
    line("master_port", rendezvous.masterPort, usual.masterPort);
    line("local_address", rendezvous.localAddress, "");
    writeConfiguration();
    m_section.clear();
}

void JobWriter::writeStreams(const char* key, const StreamSelection& streams)
{
    const auto name = [this](std::uint8_t mask) {
        static constexpr std::array<const char*, 4> Names{"none", "stdout", "stderr", "both"};
        return quoted(Names.at(mask & 3U));
    };
    if (streams.byLocalRank.empty() && streams.all != 0)
        return raw(key, name(streams.all));
    std::vector<std::string> pairs;
    if (streams.all != 0)
        pairs.push_back("others = " + name(streams.all));
    for (const auto& [rank, mask] : streams.byLocalRank)
        pairs.push_back(std::to_string(rank) + " = " + name(mask));
    if (!pairs.empty())
        raw(key, "{ " + join(pairs, ", ") + " }");
}

void JobWriter::writeLogs()
{
    const LogSpec& logs = m_spec.logs;
    m_section = "[logs]";
    line("folder", logs.folder, "");
    writeStreams("redirect", logs.redirects);
    writeStreams("tee", logs.tee);
    list("local_ranks", logs.localRanksFilter);
    list("duplicate_stdout", logs.duplicateStdoutFilters, {});
    list("duplicate_stderr", logs.duplicateStderrFilters, {});
    m_section.clear();
}

void JobWriter::writeSlurm()
{
    const SlurmSpec& slurm = m_spec.slurm;
    m_section = "[slurm]";
    line("partition", slurm.partition, "");
    line("account", slurm.account, "");
    line("time", slurm.time, "");
    line("gpus_per_node", slurm.gpusPerNode, 0);
    list("options", slurm.options, {});
    m_section.clear();
}

void JobWriter::writeContainer()
{
    const ContainerSpec& container = m_spec.container;
    m_section = "[container]";
    line("engine", container.engine, "");
    list("mounts", container.mounts, {});
    list("devices", container.devices, {});
    list("options", container.options, {});
    m_section.clear();
}

} // namespace

Result<std::string> jobFileText(const JobSpec& spec)
{
    return JobWriter(spec).write();
}

} // namespace ringmaster
