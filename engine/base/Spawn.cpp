#include "engine/base/Spawn.h"

#include "engine/base/Codes.h"
#include "engine/base/DescriptorLimit.h"
#include "engine/base/ProcessSignal.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// posix_spawn's two tables, freed.
struct SpawnTables
{
    SpawnTables()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnTables()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnTables(const SpawnTables&) = delete;
    SpawnTables& operator=(const SpawnTables&) = delete;

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

void setApart(SpawnTables& tables)
{
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&tables.attributes, &all);
    posix_spawnattr_setsigmask(&tables.attributes, &none);
    posix_spawnattr_setflags(&tables.attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
}

/// The child's descriptors are put in place one after the other: one that has a low number itself
/// would be overwritten before its turn, so a copy with a high one takes its place.
Result<std::vector<FileDescriptor>> setDescriptors(SpawnTables& tables,
                                                   const std::vector<int>& descriptors)
{
    std::vector<FileDescriptor> copies;
    const int count = static_cast<int>(descriptors.size());
    for (int number = 0; number < count; ++number) {
        int ours = descriptors[static_cast<std::size_t>(number)];
        if (ours >= 0 && ours < count && ours != number) {
            copies.emplace_back(fcntl(ours, F_DUPFD_CLOEXEC, count));
            ours = copies.back().get();
            if (ours < 0)
                return fail(code::SystemCallFailed, {{"call", "dup"}}, errnoText(errno));
        }
        if (ours < 0)
            posix_spawn_file_actions_addopen(&tables.actions, number, "/dev/null", O_RDWR, 0);
        else
            posix_spawn_file_actions_adddup2(&tables.actions, ours, number);
    }
    posix_spawn_file_actions_addclosefrom_np(&tables.actions, count);
    return copies;
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str())); // An old signature; it only reads.
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

Result<pid_t> spawn(const SpawnRequest& request)
{
    SpawnTables tables;
    setApart(tables);
    const std::vector<FileDescriptor> copies = RM_TRY(setDescriptors(tables, request.descriptors));
    if (!request.workingFolder.empty())
        posix_spawn_file_actions_addchdir_np(&tables.actions, request.workingFolder.c_str());
    static const std::vector<std::string> None;
    const auto variables = pointersTo(request.environment ? *request.environment : None);
    const std::string& program = request.command.front();
    pid_t child = -1;
    const int error = posix_spawn(&child, program.c_str(), &tables.actions, &tables.attributes,
                                  pointersTo(request.command).data(),
                                  request.environment ? variables.data() : environ);
    if (error != 0)
        return fail(code::SystemCallFailed, {{"call", program}}, errnoText(error));
    restoreDescriptorLimit(child);
    return child;
}

Result<WatchedChild> spawnWatched(const SpawnRequest& request)
{
    const pid_t pid = RM_TRY(spawn(request));
    FileDescriptor pidfd = pidfdOf(pid);
    if (pidfd.isOpen())
        return WatchedChild{pid, std::move(pidfd)};
    const int error = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(code::SystemCallFailed, {{"call", "pidfd_open"}}, errnoText(error));
}

} // namespace ringmaster
