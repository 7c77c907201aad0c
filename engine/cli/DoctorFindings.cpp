#include "engine/cli/DoctorFindings.h"

#include "engine/base/Environment.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/base/Version.h"
#include "engine/cli/StrayFindings.h"
#include "engine/cli/Text.h"
#include "engine/cli/TorchObjects.h"
#include "engine/machine/Devices.h"
#include "engine/machine/Interpreters.h"
#include "engine/worker/KeeperConnection.h"

#include <filesystem>

#include <sys/utsname.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t LittleSpace = 1ULL << 30U;
constexpr std::uint64_t LittleSharedMemory = 256ULL << 20U;

DoctorFinding keeperFound()
{
    const fs::path keeper = keeperExecutable();
    if (::access(keeper.c_str(), X_OK) == 0)
        return {Grade::Good, "installation", "ringmaster " RINGMASTER_VERSION, {}};
    return {Grade::Bad, "installation", keeper.string() + " is missing",
            "Install the package again; the keeper belongs beside the command."};
}

DoctorFinding kernelFits()
{
    utsname system{};
    ::uname(&system);
    const std::string name = std::string(system.sysname) + " " + system.release;
    int major = 0;
    int minor = 0;
    if (std::sscanf(system.release, "%d.%d", &major, &minor) == 2 && // NOLINT: two small numbers
        std::pair(major, minor) < std::pair(5, 4))
        return {Grade::Bad, "kernel", name, "Linux 5.4 or newer is needed (pidfd)."};
    return {Grade::Good, "kernel", name, {}};
}

DoctorFinding runtimeFolderWorks()
{
    const auto folder = runtimeFolder();
    if (!folder)
        return {Grade::Bad, "sockets", describe(folder.error()),
                "Set XDG_RUNTIME_DIR to a folder of yours."};
    const bool isFallback = *folder == "/tmp/ringmaster-" + std::to_string(::getuid());
    return {isFallback ? Grade::Warning : Grade::Good, "sockets", folder->string(),
            isFallback ? "XDG_RUNTIME_DIR isn't set; a login session sets it." : ""};
}

DoctorFinding runsFolderWorks()
{
    const fs::path folder = runsFolder();
    if (const auto made = makeFolder(folder); !made || ::access(folder.c_str(), W_OK) != 0)
        return {Grade::Bad, "runs", folder.string() + " can't be written",
                "Make it yours, or set XDG_STATE_HOME."};
    std::error_code error;
    const auto space = fs::space(folder, error);
    const std::string text = folder.string() + ", " + sizeText(space.available) + " free";
    if (!error && space.available < LittleSpace)
        return {Grade::Warning, "runs", text, "Free some space, or `ringmaster prune`."};
    if (isOnNetworkFileSystem(folder))
        return {Grade::Warning, "runs",
                text + ", on a file system that isn't known to be this machine's own",
                "Slower; set XDG_STATE_HOME to a local folder."};
    return {Grade::Good, "runs", text, {}};
}

DoctorFinding sharedMemorySuffices()
{
    std::error_code error;
    const auto space = fs::space("/dev/shm", error);
    const std::string text = "/dev/shm, " + sizeText(space.available) + " free";
    if (error || space.available < LittleSharedMemory)
        return {Grade::Warning, "shared memory", text,
                "Data loaders and NCCL need more; in a container start it with --shm-size."};
    return {Grade::Good, "shared memory", text, {}};
}

void addInterpreters(std::vector<DoctorFinding>& findings, MissingObjects missing)
{
    std::error_code error;
    const Interpreters interpreters(currentEnvironment());
    const std::string active = interpreters.active();
    std::string withTorch;
    bool hasActiveTorch = false;
    for (const Interpreter& one : interpreters.all(fs::current_path(error))) {
        std::string text = one.path + ", Python " + one.version;
        if (!one.torchVersion.empty())
            text += ", torch " + one.torchVersion;
        if (one.path == active)
            text += " (jobs use this one)";
        if (withTorch.empty() && !one.torchVersion.empty())
            withTorch = one.path;
        hasActiveTorch = hasActiveTorch || (one.path == active && !one.torchVersion.empty());
        findings.push_back({Grade::Good, "interpreter", text, {}});
        for (DoctorFinding& object : torchObjects(one, missing))
            findings.push_back(std::move(object));
    }
    if (withTorch.empty())
        findings.push_back({Grade::Warning, "torch", "no interpreter has torch",
                            "python3 -m venv ~/venv && ~/venv/bin/pip install torch, then name it "
                            "with --python or activate it."});
    else if (!hasActiveTorch)
        findings.push_back({Grade::Warning, "torch", "the interpreter that jobs use has none",
                            "Name another with --python " + withTorch + ", or activate it."});
}

void addDevices(std::vector<DoctorFinding>& findings)
{
    const DeviceList list = listDevices();
    for (const Device& device : list.devices) {
        std::string text = std::to_string(device.index) + ": " + device.name + ", " +
                           sizeText(static_cast<std::uint64_t>(device.usedBytes)) + " of " +
                           sizeText(static_cast<std::uint64_t>(device.totalBytes)) + " in use";
        for (const DeviceProcess& process : device.processes)
            text += ", process " + std::to_string(process.pid);
        findings.push_back({Grade::Good, "GPU", text, {}});
    }
    for (const Message& finding : strayFindings(deviceUsers(list.devices)))
        findings.push_back({Grade::Warning, "GPU", describe(finding), {}});
    if (list.absence)
        findings.push_back({Grade::Warning, "GPU", describe(*list.absence), {}});
}

} // namespace

std::vector<DoctorFinding> examineMachine(MissingObjects missing)
{
    std::vector<DoctorFinding> findings{keeperFound(), kernelFits(), runtimeFolderWorks(),
                                        runsFolderWorks(), sharedMemorySuffices()};
    addInterpreters(findings, missing);
    addDevices(findings);
    return findings;
}

} // namespace ringmaster
