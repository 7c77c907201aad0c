#include "engine/worker/KeeperProtocol.h"
#include "engine/worker/keeper/Guard.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace {

/// The agent has raised its own limit. What is started here has the user's, from its first moment.
void takeUsersLimit()
{
    const char* text =
        std::getenv("RINGMASTER_DESCRIPTORS"); // NOLINT(concurrency-mt-unsafe): one thread
    rlimit limit{};
    if (text == nullptr || getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = std::min<rlim_t>(std::strtoull(text, nullptr, 10), limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    unsetenv("RINGMASTER_DESCRIPTORS"); // NOLINT(concurrency-mt-unsafe): one thread
}

} // namespace

/// Started by the agent as `ringmaster-keeper TITLE`, with its end of a socket pair as
/// descriptor 3. Above each keeper: `--guard PID TITLE`. To start something that outlives the
/// agent: `--detach PROGRAM …`.
int main(int count, char** arguments)
{
    using namespace ringmaster;
    takeUsersLimit();
    const std::string_view role = count > 2 ? arguments[1] : "";
    if (role == "--guard" && count > 3)
        return keeper::guard(std::atoi(arguments[2]), arguments[3], keeper::inheritedContainers());
    if (role == "--detach")
        return keeper::runDetached(arguments + 2);
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(keeper::SocketDescriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        std::fputs("ringmaster-keeper: is started by ringmaster, not by hand\n", stderr);
        return 2;
    }
    return keeper::keepGuarded(count > 1 ? arguments[1] : "");
}
