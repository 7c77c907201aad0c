#include "engine/cli/RunCommand.h"

#include "engine/base/DescriptorLimit.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/base/Thread.h"
#include "engine/cli/Codes.h"
#include "engine/cli/Detached.h"
#include "engine/cli/RunOnMachine.h"
#include "engine/cli/RunOptions.h"
#include "engine/cli/RunReporter.h"
#include "engine/cli/StandardStreams.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/TorchrunCompletion.h"
#include "engine/cli/WarmOwner.h"
#include "engine/hosts/HostBook.h"
#include "engine/job/Codes.h"
#include "engine/job/CommandLine.h"
#include "engine/job/Sweep.h"
#include "engine/job/Validation.h"
#include "engine/job/WorkerCommand.h"
#include "engine/lead/Lead.h"
#include "engine/machine/RealSystemInfo.h"
#include "engine/node/FarSweep.h"
#include "engine/node/Node.h"
#include "engine/slurm/SlurmRunScript.h"
#include "engine/worker/WorkerLaunch.h"

#include <algorithm>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr int Refused = 2;
constexpr size_t LargestPack = 1U << 20U;

int refuse(const std::vector<std::string>& errors)
{
    for (const std::string& error : errors)
        complain(error);
    return Refused;
}

fs::path currentFolder()
{
    std::error_code error;
    return fs::current_path(error);
}

/// False: there is an error; all are said.
bool passesChecks(const RunOptions& options, const std::vector<Finding>& findings)
{
    const std::string before = options.jobFile.empty() ? "" : options.jobFile + ": ";
    for (const Finding& finding : findings) {
        if (finding.severity == Finding::Severity::Error)
            complain(before + describe(finding));
        else if (finding.severity == Finding::Severity::Warning && !options.isQuiet)
            complain("warning: " + before + describe(finding));
    }
    return !hasErrors(findings);
}

/// Empty: none was found, or nobody looked.
std::string torchVersionIn(const std::vector<Finding>& findings)
{
    const auto found = std::ranges::find_if(findings, [](const Finding& finding) {
        return finding.message.code == code::InterpreterWithTorch;
    });
    return found == findings.end() ? std::string() : found->message.parameters.at("torch");
}

Result<LessonOptions> lessonOptionsOf(const RunOptions& options, const JobSpec& spec)
{
    const Role& role = spec.roles.front();
    const fs::path folder = currentFolder() / role.workingFolder;
    LessonOptions lesson{.program = (folder / role.program).lexically_normal(),
                         .isHeld = options.lesson == "held"};
    if (!options.lessonPack.empty())
        lesson.pack = RM_TRY(readFile(options.lessonPack, LargestPack));
    return lesson;
}

int printPreview(const JobSpec& spec)
{
    if (spec.runOn != RunOn::Slurm)
        return refuse({describe(Message{code::PreviewNeedsSlurm, {}, {}})});
    const auto script = slurmPreview(spec, executableFolder() / "ringmaster", currentFolder());
    if (!script)
        return refuse({describe(script.error())});
    Terminal(STDOUT_FILENO).print(*script);
    return 0;
}

/// The lead of a job on several hosts: they are looked up before anything is started.
Result<LeadOptions> leadOptionsOf(NodeOptions node)
{
    if (node.spec.runOn == RunOn::Slurm)
        return LeadOptions{.node = std::move(node)};
    const HostBook book = RM_TRY(HostBook::load());
    LeadOptions options;
    options.hosts = RM_TRY(book.choose(node.spec.hosts));
    options.ssh = RM_TRY(usualSshSettings(book.sshConfig()));
    // A sweep measures with as many workers on each.
    for (Host& host : options.hosts)
        host.slots = sweepOf(node.spec) ? 0 : host.slots;
    options.node = std::move(node);
    return options;
}

int runNode(NodeOptions options, RunReporter::Options reporting)
{
    const auto streams = StandardStreams::open();
    if (!streams)
        return complain(streams.error());
    options.consoles = options.isDetached ? Consoles{} : (*streams)->consoles();
    reporting.consoles = (*streams)->consoles();
    RunReporter reporter(std::move(reporting));
    const auto exitCode = runInForeground(std::move(options), reporter);
    (*streams)->finish(reporter.patience());
    return exitCode ? *exitCode : complain(exitCode.error());
}

