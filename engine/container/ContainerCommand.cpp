#include "engine/container/ContainerCommand.h"

#include "engine/container/ContainerImage.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

/// Inherited, and meant for what runs inside as well.
bool isForWorkers(const std::string& name)
{
    static constexpr auto Prefixes = std::to_array<std::string_view>(
        {"NCCL_", "GLOO_", "TORCH", "PYTORCH_", "CUDA_", "OMP_", "MKL_", "SLURM_", "SLURMD_"});
    // Who has no line in the image's passwd has at least a name, which torch asks for.
    return name == "USER" || name == "LOGNAME" ||
           std::ranges::any_of(Prefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

using ContainerWords = std::vector<std::string>;

void append(ContainerWords& words, const ContainerWords& more)
{
    words.insert(words.end(), more.begin(), more.end());
}

/// SOURCE is mounted at the same path.
std::string asMount(const std::string& text)
{
    return text.find(':') == std::string::npos ? text + ":" + text : text;
}

ContainerWords asOci(const ContainerSpec& spec, const ContainerFacts& facts,
                     const WorkerEnvironment& environment)
{
    const bool isPodman = facts.engine == "podman";
    ContainerWords words{facts.program, "run",        "--rm",       "--network=host",
                         "--ipc=host",  "--pid=host", "--uts=host", "--entrypoint="};
    if (!isPodman)
        words.push_back("--user=" + std::to_string(facts.user) + ":" + std::to_string(facts.group));
    else if (facts.user != 0)
        words.push_back("--userns=keep-id");
    if (!facts.label.empty())
        words.push_back("--label=ringmaster=" + facts.label);
    if (!facts.workingFolder.empty())
        words.push_back("--workdir=" + facts.workingFolder);
    for (const std::string& mount : mountsOf(spec, facts))
        words.push_back("--volume=" + mount);
    if (facts.wantsGpus)
        words.push_back(isPodman ? "--device=nvidia.com/gpu=all" : "--gpus=all");
    for (const std::string& device : spec.devices)
        words.push_back("--device=" + device);
    for (const EnvironmentEntry& entry : environment.entries)
        if (entry.origin != VariableOrigin::Inherited || isForWorkers(entry.name))
            words.push_back("--env=" + entry.name);
    return words;
}

/// The environment is handed over as it is.
ContainerWords asApptainer(const ContainerSpec& spec, const ContainerFacts& facts)
{
    ContainerWords words{facts.program, "exec"};
    if (!facts.workingFolder.empty())
        words.push_back("--pwd=" + facts.workingFolder);
    for (const std::string& mount : mountsOf(spec, facts))
        words.push_back("--bind=" + mount);
    if (facts.wantsGpus)
        words.push_back("--nv");
    for (const std::string& device : spec.devices)
        words.push_back("--bind=" + device);
    return words;
}

/// Likewise; /dev is the host's. It knows no mode of a mount.
ContainerWords asCharliecloud(const ContainerSpec& spec, const ContainerFacts& facts)
{
    ContainerWords words{facts.program};
    if (!facts.workingFolder.empty())
        words.push_back("--cd=" + facts.workingFolder);
    for (const std::string& mount : mountsOf(spec, facts))
        words.push_back("--bind=" + mount.substr(0, mount.find(':', mount.find(':') + 1)));
    return words;
}

} // namespace

std::vector<std::string> mountsOf(const ContainerSpec& spec, const ContainerFacts& facts)
{
    ContainerWords mounts;
    for (const std::string& folder : facts.folders)
        mounts.push_back(folder + ":" + folder);
    if (!facts.workingFolder.empty())
        mounts.push_back(facts.workingFolder + ":" + facts.workingFolder);
    for (const std::string& mount : spec.mounts)
        mounts.push_back(asMount(mount));
    ContainerWords unique;
    for (const std::string& mount : mounts)
        if (std::ranges::find(unique, mount) == unique.end())
            unique.push_back(mount);
    return unique;
}

std::vector<std::string> containerCommand(const ContainerSpec& spec, const ContainerFacts& facts,
                                          const WorkerEnvironment& environment,
                                          const std::vector<std::string>& worker)
{
    ContainerWords words;
    if (facts.engine == "apptainer")
        words = asApptainer(spec, facts);
    else if (facts.engine == "charliecloud")
        words = asCharliecloud(spec, facts);
    else
        words = asOci(spec, facts, environment);
    append(words, optionsOfWorkers(spec, facts.engine));
    words.push_back(facts.image);
    if (facts.engine == "charliecloud")
        words.push_back("--");
    append(words, worker);
    return words;
}

} // namespace ringmaster
