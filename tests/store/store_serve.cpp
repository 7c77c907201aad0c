// ringmaster-store-serve: serves one store until standard input ends, so that no test leaves it
// behind. The first line on standard output is its port. ringmaster-store-serve [port]

#include "engine/store/StoreServer.h"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

using namespace ringmaster;

int main(int count, char** arguments)
{
    StoreServer::Options options;
    options.hasLoopForItself = true;
    if (count > 1)
        options.port = static_cast<std::uint16_t>(std::atoi(arguments[1]));
    EventLoop loop;
    const auto server = StoreServer::listen(loop, std::move(options));
    if (!server) {
        std::fprintf(stderr, "ringmaster-store-serve: %s\n", describe(server.error()).c_str());
        return 2;
    }
    std::printf("%u\n", unsigned{(*server)->port()});
    std::fflush(stdout);
    const auto end = loop.watchReadable(STDIN_FILENO, [&loop] {
        char ignored[64];
        if (::read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
            loop.stop();
    });
    loop.run();
    return 0;
}
