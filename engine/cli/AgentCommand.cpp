#include "engine/cli/AgentCommand.h"

#include "engine/base/Codes.h"
#include "engine/base/DescriptorLimit.h"
#include "engine/base/Paths.h"
#include "engine/base/Thread.h"
#include "engine/cli/AgentTalk.h"
#include "engine/cli/Main.h"
#include "engine/cli/RunCommand.h"
#include "engine/cli/Terminal.h"
#include "engine/control/ByteChannel.h"
#include "engine/control/Codes.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/LocalCluster.h"
#include "engine/control/LocalSocket.h"
#include "engine/control/MachineService.h"
#include "engine/control/OrphanSweep.h"
#include "engine/hosts/HostProbeAnswers.h"
#include "engine/job/JobFile.h"
#include "engine/job/Validation.h"
#include "engine/job/WorkerCommand.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/machine/RealSystemInfo.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/Codes.h"
#include "engine/node/EndedAgentRecord.h"
#include "engine/node/FarSweep.h"
#include "engine/node/LeadFence.h"
#include "engine/node/Node.h"
#include "engine/node/WaitingAgent.h"
#include "engine/record/RunCatalog.h"
#include "engine/remote/CommandServer.h"

#include <csignal>
#include <cstdlib>
#include <future>
#include <limits>
#include <mutex>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr std::chrono::seconds EndPatience{30}; ///< Of an agent that listens no more.
constexpr std::chrono::seconds ListPatience{10};

/// Nobody is there to read what a run's own file has.
class SilentFront : public RunFront
{
public:
    void opened(const RunFolder& /*folder*/) override {}
    void happened(const Event& /*event*/) override {}
    void printed(std::string_view /*text*/) override {}
    void reminded(const StandingVerdict& /*verdict*/, std::int64_t /*nowNs*/) override {}
    void signalled(int /*signal*/) override {}
    void ended() override {}
};

/// Whoever started this from a bundle lent it the bundle's libraries; workers have their own.
void returnLibraryPath()
{
    // NOLINTBEGIN(concurrency-mt-unsafe): no thread yet
    const char* before = std::getenv("RINGMASTER_LIBRARY_PATH");
    if (before == nullptr)
        return;
    const std::string path = before;
    ::unsetenv("RINGMASTER_LIBRARY_PATH");
    if (path.empty())
        ::unsetenv("LD_LIBRARY_PATH");
    else
        ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
    // NOLINTEND(concurrency-mt-unsafe)
}

/// Apart from the user's own runs; of each machine, since a home may be on several.
std::filesystem::path partsFolder()
{
    return stateFolder() / "parts" / shortHostName();
}

Result<NodeOptions> nodeOptionsOf(AgentLaunchRequest order, NodeOptions::Channel channel)
{
    if (::chdir(order.workingFolder.c_str()) != 0)
        return fail(code::HostFolderMissing, {{"host", order.host}, {"path", order.workingFolder}});
    auto file = parseJobFile(order.jobFile);
    if (!file)
        return fail(code::MalformedMessage, {{"what", "job"}}, describe(file.error().front()));
    EnvironmentMap environment = currentEnvironment();
    for (const auto& [name, value] : order.environment)
        environment[name] = value;
    const RealSystemInfo systemInfo(environment, order.workingFolder, {.isGiven = true});
    if (order.interpreter.empty())
        order.interpreter = interpreterFor(file->spec, systemInfo);
    JobSpec& spec = file->spec;
    for (Role& role : spec.roles)
        if (role.interpreter.empty() && role.kind != ProgramKind::Command)
            role.interpreter = order.interpreter;
    RM_TRY(settleFarSweep(spec, order.interpreter, environment));
    // Its lead has a rendezvous for it: no port of the job is used here.
    JobSpec here = spec;
    here.rendezvous = {};
    here.rendezvous.standalone = true;
    for (const Finding& finding : validate(here, systemInfo, {}))
        if (finding.severity == Finding::Severity::Error)
            return tl::unexpected(Error{finding.message, {}});
    order.address = RM_TRY(reachableAddress(order, environment));
    NodeOptions node{.spec = std::move(spec),
                     .torchrunLine = order.torchrunLine,
                     .workingFolder = order.workingFolder,
                     .environment = std::move(environment),
                     .interpreter = order.interpreter,
                     .isDetached = true,
                     .runs = partsFolder()};
    node.channel = std::move(channel);
    node.channel->isBegun = true;
    node.order = std::move(order);
    return node;
}

int agentNotThere()
{
    (void)complain(machineLife());
    return AgentNotThereExit;
}

