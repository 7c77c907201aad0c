#include "engine/cli/RunOnMachine.h"

#include "engine/base/Thread.h"
#include "engine/cli/RunReporter.h"
#include "engine/cli/RunShownHere.h"
#include "engine/cli/StandardStreams.h"
#include "engine/cli/Terminal.h"
#include "engine/control/RemoteLaunch.h"
#include "engine/job/Codes.h"
#include "engine/job/WorkerCommand.h"
#include "engine/remote/Codes.h"

#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>

#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int InterruptedExit = 128 + SIGINT;

/// What a job is that runs there by itself.
Result<void> checkAlone(const RunOptions& options)
{
    const auto refused = [&](std::string_view option) {
        return fail(code::OnWithOption,
                    {{"host", options.machine}, {"option", std::string(option)}});
    };
    if (!options.spec.hosts.empty())
        return refused("--hosts");
    if (options.spec.runOn == RunOn::Slurm)
        return refused("--slurm");
    if (!options.lesson.empty())
        return refused("--lesson");
    if (options.isPreview)
        return refused("--slurm-preview");
    return {};
}

/// It may have been removed since the shell entered it; the shell still has its name.
Result<std::filesystem::path> workingFolder(const EnvironmentMap& environment)
{
    std::error_code error;
    std::filesystem::path folder = std::filesystem::current_path(error);
    if (!error)
        return folder;
    const auto name = environment.find("PWD");
    return fail(code::WorkingFolderMissing,
                {{"path", name != environment.end() ? name->second : "."}}, error.message());
}

/// A launch that a terminal waits for. Ctrl+C ends it.
class LaunchOnMachine : private RemoteLaunch::Owner
{
public:
    LaunchOnMachine(const RemoteMachine& machine, Consoles consoles, bool isQuiet)
        : m_machine(machine), m_consoles(consoles), m_isQuiet(isQuiet)
    {
    }

    /// The run's id; nothing: it was refused there, or interrupted, which is said. Then exitCode().
    Result<std::optional<std::string>> run(MachineLaunch launch, const std::string& home)
    {
        m_signals =
            m_loop.watchSignals({SIGINT, SIGTERM}, [this](int /*signal*/) { interrupted(); });
        m_launch = RM_TRY(RemoteLaunch::start(m_loop, *this, m_machine, std::move(launch), home));
        m_loop.run();
        m_launch.reset();
        if (!m_outcome)
            return tl::unexpected(m_outcome.error());
        if (m_outcome->exitCode != 0)
            return std::nullopt;
        return m_outcome->run;
    }

    int exitCode() const { return m_outcome ? m_outcome->exitCode : 0; }

private:
    void interrupted()
    {
        if (m_isStarting)
            m_outcome = fail(code::RunStartUnknown, {{"host", m_machine.host.name}});
        else
            m_outcome = RemoteLaunch::Outcome{.exitCode = InterruptedExit};
        m_loop.stop();
    }

    void launchReached(LaunchStep step) override { m_isStarting = step == LaunchStep::Starting; }

    void launchTold(const Message& progress) override
    {
        if (!m_isQuiet)
            Terminal(STDERR_FILENO, m_consoles.error)
                .say(harmlessLines(describe(progress)), Terminal::Style::Dim);
    }

    void launchPrinted(std::string_view text) override { m_consoles.error->write(text); }

    void launchEnded(const Result<RemoteLaunch::Outcome>& outcome) override
    {
        m_outcome = outcome;
        m_loop.stop();
    }

    const RemoteMachine& m_machine;
    Consoles m_consoles;
    bool m_isQuiet;
    bool m_isStarting = false;
    Result<RemoteLaunch::Outcome> m_outcome;
    EventLoop m_loop;
    EventLoop::Registration m_signals;
    std::unique_ptr<RemoteLaunch> m_launch;
};

Result<int> runThere(const RunOptions& options, const EnvironmentMap& environment,
                     Consoles consoles)
{
    RM_TRY(checkAlone(options));
    const std::filesystem::path folder = RM_TRY(workingFolder(environment));
    const RemoteMachine machine = RM_TRY(RemoteMachine::find(options.machine));
    MachineLaunch there{.machine = options.machine, .spec = options.spec, .folder = folder};
    if (options.isPinned)
        there.options.emplace_back("--pin");
    if (options.isQuiet)
        there.options.emplace_back("--quiet");
    const auto home = environment.find("HOME");

    LaunchOnMachine launch(machine, consoles, options.isQuiet || options.isDetached);
    const auto run =
        RM_TRY(launch.run(std::move(there), home != environment.end() ? home->second : ""));
    if (!run)
        return launch.exitCode();
    if (options.isDetached) {
        consoles.output->write(*run + "\n");
        return 0;
    }
    return RunShownHere(machine,
                        {.run = *run,
                         .program = entryPointName(options.spec.roles.front(), environment),
                         .isQuiet = options.isQuiet,
                         .grace = options.spec.restart.grace,
                         .consoles = consoles})
        .untilItsEnd();
}

} // namespace

int runOnMachine(RunOptions options, const EnvironmentMap& environment)
{
    const auto streams = StandardStreams::open();
    if (!streams)
        return complain(streams.error());
    int exitCode = 0;
    const auto ran = guardThreads([&]() -> Result<void> {
        exitCode = RM_TRY(runThere(options, environment, (*streams)->consoles()));
        return {};
    });
    (*streams)->finish(Console::Patience::UntilStalled);
    return ran ? exitCode : complain(ran.error());
}

} // namespace ringmaster
