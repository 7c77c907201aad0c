#include "engine/job/Codes.h"
#include "engine/job/TorchrunLine.h"
#include "engine/job/WorkerCounts.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"
#include "engine/text/ShellWords.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// Puts the differences between a job and the default job into words.
class LineWriter
{
public:
    LineWriter(const JobSpec& spec, LineDialect dialect)
        : m_spec(spec)
        , m_role(spec.roles.empty() ? m_noRole : spec.roles.front())
        , m_dialect(dialect)
    {
    }

    CommandLine write()
    {
        m_line.words = m_dialect == LineDialect::Torchrun
                           ? std::vector<std::string>{"torchrun"}
                           : std::vector<std::string>{"ringmaster", "run"};
        writePlaces();
        writeRendezvous();
        writeRestart();
        writeLogs();
        writeOthers();
        writeOwn();
        writeEnvironment();
        writeProgram();
        return std::move(m_line);
    }

private:
    void writePlaces();
    void writeRendezvous();
    void writeConfiguration();
    void writeRestart();
    void writeLogs();
    void writeStreams(const char* option, const char* field, const StreamSelection& streams);
    void writeFilters(const char* option, const std::vector<std::string>& filters);
    void writeOthers();
    void writeSlurm();
    void writeContainer();
    void ownRepeated(const std::string& option, const std::vector<std::string>& values,
                     const std::string& what);
    void writeOwn();
    void writeEnvironment();
    void writeVariable(const std::string& name, const std::string& value);
    void writeProgram();

    void add(const std::string& option, const std::string& value);
    void addIf(const std::string& option, const std::string& value, const std::string& usual)
    {
        if (value != usual)
            add(option, value);
    }
    void addFlag(const std::string& option, bool on)
    {
        if (on)
            m_line.words.push_back(option);
    }
    void own(const std::string& option, const std::string& value, const std::string& usual,
             const std::string& what);
    void cannotSay(const std::string& what, const std::string& value = {});
    bool isTorchrun() const { return m_dialect == LineDialect::Torchrun; }

    const Role m_noRole{};
    const JobSpec m_defaults{};
    const JobSpec& m_spec;
    const Role& m_role;
    LineDialect m_dialect;
    CommandLine m_line;
};

void LineWriter::add(const std::string& option, const std::string& value)
{
    // argparse takes a word with a dash for an option unless it is joined.
    if (value.starts_with("-")) {
        m_line.words.push_back(option + "=" + value);
    } else {
        m_line.words.push_back(option);
        m_line.words.push_back(value);
    }
}

void LineWriter::cannotSay(const std::string& what, const std::string& value)
{
    m_line.cannotSay.push_back({code::LineCannotSay, {{"what", what}, {"value", value}}, {}});
}

void LineWriter::own(const std::string& option, const std::string& value, const std::string& usual,
                     const std::string& what)
{
    if (value == usual)
        return;
    if (isTorchrun())
        cannotSay(what, value);
    else
        add(option, value);
}

void LineWriter::writePlaces()
{
    const NodeRange& nodes = m_spec.nodes;
    const std::string minimum = std::to_string(nodes.min);
    const std::string range =
        nodes.min == nodes.max ? minimum : minimum + ":" + std::to_string(nodes.max);
    addFlag("--standalone", m_spec.rendezvous.standalone);
    addIf("--nnodes", range, "1");
    addIf("--nproc-per-node", workerCountText(m_role.workers), "1");
    if (m_spec.roles.size() > 1)
        cannotSay("roles", std::to_string(m_spec.roles.size()));
}

void LineWriter::writeConfiguration()
{
    std::vector<std::string> pairs;
    for (const auto& [key, value] : m_spec.rendezvous.configuration) {
        const bool sayable = !value.empty() && stripped(value) == value && !key.empty() &&
                             stripped(key) == key && value.find(',') == std::string::npos &&
                             key.find_first_of(",=") == std::string::npos;
        if (sayable)
            pairs.push_back(key + "=" + value);
        else
            cannotSay("rendezvous.configuration." + key, value);
    }
    addIf("--rdzv-conf", join(pairs, ","), "");
}

void LineWriter::writeRendezvous()
{
    const RendezvousSpec& rendezvous = m_spec.rendezvous;
    if (rendezvous.method == RendezvousMethod::C10d && !rendezvous.standalone)
        add("--rdzv-backend", "c10d");
    addIf("--rdzv-endpoint", rendezvous.endpoint, "");
    addIf("--rdzv-id", rendezvous.id, "none");
    writeConfiguration();
    addIf("--node-rank", std::to_string(rendezvous.nodeRank), "0");
    addIf("--master-addr", rendezvous.masterAddress, m_defaults.rendezvous.masterAddress);
    addIf("--master-port", std::to_string(rendezvous.masterPort), "29500");
    addIf("--local-addr", rendezvous.localAddress, "");
}

