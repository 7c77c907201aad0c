// What a node is put together from; in what order, Node.cpp says.

#include "engine/agent/KeeperWorkerProcesses.h"
#include "engine/base/ControlGroup.h"
#include "engine/base/Files.h"
#include "engine/job/WorkerCommand.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/Node.h"
#include "engine/worker/hook/StartHook.h"
#include "engine/worker/warm/LearntModules.h"

#include <sys/un.h>
#include <unistd.h>

namespace ringmaster {

void Node::openLedgers()
{
    if (m_options.spec.plain || !m_options.spec.recordOperations)
        return;
    m_ledgers = std::make_unique<LedgerRecorder>(
        LedgerRecorder::Setting{.run = m_folder->id(),
                                .spec = m_options.spec,
                                .isLed = m_options.order.has_value(),
                                .reportFile = m_folder->path() / "hook.jsonl",
                                .tell =
                                    [this](const EventBody& body) {
                                        m_inbox.leave([this, body] { emit(body, m_clock.now()); });
                                    },
                                .firstCollectiveDone =
                                    [this](const FirstCollectiveTimes& first) {
                                        m_inbox.leave(
                                            [this, first] { firstCollectiveDone(first); });
                                    }},
        *m_writer, m_board);
    if (!needsImages(m_options.spec))
        return;
    auto ledgerSocket =
        LedgerSocket::open(m_loop, m_folder->path() / "ledger.sock",
                           [this](int localRank) { return m_ledgers->ledgerOf(localRank); });
    if (ledgerSocket)
        m_ledgerSocket = *std::move(ledgerSocket);
}

void Node::openDevices()
{
    m_devices = std::make_unique<DeviceSampler>(
        DeviceSampler::Host{.sampled =
                                [this](const DeviceSample& sample) {
                                    m_inbox.leave([this, sample] { emit(sample, m_clock.now()); });
                                },
                            .failed =
                                [this](const DeviceSampler::Fault& fault) {
                                    m_inbox.leave([this, fault] {
                                        if (m_agent)
                                            m_agent->deviceFailed(fault.what, fault.pids);
                                    });
                                }});
}

/// Of the interpreter that local rank 0 gets; empty where nobody is to learn.
std::filesystem::path Node::learntModules() const
{
    const Role& role = m_options.spec.roles.front();
    const bool isPython = role.kind == ProgramKind::Script || role.kind == ProgramKind::Module;
    if (!isPython || m_options.spec.warm == WarmMode::Off)
        return {};
    const auto command =
        workerCommand(role, {.interpreter = m_options.interpreter}, m_options.environment);
    return learntModulesFile(starterMemory(), command.front());
}

void Node::fetchImages(ImageFetch::Done done)
{
    m_images = std::make_unique<ImageFetch>(
        m_loop, ImageFetch::Setting{.spec = m_options.spec, .environment = m_options.environment},
        [this](const Notice& notice) { emit(notice, m_clock.now()); });
    m_images->start(std::move(done));
}

std::string Node::hookOf(int localRank) const
{
    if (!m_ledgers)
        return {};
    std::vector<HookPart> parts;
    addLedgerParts(parts, localRank);
    parts.push_back({"times", {}});
    parts.push_back({"groups", {}});
    if (const auto report = m_housekeeper->moduleReport(); localRank == 0 && !report.empty())
        parts.push_back({"modules", report});
    if (m_lesson)
        parts.push_back(m_lesson->hookPart());
    return hookText(parts, m_ledgers->reportFile());
}

/// The agent's own /proc isn't open to a container.
void Node::addLedgerParts(std::vector<HookPart>& parts, int localRank) const
{
    std::string ledger = m_ledgers->ledgerOf(localRank);
    std::string stacks = m_ledgers->stacksOf(localRank);
    if (needsImages(m_options.spec)) {
        ledger =
            m_ledgerSocket && !ledger.empty() ? m_ledgerSocket->valueFor(localRank) : std::string();
        const auto socket = m_folder->path() / stacks.substr(stacks.rfind('/') + 1);
        stacks = socket.native().size() < sizeof(sockaddr_un::sun_path) ? socket.string() : "";
    }
    if (!ledger.empty())
        parts.push_back({"ledger", std::move(ledger)});
    if (!stacks.empty())
        parts.push_back({"stacks", std::move(stacks)});
}

Result<void> Node::openLesson()
{
    if (!m_options.lesson)
        return {};
    m_lesson = RM_TRY(LessonHost::open(
        m_loop, {.options = *m_options.lesson,
                 .socket = m_folder->path() / "lesson.sock",
                 .endsUnwatched = m_options.isDetached,
                 .emit = [this](const EventBody& body) { emit(body, m_clock.now()); },
                 .command = [this](const Command& command) { (void)m_agent->handle(command); }}));
    return {};
}

Result<void> Node::openOutput()
{
    m_outputRecorder =
        std::make_unique<OutputRecorder>(*m_writer, [this](int globalRank, const OutputLoss& loss) {
            m_loop.post([this, globalRank, loss] { outputLost(globalRank, loss); });
        });
    const auto prefix = m_options.environment.find("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE");
    OutputHub::Settings settings{.logs = m_options.spec.logs,
                                 .rendezvousId = m_options.spec.rendezvous.id,
                                 .runFolder = m_folder->path(),
                                 .linePrefixTemplate =
                                     prefix != m_options.environment.end() ? prefix->second : "",
                                 .consoles = m_options.consoles};
    m_output = RM_TRY(OutputHub::create(m_loop, *m_outputRecorder, std::move(settings)));
    return {};
}

Result<void> Node::openControl()
{
    ControlServer::Host& host = *this;
    m_control = std::make_unique<ControlServer>(
        m_loop, host, *m_recorded,
        ControlServer::Options{.run = m_folder->id(), .machine = machineLife()});
    RM_TRY(m_control->listen(m_socket.parent_path()));
    if (m_options.channel) {
        auto& [input, output, isBegun] = *m_options.channel;
        m_channel = RM_TRY(isBegun ? ByteChannel::carry(std::move(input), std::move(output))
                                   : ByteChannel::serve(std::move(input), std::move(output)));
        m_control->serve(m_channel->takeSocket());
    }
    return {};
}

Result<std::unique_ptr<Rendezvous>> Node::joinable(const RendezvousOptions& options,
                                                   Rendezvous::Host& host)
{
    if (m_leadConnection)
        return m_leadConnection->makeRendezvous(host);
    return makeRendezvous(options, m_loop, host);
}

std::unique_ptr<WorkerProcesses> Node::makeProcesses(WorkerProcesses::Host& host)
{
    Keeper::Options keeper{.title = m_folder->id()};
    // For whoever sweeps after this process and its keeper.
    if (const std::string place = ControlGroup::place(); !place.empty())
        (void)writeFileAtomically(m_folder->path() / "cgroup", place, 0600, Durability::Relaxed);
    if (!m_options.spec.plain)
        keeper.environment.push_back("RINGMASTER_RUN=" + m_folder->id());
    return std::make_unique<KeeperWorkerProcesses>(m_loop, std::move(keeper), *m_output, host);
}

Result<void> Node::obeys(std::uint64_t generation)
{
    return m_leadConnection ? m_leadConnection->obeys(generation)
                            : ControlServer::Host::obeys(generation);
}

Result<HeartbeatReply> Node::heartbeat(const Heartbeat& heartbeat)
{
    if (!m_leadConnection)
        return ControlServer::Host::heartbeat(heartbeat);
    return HeartbeatReply{.at = RM_TRY(m_leadConnection->heartbeat(heartbeat))};
}

} // namespace ringmaster
