#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/ProcessInfo.h"
#include "engine/worker/Keeper.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ringmaster::test {

inline std::string fakeWorker()
{
    return RINGMASTER_BUILD_DIR "/tests/fake_worker";
}

inline std::filesystem::path builtKeeper()
{
    return RINGMASTER_BUILD_DIR "/bin/ringmaster-keeper";
}

/// Runs the loop until the condition holds; false after 30 s.
inline bool runUntil(EventLoop& loop, const std::function<bool()>& condition)
{
    using namespace std::chrono_literals;
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    bool held = false;
    EventLoop::Registration timer;
    const std::function<void()> look = [&] {
        held = condition();
        if (held || std::chrono::steady_clock::now() > deadline)
            loop.stop();
        else
            timer = loop.callAfter(1ms, look);
    };
    timer = loop.callAfter(0ms, look);
    loop.run();
    return held;
}

/// Writes down what the keeper says.
struct RecordingHost : Keeper::Host
{
    void workerStarted(int localRank, pid_t pid, Moment) override { pids[localRank] = pid; }
    void workerNotStarted(int localRank, const Error& error) override
    {
        errors.emplace(localRank, error);
    }
    void workerExited(int localRank, const WorkerExit& exit) override
    {
        exits.emplace(localRank, exit);
    }
    void startExplained(const Message& how) override { explanations.push_back(how); }
    void sessionEnded(int localRank) override { endedSessions.insert(localRank); }
    void allGone() override { ++timesAllGone; }
    void keeperDied(const Error& error) override
    {
        death = error;
        ++timesDied;
    }

    std::map<int, pid_t> pids;
    std::vector<Message> explanations;
    std::map<int, Error> errors;
    std::map<int, WorkerExit> exits;
    std::set<int> endedSessions;
    int timesAllGone = 0;
    std::optional<Error> death;
    int timesDied = 0;
};

/// A keeper, its loop and its host.
struct KeeperBench
{
    EventLoop loop;
    RecordingHost host;
    Keeper keeper{loop, host, {.executable = builtKeeper(), .title = "test"}};

    bool until(const std::function<bool()>& condition) { return runUntil(loop, condition); }
    bool endAll()
    {
        const int before = host.timesAllGone;
        keeper.killAll();
        return until([&] { return host.timesAllGone > before; });
    }
};

template <class... Launches>
std::vector<WorkerLaunch> listOf(Launches... launches)
{
    std::vector<WorkerLaunch> list;
    (list.push_back(std::move(launches)), ...);
    return list;
}

inline WorkerLaunch launchOf(int localRank, std::vector<std::string> arguments,
                             const std::string& token = "none")
{
    WorkerLaunch launch;
    launch.localRank = localRank;
    launch.arguments = std::move(arguments);
    launch.arguments.insert(launch.arguments.begin(), fakeWorker());
    launch.environment = {"PATH=/usr/bin:/bin", "RINGMASTER_TEST_TOKEN=" + token};
    launch.standardInput = -1;
    return launch;
}

inline std::vector<pid_t> processesOf(const std::string& token)
{
    return processesWithEnvironment("RINGMASTER_TEST_TOKEN", token);
}

} // namespace ringmaster::test
