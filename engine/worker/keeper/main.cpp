#include "engine/worker/KeeperProtocol.h"
#include "engine/worker/keeper/Guard.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/socket.h>
#include <sys/stat.h>

/// Started by the agent as `ringmaster-keeper TITLE`, with its end of a socket pair as
/// descriptor 3. Above each keeper: `--guard PID TITLE`. To start something that outlives the
/// agent: `--detach PROGRAM …`.
int main(int count, char** arguments)
{
    using namespace ringmaster;
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