/// Why it isn't started, for the lead that asked: by the exit code, too.
int refused(const Error& why)
{
    const int exitCode = complain(why);
    return why.code == code::LeadReplaced ? LeadReplacedExit : exitCode;
}

/// The way to the agent of a run, which ends with it; or to what it has kept. `busyExit`: of one
/// that lives, but takes no connection now.
int serveRun(const RunFolder& folder, const AgentRecord& agent, NodeOptions::Channel channel,
             int busyExit)
{
    if (lifeOf(agent) != AgentLife::Alive) {
        const auto served = serveEndedAgentRecord(folder, std::move(channel));
        return served ? 0 : agentNotThere();
    }
    auto socket = connectToAgent(agent.socket, folder.id());
    const bool isBusy = !socket && (socket.error().code == code::AgentQueueFull ||
                                    socket.error().code == code::SocketQueueFull);
    if (isBusy) {
        (void)complain(socket.error());
        return busyExit;
    }
    if (!socket)
        return agentNotThere();
    const auto done =
        ByteChannel::relay(std::move(channel.input), std::move(channel.output), *std::move(socket));
    return done ? 0 : complain(done.error());
}

/// The way to an agent that runs here, which ends with it; or to what it has kept.
int attach(const AgentLaunchRequest& order, NodeOptions::Channel channel)
{
    const auto folder = RunFolder::find(partsFolder(), order.run + "." + order.agent);
    const auto agent =
        folder ? folder->agent() : Result<AgentRecord>(tl::unexpected(folder.error()));
    if (!agent)
        return agentNotThere();
    if (lifeOf(*agent) != AgentLife::Alive) {
        const RunSummary gone{.id = folder->id(), .state = RunState::Lost};
        (void)sweepOrphans(RunCatalog(partsFolder()), {gone});
    }
    // For one that isn't there the lead would start another one beside it.
    return serveRun(*folder, *agent, std::move(channel), AgentBusyExit);
}

int runAgent(AgentLaunchRequest order, NodeOptions::Channel channel)
{
    auto options = nodeOptionsOf(std::move(order), std::move(channel));
    if (!options)
        return complain(options.error());
    raiseDescriptorLimit();
    SilentFront front;
    int exitCode = 0;
    const auto ran = guardThreads([&]() -> Result<void> {
        Node node(*std::move(options), front);
        exitCode = RM_TRY(node.run());
        return {};
    });
    return ran ? exitCode : refused(ran.error());
}

/// Of the lead, if it is still the run's.
Result<AgentLaunchRequest> orderOf(NodeOptions::Channel& channel)
{
    RM_TRY(writeAll(channel.output.get(), ByteChannel::Sentinel));
    auto order = RM_TRY(receiveLaunchRequest(channel.input.get()));
    RM_TRY(LeadFence(partsFolder(), order).check());
    return order;
}

int hostAgent()
{
    returnLibraryPath();
    (void)std::signal(SIGPIPE, SIG_IGN);
    NodeOptions::Channel channel = takeStandardStreams();
    auto order = orderOf(channel);
    if (!order)
        return refused(order.error());
    if (order->isAttaching)
        return attach(*order, std::move(channel));
    return runAgent(*std::move(order), std::move(channel));
}

/// An agent that is there before its lead knows where: it takes its order at a socket.
int waitingAgent(const std::string& token)
{
    (void)std::signal(SIGPIPE, SIG_IGN);
    auto connection = waitForLead(token);
    if (!connection)
        return complain(connection.error());
    auto order = receiveLaunchRequest(connection->get());
    if (!order)
        return complain(order.error());
    NodeOptions::Channel channel{.input =
                                     FileDescriptor(::fcntl(connection->get(), F_DUPFD_CLOEXEC, 3)),
                                 .output = *std::move(connection)};
    return runAgent(*std::move(order), std::move(channel));
}

/// The way to such an agent, and back to it once it has its order.
int reachAgent(const std::string& token)
{
    (void)std::signal(SIGPIPE, SIG_IGN);
    (void)std::signal(SIGTERM,
                      SIG_IGN); // Slurm ends all steps together: the agent's last word passes
    NodeOptions::Channel channel = takeStandardStreams();
    const auto order = orderOf(channel);
    if (!order)
        return refused(order.error());
    if (order->isAttaching)
        return attach(*order, std::move(channel));
    auto agent = reachWaiting(token);
    if (!agent)
        return complain(agent.error());
    if (const auto said = sendLaunchRequest(agent->get(), *order); !said)
        return complain(said.error());
    (void)setNonBlocking(agent->get(), false);
    const auto done =
        ByteChannel::relay(std::move(channel.input), std::move(channel.output), *std::move(agent));
    return done ? 0 : complain(done.error());
}

