#include "engine/worker/Subreaper.h"

#include "engine/base/ChildProcess.h"
#include "engine/base/Codes.h"
#include "engine/worker/Descendants.h"

#include <cerrno>
#include <csignal>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

Result<void> becomeSubreaper()
{
    if (prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) != 0)
        return fail(code::SystemCallFailed, {{"call", "prctl"}}, errnoText(errno));
    return {};
}

bool isSubreaper()
{
    int is = 0;
    return prctl(PR_GET_CHILD_SUBREAPER, &is, 0L, 0L, 0L) == 0 && is != 0;
}

int sweepDescendants()
{
    int left = 0;
    ProcessTable processes;
    // Before the list: another thread may be starting one, which then is in both.
    processes.read();
    for (const ProcessRow& process : processes.descendantsOf(getpid(), ChildProcess::all())) {
        if (!process.isZombie)
            (void)signalProcess(process, SIGKILL);
        // By number, never "any child": the others' exit statuses belong to those who started them.
        if (process.parent != getpid() || waitpid(process.pid, nullptr, WNOHANG) != process.pid)
            ++left;
    }
    return left;
}

} // namespace ringmaster