void LineWriter::writeRestart()
{
    const RestartSpec& restart = m_spec.restart;
    const RestartSpec& usual = m_defaults.restart;
    addIf("--max-restarts", std::to_string(restart.maxRestarts), "0");
    own("--backoff", durationText(restart.firstDelay), durationText(usual.firstDelay),
        "restart.first_delay");
    own("--longest-backoff", durationText(restart.longestDelay), durationText(usual.longestDelay),
        "restart.longest_delay");
    own("--minimum-healthy-time", durationText(restart.minimumHealthyTime),
        durationText(usual.minimumHealthyTime), "restart.minimum_healthy_time");
    own("--grace", durationText(restart.grace), durationText(usual.grace), "restart.grace");
    own("--exit-barrier-timeout", secondsText(restart.exitBarrier), secondsText(usual.exitBarrier),
        "restart.exit_barrier");
}

void LineWriter::writeStreams(const char* option, const char* field, const StreamSelection& streams)
{
    std::vector<std::string> pairs;
    for (const auto& [rank, mask] : streams.byLocalRank) {
        if (isTorchrun() && rank > 9)
            cannotSay(std::string("logs.") + field + "." + std::to_string(rank),
                      std::to_string(mask));
        else
            pairs.push_back(std::to_string(rank) + ":" + std::to_string(mask));
    }
    if (streams.all != 0 && !streams.byLocalRank.empty())
        cannotSay(std::string("logs.") + field + ".others", std::to_string(streams.all));
    const bool single = streams.byLocalRank.empty();
    const std::string value = single ? std::to_string(streams.all) : join(pairs, ",");
    if (!value.empty())
        addIf(option, value, "0");
}

void LineWriter::writeFilters(const char* option, const std::vector<std::string>& filters)
{
    if (filters.empty())
        return;
    std::vector<std::string> items;
    for (size_t i = 0; i < filters.size(); ++i) {
        // Three commas in a row are read as a comma and a separator, in this order.
        const bool lost = (i > 0 && filters[i].starts_with(",")) ||
                          (filters[i].empty() && i > 0 && i + 1 < filters.size());
        if (lost)
            return cannotSay(option, join(filters, " "));
        std::string item;
        for (const char c : filters[i])
            item.append(c == ',' ? 2 : 1, c);
        items.push_back(item);
    }
    add(option, join(items, ","));
}

void LineWriter::writeLogs()
{
    const LogSpec& logs = m_spec.logs;
    addIf("--log-dir", logs.folder, "");
    writeStreams("--redirects", "redirect", logs.redirects);
    writeStreams("--tee", "tee", logs.tee);
    std::vector<std::string> ranks;
    for (const int rank : logs.localRanksFilter)
        ranks.push_back(std::to_string(rank));
    addIf("--local-ranks-filter", join(ranks, ","), "");
    writeFilters("--duplicate-stdout-filters", logs.duplicateStdoutFilters);
    writeFilters("--duplicate-stderr-filters", logs.duplicateStderrFilters);
    addIf("--logs-specs", m_spec.logsSpecs, "");
}

void LineWriter::writeOthers()
{
    addIf("--monitor-interval", secondsText(m_spec.monitorInterval),
          secondsText(m_defaults.monitorInterval));
    const std::vector<std::string> methods = split(findOption("start_method")->choices, ',');
    if (std::ranges::find(methods, m_spec.startMethod) != methods.end())
        addIf("--start-method", m_spec.startMethod, "spawn");
    else
        cannotSay("start_method", m_spec.startMethod);
    addIf("--event-log-handler", m_spec.eventLogHandler, "null");
    addIf("--role", m_role.name, "default");
    addIf("--numa-binding", m_spec.numaBinding, "");
    addIf("--signals-to-handle", join(m_spec.signalsToHandle, ","),
          join(m_defaults.signalsToHandle, ","));
    addFlag("--virtual-local-rank", m_spec.virtualLocalRank);
}

void LineWriter::writeSlurm()
{
    const SlurmSpec& slurm = m_spec.slurm;
    own("--slurm-partition", slurm.partition, "", "slurm.partition");
    own("--slurm-account", slurm.account, "", "slurm.account");
    own("--slurm-time", slurm.time, "", "slurm.time");
    own("--slurm-gpus-per-node", std::to_string(slurm.gpusPerNode), "0", "slurm.gpus_per_node");
    ownRepeated("--slurm-option", slurm.options, "slurm.options");
}

void LineWriter::writeContainer()
{
    const ContainerSpec& container = m_spec.container;
    own("--image", m_role.image, "", "image");
    own("--container-engine", container.engine, "", "container.engine");
    ownRepeated("--container-mount", container.mounts, "container.mounts");
    ownRepeated("--container-device", container.devices, "container.devices");
    ownRepeated("--container-option", container.options, "container.options");
}

void LineWriter::ownRepeated(const std::string& option, const std::vector<std::string>& values,
                             const std::string& what)
{
    if (isTorchrun() && !values.empty())
        return cannotSay(what, join(values, " "));
    for (const std::string& value : values)
        add(option, value);
}

