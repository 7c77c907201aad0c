#include "engine/worker/warm/WarmRequest.h"

#include "engine/base/DescriptorLimit.h"
#include "engine/base/Files.h"
#include "engine/base/Fnv1a.h"
#include "engine/base/Paths.h"
#include "engine/text/PythonPath.h"
#include "engine/worker/KeeperProtocol.h"
#include "engine/worker/hook/StartHook.h"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>
#include <sys/resource.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr auto LoadTimePrefixes = std::to_array<std::string_view>(
    {"ATEN_",     "BLIS_",  "DNNL_",   "GLIBC_", "GOMP_",    "GOTO_",  "KMP_",
     "LC_",       "LD_",    "MALLOC_", "MKL_",   "NUMEXPR_", "OMP_",   "ONEDNN_",
     "OPENBLAS_", "PYTHON", "PYTORCH", "TORCH",  "TRITON_",  "VECLIB_"});
constexpr auto LoadTimeNames = std::to_array<std::string_view>({"HOME", "LANG", "LANGUAGE", "TZ"});

/// A worker's or an attempt's own, and read when they are used.
constexpr auto OwnPrefixes = std::to_array<std::string_view>({"TORCHELASTIC_"});
constexpr auto OwnNames = std::to_array<std::string_view>(
    {"RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK", "GROUP_WORLD_SIZE",
     "ROLE_NAME", "ROLE_RANK", "ROLE_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "RINGMASTER_RUN",
     "RINGMASTER_HOOK"});

/// proc(5), /proc/PID/status: what a process has from its parent and a fork can't undo.
constexpr auto InheritedFields = std::to_array<std::string_view>(
    {"Uid:", "Gid:", "Groups:", "Umask:", "NoNewPrivs:", "Seccomp:", "CapInh:", "CapPrm:",
     "CapEff:", "CapBnd:", "CapAmb:", "Cpus_allowed:", "Mems_allowed:", "THP_enabled:"});
constexpr auto Namespaces =
    std::to_array<std::string_view>({"cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts"});

template <class Names>
bool isOneOf(const Names& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

template <class Prefixes>
bool beginsWithOneOf(const Prefixes& prefixes, std::string_view name)
{
    return std::ranges::any_of(prefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string_view nameOf(std::string_view line)
{
    return line.substr(0, line.find('='));
}

bool isOwn(std::string_view name)
{
    return beginsWithOneOf(OwnPrefixes, name) || isOneOf(OwnNames, name);
}

bool isLoadTime(std::string_view name)
{
    return !isOwn(name) &&
           (beginsWithOneOf(LoadTimePrefixes, name) || isOneOf(LoadTimeNames, name));
}

std::string withoutHook(const std::string& line)
{
    const auto hook = hookStartFolder();
    if (!line.starts_with("PYTHONPATH=") || !hook)
        return line;
    const std::string first = "PYTHONPATH=" + hook->string();
    if (line == first)
        return {};
    return line.starts_with(first + ":") ? "PYTHONPATH=" + line.substr(first.size() + 1) : line;
}

std::string digest(std::string_view text)
{
    return fmt::format("{:016x}", Fnv1a().add(text).value());
}

/// Its meaning depends on the folder that the interpreter starts in.
bool hasRelativePath(const std::vector<std::string>& environment)
{
    constexpr std::string_view Name = "PYTHONPATH=";
    return std::ranges::any_of(environment, [&](const std::string& line) {
        return line.starts_with(Name) && hasRelativeFolder(line.substr(Name.size()));
    });
}

std::string inherited()
{
    std::ostringstream text;
    for (int resource = 0; resource < RLIMIT_NLIMITS; ++resource) {
        rlimit limit{};
        if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0)
            continue;
        if (resource == RLIMIT_NOFILE)
            limit.rlim_cur = usersDescriptorLimit();
        text << limit.rlim_cur << ' ' << limit.rlim_max << '\n';
    }
    text << getpriority(PRIO_PROCESS, 0) << '\n';
    for (const char* file : {"/proc/self/cgroup", "/proc/self/oom_score_adj"})
        text << readFile(file).value_or("") << '\n';
    std::istringstream status(readFile("/proc/self/status").value_or(""));
    for (std::string line; std::getline(status, line);) {
        if (beginsWithOneOf(InheritedFields, line))
            text << line << '\n';
    }
    for (const std::string_view name : Namespaces) {
        std::error_code ignored;
        text << fs::read_symlink("/proc/self/ns/" + std::string(name), ignored).string() << '\n';
    }
    return text.str();
}

} // namespace

std::vector<std::string> loadTimeVariables(const std::vector<std::string>& environment)
{
    std::vector<std::string> found;
    for (const std::string& line : environment) {
        const std::string kept = withoutHook(line);
        if (!kept.empty() && isLoadTime(nameOf(kept)))
            found.push_back(kept);
    }
    std::ranges::sort(found);
    return found;
}

std::string differingVariable(const std::vector<WorkerLaunch>& launches)
{
    std::vector<std::string> first;
    for (const WorkerLaunch& launch : launches) {
        std::vector<std::string> variables = loadTimeVariables(launch.environment);
        std::vector<std::string> different;
        if (&launch == &launches.front())
            first = std::move(variables);
        else
            std::ranges::set_symmetric_difference(first, variables, std::back_inserter(different));
        if (!different.empty())
            return std::string(nameOf(different.front()));
    }
    return {};
}

std::vector<std::string> starterEnvironment(const std::vector<std::string>& environment)
{
    std::vector<std::string> kept;
    for (const std::string& line : environment) {
        std::string text = withoutHook(line);
        if (!text.empty() && !isOwn(nameOf(text)))
            kept.push_back(std::move(text));
    }
    return kept;
}

std::string warmKey(const WarmRequest& request)
{
    std::string text = request.interpreter + '\n';
    text += std::to_string(keeper::ProtocolVersion) + '\n'; // It outlives updates.
    for (const std::string& module : request.settings.preload)
        text += module + '\n';
    for (const std::string& line : loadTimeVariables(request.environment))
        text += line + '\n';
    if (hasRelativePath(request.environment) && !request.programs.empty())
        text += request.programs.front().folder + '\n';
    text += std::to_string(request.settings.memoryLimit) + '\n';
    return digest(text + inherited());
}

fs::path starterMemory()
{
    return stateFolder() / "warm";
}

std::string interpreterMark(const std::string& interpreter)
{
    return digest(interpreter);
}

Result<std::string> starterNamePrefix()
{
    const fs::path folder = RM_TRY(runtimeFolder());
    return "ringmaster-warm-" + digest(folder.string()) + "-";
}

Result<std::string> starterName(const std::string& interpreter)
{
    return RM_TRY(starterNamePrefix()) + interpreterMark(interpreter);
}

} // namespace ringmaster
