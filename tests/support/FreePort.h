#pragma once

#include <QHostAddress>
#include <QTcpServer>

#include <unistd.h>

namespace ringmaster::test {

/// A port of this machine that nobody listens on. Not one of those that the kernel gives to whoever
/// connects: another test's connection would have it before the process that it is meant for.
inline int freePort()
{
    constexpr int First = 10'000;
    constexpr int Count = 20'000;
    static int next = static_cast<int>(::getpid() * 97LL % Count);
    for (;;) {
        const int port = First + next;
        next = (next + 1) % Count;
        QTcpServer server;
        if (server.listen(QHostAddress::Any, static_cast<quint16>(port)))
            return port;
    }
}

} // namespace ringmaster::test