/// Its standard streams become the run's own log.
int runWithoutTerminal(NodeOptions options, RunReporter::Options reporting)
{
    RunReporter reporter(std::move(reporting));
    const auto exitCode = runInForeground(std::move(options), reporter);
    return exitCode ? *exitCode : complain(exitCode.error());
}

} // namespace

Result<int> runInForeground(NodeOptions options, RunFront& front)
{
    raiseDescriptorLimit();
    int exitCode = 0;
    RM_TRY(guardThreads([&]() -> Result<void> {
        if (!options.spec.isLed())
            RM_TRY(settleSweep(options.spec, options.environment));
        exitCode = options.spec.isLed()
                       ? RM_TRY(Lead(RM_TRY(leadOptionsOf(std::move(options))), front).run())
                       : RM_TRY(Node(std::move(options), front).run());
        return {};
    }));
    return exitCode;
}

int runReported(NodeOptions options, RunReporter::Options reporting, bool isDetached)
{
    if (!isDetached)
        return runNode(std::move(options), std::move(reporting));
    return runDetached([&](const std::function<void(const std::string&)>& opened) {
        reporting.opened = opened;
        return runWithoutTerminal(std::move(options), std::move(reporting));
    });
}

NodeOptions::Channel takeStandardStreams()
{
    NodeOptions::Channel channel{FileDescriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
                                 FileDescriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3))};
    const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return channel;
}

int runCommand(const std::vector<std::string>& words)
{
    (void)std::signal(SIGPIPE, SIG_IGN); // a reader that goes is an error of one write
    EnvironmentMap environment = currentEnvironment();
    auto options = parseRunOptions(words, environment, STDIN_FILENO);
    if (!options)
        return refuse(options.error());
    if (options->isHelp) {
        Terminal(STDOUT_FILENO).print(commandHelp("ringmaster run", runOptionRows()));
        return 0;
    }
    if (!options->completion.empty()) {
        Terminal(STDOUT_FILENO).print(torchrunCompletion(options->completion));
        return 0;
    }
    if (!options->machine.empty())
        return runOnMachine(*std::move(options), environment);
    const RealSystemInfo systemInfo(environment, currentFolder(), {.isGiven = true});
    const std::vector<Finding> findings = validate(options->spec, systemInfo, options->places);
    if (!passesChecks(*options, findings))
        return Refused;
    if (options->drill && options->drill->drill.isOfHost() && !options->spec.isLed())
        return refuse({describe(
            Error{{code::DrillNeedsHosts, {{"host", options->drill->drill.host}}, {}}, {}})});
    if (options->isPreview)
        return printPreview(options->spec);

    NodeOptions node{
        .torchrunLine = toCommandLine(options->spec).text(),
        .workingFolder = currentFolder(),
        .environment = std::move(environment),
        .interpreter = interpreterFor(options->spec, systemInfo),
        .torchVersion = torchVersionIn(findings),
        .isDetached = options->isDetached || options->isChannel,
        .ignoreHangup = isHangupIgnored(),
        .warm = warmSettingsOf(options->spec, {.isForDashboard = options->isFromDashboard})};
    node.spec = std::move(options->spec);
    node.drill = std::move(options->drill);
    if (options->isChannel)
        node.channel = takeStandardStreams();
    if (!options->lesson.empty()) {
        auto lesson = lessonOptionsOf(*options, node.spec);
        if (!lesson)
            return refuse({describe(lesson.error())});
        node.lesson = *std::move(lesson);
    }
    RunReporter::Options reporting{.isQuiet = options->isQuiet || node.isDetached,
                                   .isPinned = options->isPinned,
                                   .isLed = node.spec.isLed(),
                                   .waitsForNodes = node.spec.nodes.max > 1 && !node.spec.isLed(),
                                   .grace = node.spec.restart.grace};
    return runReported(std::move(node), std::move(reporting), options->isDetached);
}

} // namespace ringmaster
