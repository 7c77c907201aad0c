#include "engine/export/SbatchScript.h"

#include "engine/export/PlacedLine.h"
#include "engine/job/Codes.h"
#include "engine/job/SlurmSpec.h"
#include "engine/job/WorkerCounts.h"
#include "engine/text/ShellWords.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// As asked for, else as the workers need.
int gpusPerNode(const JobSpec& spec)
{
    const Role& role = spec.roles.front();
    if (spec.slurm.gpusPerNode > 0 || role.workers.kind != WorkerCount::Kind::Number)
        return spec.slurm.gpusPerNode;
    return role.devicesPerWorker * role.workers.number;
}

class ScriptWriter
{
public:
    ScriptWriter(const JobSpec& spec, PlacedLine line)
        : m_spec(spec), m_role(spec.roles.front()), m_line(std::move(line))
    {
    }

    SbatchScript write()
    {
        m_text = "#!/bin/bash\n";
        writeRequest();
        m_text += "\nset -euo pipefail\n";
        writeEnvironment();
        writeRendezvous();
        writeStep();
        return {std::move(m_text), std::move(m_line.cannotSay), std::move(m_line.needs)};
    }

private:
    void request(const std::string& option) { m_text += "#SBATCH " + option + "\n"; }

    void writeRequest();
    void writeEnvironment();
    void writeRendezvous();
    void writeStep();

    const JobSpec& m_spec;
    const Role& m_role;
    PlacedLine m_line;
    std::string m_text;
};

void ScriptWriter::writeRequest()
{
    // sbatch splits the rest of the line as a shell does.
    std::string name = m_spec.displayName();
    std::ranges::replace_if(
        name, [](unsigned char c) { return c < ' '; }, ' ');
    request("--job-name=" + shellQuoted(name));
    for (const std::string& option : slurmRequest(m_spec))
        request(option);
}

void ScriptWriter::writeEnvironment()
{
    if (!m_role.workingFolder.empty())
        m_text += "cd " + shellQuoted(m_role.workingFolder) + "\n";
    for (const auto& [name, value] : m_line.environment)
        m_text += "export " + name + "=" + (value.empty() ? "" : shellQuoted(value)) + "\n";
    for (const std::string& name : m_line.secrets)
        m_text += ": \"${" + name + ":?set it where you call sbatch}\"\n";
}

/// The script itself runs on the first node of the allocation; two jobs that share it want two
/// ports.
void ScriptWriter::writeRendezvous()
{
    m_text += "\nhead=$(hostname)\nport=$((20000 + SLURM_JOB_ID % 10000))\n";
}

void ScriptWriter::writeStep()
{
    std::vector<std::string> words{"srun", "--kill-on-bad-exit=1"};
    const auto add = [&words](const std::vector<std::string>& more) {
        for (const std::string& word : more)
            words.push_back(shellQuoted(word));
    };
    add(m_line.torchrun);
    words.insert(words.end(),
                 {"--nnodes \"$SLURM_JOB_NUM_NODES\"",
                  "--nproc-per-node " + workerCountText(m_role.workers), "--rdzv-backend c10d",
                  "--rdzv-id \"$SLURM_JOB_ID\"", "--rdzv-endpoint \"$head:$port\""});
    add(m_line.options);
    for (const PlacedLine::Word& word : m_line.program) {
        words.emplace_back();
        for (const PlacedLine::Part& part : word)
            words.back() += part.isVariable ? "\"$" + part.text + "\"" : shellQuoted(part.text);
    }
    std::string line = words.front();
    for (size_t i = 1; i < words.size(); ++i)
        line += (words[i].starts_with("--") ? " \\\n    " : " ") + words[i];
    m_text += line + "\n";
}

} // namespace

std::vector<std::string> slurmRequest(const JobSpec& spec)
{
    const NodeRange& nodes = spec.nodes;
    const std::string minimum = std::to_string(nodes.min);
    std::vector<std::string> options{
        "--nodes=" +
        (nodes.min == nodes.max ? minimum : minimum + "-" + std::to_string(nodes.max))};
    // With a range, Slurm would count the tasks of the smallest and give no more nodes than those.
    if (nodes.min == nodes.max)
        options.push_back("--ntasks-per-node=1");
    if (const int gpus = gpusPerNode(spec); gpus > 0)
        options.push_back("--gpus-per-node=" + std::to_string(gpus));
    const auto addIf = [&options](const std::string& option, const std::string& value) {
        if (!value.empty())
            options.push_back(option + "=" + value);
    };
    addIf("--partition", spec.slurm.partition);
    addIf("--account", spec.slurm.account);
    addIf("--time", spec.slurm.time);
    options.insert(options.end(), spec.slurm.options.begin(), spec.slurm.options.end());
    return options;
}

Result<SbatchScript> toSbatchScript(const JobSpec& asked)
{
    if (const auto errors = errorsOf(asked.slurm); !errors.empty())
        return tl::unexpected(Error{errors.front().message});
    const JobSpec spec = RM_TRY(withCountOfHosts(asked));
    return ScriptWriter(spec, RM_TRY(placedLine(spec))).write();
}

} // namespace ringmaster