void LineWriter::writeOwn()
{
    std::vector<std::string> devices;
    for (const int device : m_role.devices)
        devices.push_back(std::to_string(device));
    own("--name", m_spec.name, "", "name");
    own("--backend", m_spec.backendHint, "", "backend");
    own("--ring-algorithm", m_spec.ringAlgorithm, "auto", "ring_algorithm");
    own("--ring-interface", m_spec.ringInterface, "", "ring_interface");
    if (m_spec.runOn == RunOn::Slurm && isTorchrun())
        cannotSay("run_on", "slurm");
    addFlag("--slurm", m_spec.runOn == RunOn::Slurm && !isTorchrun());
    writeSlurm();
    writeContainer();
    own("--hosts", join(m_spec.hosts, ","), "", "hosts");
    own("--devices-per-worker", std::to_string(m_role.devicesPerWorker), "0", "devices_per_worker");
    if (isTorchrun()) {
        if (!m_role.interpreter.empty())
            m_line.environment["PYTHON_EXEC"] = m_role.interpreter;
        if (!devices.empty())
            m_line.environment["CUDA_VISIBLE_DEVICES"] = join(devices, ",");
        m_line.workingFolder = m_role.workingFolder;
        if (m_spec.plain)
            cannotSay("plain", "true");
        if (!m_spec.recordOperations)
            cannotSay("record_operations", "false");
        if (m_spec.warm != WarmMode::Auto)
            cannotSay("warm", std::string(textOf(m_spec.warm)));
        if (!m_spec.preload.empty())
            cannotSay("preload", join(m_spec.preload, ","));
        return;
    }
    addFlag("--plain", m_spec.plain);
    addIf("--warm", std::string(textOf(m_spec.warm)), "auto");
    addIf("--preload", join(m_spec.preload, ","), "");
    addFlag("--no-record-operations", !m_spec.recordOperations);
    addIf("--python", m_role.interpreter, "");
    addIf("--working-folder", m_role.workingFolder, "");
    addIf("--devices", join(devices, ","), "");
}

void LineWriter::writeVariable(const std::string& name, const std::string& value)
{
    if (!isTorchrun() && !name.empty() && name.find('=') == std::string::npos)
        return add("--env", name + "=" + value);
    const bool taken = m_line.environment.contains(name) || name.starts_with("PET_") ||
                       name == "PYTHON_EXEC" || name == "TORCH_ELASTIC_SHUTDOWN_TIMEOUT";
    if (isVariableName(name) && !taken)
        m_line.environment[name] = value;
    else
        cannotSay("environment." + name, value);
}

void LineWriter::writeEnvironment()
{
    for (const auto& [name, value] : m_role.environment)
        writeVariable(name, value);
}

void LineWriter::writeProgram()
{
    switch (m_role.kind) {
    case ProgramKind::Script: break;
    case ProgramKind::Module: m_line.words.emplace_back("--module"); break;
    case ProgramKind::Command: m_line.words.emplace_back("--no-python"); break;
    case ProgramKind::RunPath: m_line.words.emplace_back("--run-path"); break;
    }
    const std::vector<std::string>& arguments = m_role.arguments;
    if (m_role.program.empty() && arguments.empty())
        return;
    if (m_role.program.starts_with("-") || (!arguments.empty() && arguments.front() == "--"))
        m_line.words.emplace_back("--");
    m_line.words.push_back(m_role.program);
    m_line.words.insert(m_line.words.end(), arguments.begin(), arguments.end());
}

/// Pieces that stay on one line: an option with its value, a word, a variable.
std::vector<std::string> pieces(const CommandLine& line)
{
    std::vector<std::string> all;
    for (const auto& [name, value] : line.environment)
        all.push_back(name + "=" + (value.empty() ? "" : shellQuoted(value)));
    bool joins = false;
    for (const std::string& word : line.words) {
        const std::string quoted = shellQuoted(word);
        if (joins && !word.starts_with("-"))
            all.back() += " " + quoted;
        else
            all.push_back(quoted);
        const OptionRow* option =
            word.starts_with("--") ? findOption(OptionRow{word}.destination()) : nullptr;
        joins = option != nullptr && option->takesValue();
    }
    return all;
}

} // namespace

std::string CommandLine::text(size_t columns) const
{
    std::string all;
    if (!workingFolder.empty())
        all = "cd " + shellQuoted(workingFolder) + " && ";
    size_t used = all.size();
    bool fresh = true;
    for (const std::string& piece : pieces(*this)) {
        const bool wraps = columns > 0 && !fresh && used + piece.size() + 3 > columns;
        if (wraps)
            all += " \\\n  ";
        else if (!fresh)
            all += " ";
        used = (wraps ? 2 : used + (fresh ? 0 : 1)) + piece.size();
        all += piece;
        fresh = false;
    }
    return all;
}

CommandLine toCommandLine(const JobSpec& spec, LineDialect dialect)
{
    return LineWriter(spec, dialect).write();
}

} // namespace ringmaster
