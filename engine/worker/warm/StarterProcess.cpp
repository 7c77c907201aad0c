#include "engine/worker/warm/StarterProcess.h"

#include "engine/base/ChildProcess.h"
#include "engine/base/Codes.h"
#include "engine/base/DescriptorLimit.h"
#include "engine/base/DescriptorPassing.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/worker/Codes.h"
#include "engine/worker/KeeperConnection.h"
#include "engine/worker/Subreaper.h"

#include <cerrno>
#include <cstring>

#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr int Backlog = 64;
constexpr std::chrono::seconds HelperPatience{2};

struct Address
{
    explicit Address(const std::string& name)
    {
        native.sun_family = AF_UNIX;
        // Abstract: the first byte is 0.
        std::memcpy(&native.sun_path[1], name.data(),
                    std::min(name.size(), sizeof native.sun_path - 1));
        size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    }
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&native); }

    sockaddr_un native{};
    socklen_t size = 0;
};

FileDescriptor makeSocket()
{
    return FileDescriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
}

/// Anybody may take a name in the abstract namespace.
bool isOurs(int connection)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.uid == getuid();
}

fs::path keeperOf(const WarmSettings& settings)
{
    return settings.binaries.empty() ? keeperExecutable() : settings.binaries / "ringmaster-keeper";
}

/// Beside the executables, or where it is installed.
Result<fs::path> warmFolder(const WarmSettings& settings)
{
    const fs::path here = settings.binaries.empty() ? executableFolder() : settings.binaries;
    const fs::path beside = here / "ringmaster-warm";
    const fs::path installed = here.parent_path() / "libexec/ringmaster/warm";
    for (const fs::path& folder : {beside, installed}) {
        std::error_code ignored;
        if (fs::exists(folder / "start/sitecustomize.py", ignored) &&
            fs::exists(folder / "ringmaster-warm-keeper.so", ignored))
            return folder;
    }
    return fail(code::ColdNotInstalled, {{"path", beside.string()}});
}

std::vector<std::string> commandOf(const std::string& interpreter)
{
    // A worker's own flags. The module's name is never looked up: see warm/parts/.
    return {interpreter, "-u", "-m", "ringmaster"};
}

std::string optionsText(const WarmRequest& request, const fs::path& folder)
{
    const WarmSettings& settings = request.settings;
    return Json{{"name", interpreterMark(request.interpreter)},
                {"key", warmKey(request)},
                {"owner", {{"pid", settings.owner.pid}, {"started", settings.owner.startTime}}},
                {"preload", settings.preload},
                {"idle", settings.idle.count()},
                {"memory", settings.memoryLimit},
                {"folder", settings.folder.string()},
                {"runtime", runtimeFolder().value_or(fs::path()).string()},
                {"keeper", keeperOf(settings).string()},
                {"meminfo", settings.memoryFile.string()},
                {"library", (folder / "ringmaster-warm-keeper.so").string()},
                {"command", commandOf(request.interpreter)}}
        .dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::vector<std::string> environmentOf(const WarmRequest& request, const fs::path& folder)
{
    std::vector<std::string> environment = starterEnvironment(request.environment);
    const std::string start = (folder / "start").string();
    bool hasPath = false;
    for (std::string& line : environment) {
        if (!line.starts_with("PYTHONPATH="))
            continue;
        line.insert(line.find('=') + 1, start + ":");
        hasPath = true;
    }
    if (!hasPath)
        environment.push_back("PYTHONPATH=" + start);
    environment.push_back("RINGMASTER_STARTER=" + optionsText(request, folder));
    environment.push_back(usersDescriptorLimitVariable());
    return environment;
}

/// Through the keeper's executable, whose child becomes an orphan. It must not become ours, or
/// whoever sweeps what an agent leaves would find it.
Result<void> spawnDetached(SpawnRequest request, const fs::path& keeper)
{
    request.command.insert(request.command.begin(), {keeper.string(), "--detach"});
    const bool wasSubreaper = isSubreaper();
    prctl(PR_SET_CHILD_SUBREAPER, 0L, 0L, 0L, 0L);
    auto helper = ChildProcess::start(request);
    // It ends at once, unless it waits for a file server that doesn't answer.
    const bool isDone = helper && helper->endsWithin(HelperPatience);
    const std::optional<Message> survivor = helper ? helper->end() : std::nullopt;
    prctl(PR_SET_CHILD_SUBREAPER, wasSubreaper ? 1L : 0L, 0L, 0L, 0L);
    if (!helper)
        return fail(code::ColdStarterNotStarted, {}, helper.error().detail);
    if (!isDone) {
        const Message slow{code::TimedOut,
                           {{"what", keeper.string() + " --detach"},
                            {"seconds", std::to_string(HelperPatience.count())}},
                           {}};
        return fail(code::ColdStarterNotStarted, {}, describe(survivor ? *survivor : slow));
    }
    return {};
}

} // namespace

FileDescriptor connectToStarter(const std::string& name)
{
    FileDescriptor connection = makeSocket();
    const Address address(name);
    if (!connection.isOpen() || !setNonBlocking(connection.get()) ||
        connect(connection.get(), address.get(), address.size) != 0 || !isOurs(connection.get()))
        return {};
    return connection;
}

Result<FileDescriptor> spawnStarter(const std::string& name, const WarmRequest& request)
{
    const fs::path folder = RM_TRY(warmFolder(request.settings));
    RM_TRY(makeFolder(request.settings.folder));
    FileDescriptor listening = makeSocket();
    const Address address(name);
    if (bind(listening.get(), address.get(), address.size) != 0 && errno == EADDRINUSE)
        return connectToStarter(name);
    if (listen(listening.get(), Backlog) != 0)
        return fail(code::ColdStarterNotStarted, {}, errnoText(errno));
    RM_TRY(spawnDetached({.command = commandOf(request.interpreter),
                          .environment = environmentOf(request, folder),
                          .workingFolder = request.programs.front().folder,
                          .descriptors = {-1, -1, -1, listening.get()}},
                         keeperOf(request.settings)));
    return connectToStarter(name);
}

Result<void> askStarter(const FileDescriptor& connection, const std::string& question,
                        const FileDescriptor& attached)
{
    std::vector<int> descriptors;
    if (attached.isOpen())
        descriptors.push_back(attached.get());
    if (sendWithDescriptors(connection.get(), question, descriptors) < 0)
        return fail(code::ColdStarterGone, {}, errnoText(errno));
    return {};
}

} // namespace ringmaster
