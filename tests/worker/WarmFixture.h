#pragma once

#include "WorkerFixture.h"
#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/worker/warm/WarmRequest.h"
#include "tests/support/TorchInterpreter.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include <sys/wait.h>

namespace ringmaster::test {

/// Starters of this test alone: a runtime folder, a state folder and programs of its own.
class WarmPlace
{
public:
    WarmPlace()
    {
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
        std::filesystem::permissions(m_folder.path().toStdString(),
                                     std::filesystem::perms::owner_all);
    }

    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    std::string write(const std::string& name, const std::string& text) const
    {
        const std::filesystem::path path = folder() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path;
    }

    /// A program that imports what is quick to import.
    WarmRequest request(const std::string& program) const
    {
        return {.settings = {.owner = *identityOf(::getpid()),
                             .preload = {"decimal"},
                             .folder = folder() / "state",
                             .binaries = builtKeeper().parent_path()},
                .interpreter = torchInterpreter().toStdString(),
                .environment = environment(),
                .programs = {{.name = program, .folder = folder()}},
                .title = "warm-" + randomToken(8)};
    }

    std::vector<std::string> environment() const
    {
        return {"PATH=/usr/bin:/bin", "HOME=" + folder().string(), "LANG=C.UTF-8"};
    }

    WorkerLaunch launch(const WarmRequest& request, int localRank = 0,
                        const std::vector<std::string>& arguments = {}) const
    {
        WorkerLaunch launch;
        launch.localRank = localRank;
        launch.arguments = {request.interpreter, "-u", request.programs.front().name};
        launch.arguments.insert(launch.arguments.end(), arguments.begin(), arguments.end());
        launch.environment = request.environment;
        launch.environment.push_back("LOCAL_RANK=" + std::to_string(localRank));
        launch.environment.push_back("RINGMASTER_RUN=" + request.title);
        launch.workingFolder = folder();
        launch.standardInput = -1;
        return launch;
    }

private:
    QTemporaryDir m_folder;
};

/// A keeper that asks for warm starts.
struct WarmBench
{
    explicit WarmBench(WarmRequest wanted) : request(std::move(wanted)) {}

    bool until(const std::function<bool()>& condition) { return runUntil(loop, condition); }
    /// Whatever else the machine does: a cold start of torch on a busy one takes long.
    bool untilExit(int localRank)
    {
        const auto isOver = [&] {
            return host.exits.contains(localRank) || host.errors.contains(localRank);
        };
        return until(isOver) || until(isOver) || until(isOver) || until(isOver);
    }
    bool endAll()
    {
        const int before = host.timesAllGone;
        keeper.killAll();
        return until([&] { return host.timesAllGone > before; });
    }
    Code how() const
    {
        return host.explanations.empty() ? code::None : host.explanations.front().code;
    }
    pid_t starter() const
    {
        const auto& parameters = host.explanations.front().parameters;
        const auto found = parameters.find("pid");
        return found == parameters.end() ? -1 : std::stoi(found->second);
    }

    WarmRequest request;
    EventLoop loop;
    RecordingHost host;
    Keeper keeper{loop, host, {.executable = builtKeeper(), .title = request.title}};
};

/// Not there, or a zombie that init hasn't looked after yet.
inline bool isGone(pid_t pid)
{
    const auto identity = identityOf(pid);
    return !identity || !isAlive(*identity);
}

} // namespace ringmaster::test
