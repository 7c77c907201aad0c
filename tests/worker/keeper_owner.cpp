// Owns a keeper with two workers that have children of their own, says "ready", and waits to be
// killed.
#include "WorkerFixture.h"
#include "engine/worker/Subreaper.h"

#include <cstdio>

using namespace ringmaster;

int main(int, char** argv)
{
    EventLoop loop;
    test::RecordingHost host;
    if (!becomeSubreaper())
        return 2;
    Keeper keeper(loop, host, {.executable = test::builtKeeper()});
    std::vector<WorkerLaunch> launches;
    launches.push_back(test::launchOf(0, {"children"}, argv[1]));
    launches.push_back(test::launchOf(1, {"ignore-term"}, argv[1]));
    if (!keeper.start(std::move(launches)))
        return 2;
    // Rank 0 with three children, and rank 1.
    (void)test::runUntil(loop, [&] { return test::processesOf(argv[1]).size() == 5; });
    std::printf("ready %d\n", keeper.pid());
    std::fflush(stdout);
    loop.run();
}