int hostProbe()
{
    returnLibraryPath();
    (void)std::signal(SIGPIPE, SIG_IGN);
    const NodeOptions::Channel channel = takeStandardStreams();
    if (const auto said = writeAll(channel.output.get(), ByteChannel::Sentinel); !said)
        return complain(said.error());
    answerHostProbe(channel.input.get(), channel.output.get());
    return 0;
}

/// Carries out one command for somebody on another machine.
int commandAgent()
{
    returnLibraryPath();
    (void)std::signal(SIGPIPE, SIG_IGN);
    NodeOptions::Channel channel = takeStandardStreams();
    const auto served =
        serveCommand(std::move(channel.input), std::move(channel.output), commandForElsewhere);
    return served ? 0 : complain(served.error());
}

/// It is about to end.
bool listensNoMore(const AgentRecord& agent)
{
    const auto connection = connectLocally(agent.socket);
    return !connection && connection.error().code != code::SocketQueueFull;
}

/// The way to a run of this user, for somebody on another machine: to its agent, or to what it has
/// kept.
int connectToRun(const std::string& run)
{
    returnLibraryPath();
    (void)std::signal(SIGPIPE, SIG_IGN);
    NodeOptions::Channel channel = takeStandardStreams();
    const RunCatalog catalog(runsFolder());
    (void)catalog.list(); // closes what is lost
    const auto folder = catalog.find(run);
    if (!folder)
        return complain(folder.error());
    if (const auto said = writeAll(channel.output.get(), ByteChannel::Sentinel); !said)
        return complain(said.error());
    const auto agent = folder->agent();
    if (!agent)
        return agentNotThere();
    // What it keeps is whole when it has gone.
    if (lifeOf(*agent) == AgentLife::Alive && listensNoMore(*agent))
        (void)waitForEnd(folder->summary(), EndPatience);
    // Who follows the run asks again.
    return serveRun(*folder, *agent, std::move(channel), AgentNotThereExit);
}

/// Until all that is there is listed: who comes back after a broken connection sees no run go and
/// come again.
void waitForRuns(Cluster& cluster)
{
    if (RunCatalog(runsFolder()).list().empty())
        return;
    std::promise<void> listed;
    std::once_flag once;
    const Subscription changes =
        cluster.onRunsChanged([&] { std::call_once(once, [&] { listed.set_value(); }); });
    if (cluster.runs().empty())
        (void)listed.get_future().wait_for(ListPatience);
}

/// The runs of this user on this machine, for somebody who watches it from another one. Ends with
/// its channel.
int serveMachine()
{
    returnLibraryPath();
    (void)std::signal(SIGPIPE, SIG_IGN);
    NodeOptions::Channel channel = takeStandardStreams();
    raiseDescriptorLimit(); // each run that is watched takes some
    const auto served = guardThreads([&]() -> Result<void> {
        // Who only looks removes nothing.
        LocalCluster cluster({.retention = {.runs = std::numeric_limits<std::size_t>::max(),
                                            .bytes = std::numeric_limits<std::uint64_t>::max()}});
        waitForRuns(cluster);
        MachineService service(cluster, runsFolder());
        auto [ours, theirs] = RM_TRY(makeSocketPair(SOCK_STREAM));
        RM_TRY(setNonBlocking(ours.get()));
        RM_TRY(writeAll(channel.output.get(), ByteChannel::Sentinel));
        service.serve(std::move(ours));
        return ByteChannel::relay(std::move(channel.input), std::move(channel.output),
                                  std::move(theirs));
    });
    return served ? 0 : complain(served.error());
}

} // namespace

int agentCommand(std::vector<std::string> words)
{
    if (words.size() == 1 && words.front() == "host")
        return hostAgent();
    if (words.size() == 1 && words.front() == "probe")
        return hostProbe();
    if (words.size() == 1 && words.front() == "command")
        return commandAgent();
    if (words.size() == 1 && words.front() == "serve")
        return serveMachine();
    if (words.size() == 2 && words.front() == "run")
        return connectToRun(words.back());
    if (words.size() == 2 && words.front() == "wait")
        return waitingAgent(words.back());
    if (words.size() == 2 && words.front() == "reach")
        return reachAgent(words.back());
    if (words.empty() || words.front() != "--stdio")
        return complain("agent is for Ringmaster's own use; start a job with `ringmaster run`");
    return runCommand(words);
}

} // namespace ringmaster
