#include "engine/worker/keeper/KeeperProcess.h"

#include <cstdio>

#include <sys/socket.h>
#include <sys/stat.h>

/// Started by the agent alone, with its end of a socket pair as descriptor 3.
int main()
{
    using namespace ringmaster;
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(keeper::SocketDescriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        std::fputs("ringmaster-keeper: is started by ringmaster, not by hand\n", stderr);
        return 2;
    }
    keeper::KeeperProcess(FileDescriptor(keeper::SocketDescriptor)).run();
    return 0;
}
