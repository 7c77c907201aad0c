// In the warm starter: it adopts what a keeper and its guard leave when both are killed, and ends
// it. Without that it would be init's, and nobody could tell whose it had been.

#include "engine/worker/Descendants.h"
#include "engine/worker/keeper/Family.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

/// A keeper whose guard alone was killed goes on; the kernel cuts its name.
constexpr const char* KeeperName = "ringmaster-keep\n";

bool isKeeper(pid_t pid)
{
    const std::string path = "/proc/" + std::to_string(pid) + "/comm";
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 32> name{};
    return file.isOpen() && read(file.get(), name.data(), name.size() - 1) > 0 &&
           std::strcmp(name.data(), KeeperName) == 0;
}

/// What imports have started is there before any keeper.
std::vector<pid_t>& ownChildren()
{
    static std::vector<pid_t> children; // What a C interface has to keep between its calls.
    return children;
}

std::vector<ProcessRow> childrenOf(pid_t parent, const std::vector<ProcessRow>& rows)
{
    std::vector<ProcessRow> children;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(children),
                 [parent](const ProcessRow& row) { return row.parent == parent; });
    return children;
}

} // namespace

} // namespace ringmaster::keeper

using namespace ringmaster;
using namespace ringmaster::keeper;

#define RM_EXPORT extern "C" __attribute__((visibility("default")))

/// Once: from now on orphans are this process's. The descriptor is readable when a child has ended.
RM_EXPORT int ringmaster_adopt()
{
    for (const ProcessRow& child : childrenOf(getpid(), descendantsOf(getpid())))
        ownChildren().push_back(child.pid);
    prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, nullptr);
    return signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Kills what was adopted, all but the guards (which are reaped elsewhere) and keepers; to be
/// called again whenever a child has ended.
RM_EXPORT void ringmaster_end_orphans(int signals, const pid_t* guards, std::size_t count)
{
    forgetSignals(signals);
    std::vector<pid_t> spared = ownChildren();
    spared.insert(spared.end(), guards, guards + count);
    for (const ProcessRow& child : childrenOf(getpid(), descendantsOf(getpid(), spared))) {
        if (child.isZombie) {
            (void)waitpid(child.pid, nullptr, WNOHANG);
            continue;
        }
        if (isKeeper(child.pid))
            continue;
        for (const ProcessRow& descendant : descendantsOf(child.pid))
            (void)signalProcess(descendant, SIGKILL);
        (void)signalProcess(child, SIGKILL);
    }
}
