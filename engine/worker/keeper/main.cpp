#include "engine/worker/keeper/Guard.h"
#include "engine/worker/keeper/KeeperProcess.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/socket.h>
#include <sys/stat.h>

/// Started by the agent, with its end of a socket pair as descriptor 3. Beside a warm keeper:
/// `--guard PID TITLE`. To start something that outlives the agent: `--detach PROGRAM …`.
int main(int count, char** arguments)
{
    using namespace ringmaster;
    const std::string_view role = count > 2 ? arguments[1] : "";
    if (role == "--guard") {
        keeper::guard(std::atoi(arguments[2]));
        return 0;
    }
    if (role == "--detach")
        return keeper::runDetached(arguments + 2);
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(keeper::SocketDescriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        std::fputs("ringmaster-keeper: is started by ringmaster, not by hand\n", stderr);
        return 2;
    }
    keeper::KeeperProcess(FileDescriptor(keeper::SocketDescriptor)).run();
    return 0;
}
