#include "engine/worker/keeper/Guard.h"

#include "engine/worker/keeper/Family.h"
#include "engine/worker/keeper/WorkerChild.h"

#include <cerrno>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

/// False: there is no child any more. `sawKeeper` is set when it was among those that ended.
bool reap(pid_t keeper, bool& sawKeeper)
{
    for (;;) {
        const pid_t ended = waitpid(-1, nullptr, WNOHANG);
        if (ended < 0)
            return errno != ECHILD;
        if (ended == 0)
            return true;
        sawKeeper = sawKeeper || ended == keeper;
    }
}

} // namespace

void guard(pid_t keeper)
{
    const FileDescriptor signals = watchChildren();
    bool isOver = false;
    while (reap(keeper, isOver) && !isOver) {
        pollfd children{signals.get(), POLLIN, 0};
        (void)poll(&children, 1, -1);
        forgetSignals(signals.get());
    }
    endDescendants(signals.get(), [&] { return reap(keeper, isOver); });
}

int runDetached(char* const* arguments)
{
    setsid();
    const pid_t child = fork();
    if (child != 0)
        return child < 0 ? CouldNotExecute : 0;
    setsid();
    execvp(arguments[0], arguments);
    return CouldNotExecute;
}

} // namespace ringmaster::keeper
