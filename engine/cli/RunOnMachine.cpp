#include "engine/cli/RunOnMachine.h"

#include "engine/base/Thread.h"
#include "engine/cli/RunReporter.h"
#include "engine/cli/RunShownHere.h"
#include "engine/cli/StandardStreams.h"
#include "engine/cli/Terminal.h"
#include "engine/hosts/HostJob.h"
#include "engine/hosts/NamedHosts.h"
#include "engine/job/JobFile.h"
#include "engine/job/WorkerCommand.h"
#include "engine/record/RunFolder.h"
#include "engine/remote/Codes.h"
#include "engine/remote/RemoteCommand.h"

#include <csignal>
#include <optional>

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

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

/// Brings the program there, and starts the agent. Ctrl+C ends it.
class LaunchOnMachine : private RemoteCommand::Owner
{
public:
    LaunchOnMachine(const RemoteMachine& machine, Consoles consoles, bool isQuiet)
        : m_machine(machine), m_consoles(consoles), m_isQuiet(isQuiet)
    {
    }

    /// The run's id; nothing: it was refused there, or interrupted, which is said. Then exitCode().
    Result<std::optional<std::string>> run(const std::optional<CodeCopy>& copy,
                                           const CommandRequest& request)
    {
        m_signals =
            m_loop.watchSignals({SIGINT, SIGTERM}, [this](int /*signal*/) { interrupted(); });
        m_request = request;
        if (copy)
            bring(*copy);
        else
            launch();
        m_loop.run();
        m_command.reset();
        if (m_error)
            return tl::unexpected(*m_error);
        if (m_exitCode != 0)
            return std::nullopt;
        while (!m_answer.empty() && m_answer.back() == '\n')
            m_answer.pop_back();
        if (!RunFolder::isId(m_answer))
            return fail(code::RemoteCommandMalformed, {{"host", m_machine.host.name}});
        return m_answer;
    }

    int exitCode() const { return m_exitCode; }

private:
    void say(const Message& what)
    {
        if (!m_isQuiet)
            Terminal(STDERR_FILENO, m_consoles.error)
                .say(harmlessLines(describe(what)), Terminal::Style::Dim);
    }

    void bring(const CodeCopy& copy)
    {
        constexpr auto Longest = 24h; // rsync itself gives up when nothing gets on
        say({code::CodeIsCopied,
             {{"host", copy.host.name}, {"folder", copy.folder}, {"target", copy.target}},
             {}});
        m_children.start({.arguments = rsyncCommand(m_machine.ssh, copy), .patience = Longest},
                         [this, copy](const Result<ChildCommand::Outcome>& outcome) {
                             if (!outcome)
                                 return failed(outcome.error());
                             if (!isCopied(outcome->exitCode))
                                 return failed(
                                     copyFailure(copy, outcome->exitCode, outcome->error));
                             say(codeCopied(copy, outcome->output));
                             launch();
                         });
    }

    void launch()
    {
        auto command = RemoteCommand::start(
            m_loop, *this, m_machine.wayTo({"command"}, CommandSentinel), m_request);
        if (!command)
            return failed(command.error());
        m_command = *std::move(command);
    }

    void failed(const Error& why)
    {
        m_error = why;
        m_loop.stop();
    }

    void interrupted()
    {
        m_exitCode = InterruptedExit;
        if (m_command)
            m_error = Error{{code::RunStartUnknown, {{"host", m_machine.host.name}}, {}}, {}};
        m_loop.stop();
    }

    void commandPrinted(Stream stream, std::string_view bytes) override
    {
        constexpr std::size_t Longest = 4096;
        if (stream == Stream::Stderr)
            m_consoles.error->write(bytes);
        else if (m_answer.size() < Longest)
            m_answer += bytes;
    }

    void commandTold(const Message& progress) override { say(progress); }

    void commandEnded(const Result<int>& exitCode) override
    {
        if (!exitCode)
            return failed(exitCode.error());
        m_exitCode = *exitCode;
        m_loop.stop();
    }

    const RemoteMachine& m_machine;
    Consoles m_consoles;
    bool m_isQuiet;
    CommandRequest m_request;
    std::string m_answer;
    int m_exitCode = 0;
    std::optional<Error> m_error;
    EventLoop m_loop;
    EventLoop::Registration m_signals;
    Children m_children{m_loop};
    std::unique_ptr<RemoteCommand> m_command;
};

Result<int> runThere(const RunOptions& options, const EnvironmentMap& environment,
                     Consoles consoles)
{
    RM_TRY(checkAlone(options));
    const RemoteMachine machine = RM_TRY(RemoteMachine::find(options.machine));
    const Host& host = machine.host;
    const std::string here = std::filesystem::current_path().string();
    const std::string folder = codeFolderOf(options.spec, here);
    std::optional<CodeCopy> copy;
    if (host.sync == CodeSync::Rsync && !host.isHere()) {
        copy = CodeCopy::of(host, folder);
        const auto home = environment.find("HOME");
        RM_TRY(checkCopy(*copy, home != environment.end() ? home->second : ""));
    }
    const JobSpec spec = jobOn(host, options.spec, folder);
    // The job goes through the channel: its variables aren't for the list of processes.
    const std::string job = RM_TRY(jobFileText(spec));
    CommandRequest request{
        .words = {"run", "--detach"}, .folder = host.code.empty() ? here : host.code, .input = job};
    if (options.isPinned)
        request.words.emplace_back("--pin");
    if (options.isQuiet)
        request.words.emplace_back("--quiet");
    request.words.emplace_back("--job-from-elsewhere");

    LaunchOnMachine launch(machine, consoles, options.isQuiet || options.isDetached);
    const auto run = RM_TRY(launch.run(copy, request));
    if (!run)
        return launch.exitCode();
    if (options.isDetached) {
        consoles.output->write(*run + "\n");
        return 0;
    }
    return RunShownHere(machine, {.run = *run,
                                  .program = entryPointName(spec.roles.front(), environment),
                                  .isQuiet = options.isQuiet,
                                  .grace = spec.restart.grace,
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
