#include "engine/control/ControlService.h"

#include "engine/base/Version.h"
#include "engine/control/Codes.h"
#include "engine/control/ControlCalls.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/LogProto.h"
#include "engine/control/MetricsEndpoint.h"
#include "engine/control/OperationProto.h"
#include "engine/control/RpcStatus.h"
#include "engine/event/Proto.h"

#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int LargestRequest = 64 << 10;

template <class Reply, class T>
void respondWith(const Respond<Reply>& respond, const Result<T>& result)
{
    Reply reply;
    if (result)
        toProto(*result, reply);
    respond(result ? grpc::Status::OK : toStatus(result.error()), reply);
}

template <class Request, class Reply>
void await(ControlService& service,
           typename UnaryCall<ControlService, Request, Reply>::Accept accept,
           void (ControlService::*handler)(const Request&, const Respond<Reply>&),
           NextCall next = NextCall::WhenAccepted)
{
    std::make_shared<UnaryCall<ControlService, Request, Reply>>(
        service, accept,
        [&service, handler](const Request& request, const Respond<Reply>& respond) {
            (service.*handler)(request, respond);
        },
        next)
        ->await();
}

} // namespace

ControlService::ControlService(EventLoop& loop, EventLoop& readingLoop, EventLoop& agentLoop,
                               ControlServer::Host& host, ControlServer::Recording& recording,
                               ControlServer::Options options)
    : RpcService(loop, LargestRequest)
    , m_agentLoop(agentLoop)
    , m_host(host)
    , m_recording(recording)
    , m_options(std::move(options))
    , m_snapshot(m_options.before)
    , m_reads(loop, readingLoop, recording)
    , m_feed(loop, m_reads, m_options.eventsInMemory, m_options.recordingPatience)
{
    m_snapshot.run = m_options.run;
}

ControlService::~ControlService() = default;

void ControlService::awaitCalls()
{
    await(*this, &Native::RequestHello, &ControlService::hello);
    await(*this, &Native::RequestGetSnapshot, &ControlService::snapshot);
    await(*this, &Native::RequestReadLog, &ControlService::readLog, NextCall::WhenAnswered);
    await(*this, &Native::RequestReadOperations, &ControlService::readOperations,
          NextCall::WhenAnswered);
    await(*this, &Native::RequestLookAtRanks, &ControlService::lookAtRanks);
    await(*this, &Native::RequestTakeStacks, &ControlService::takeStacks);
    await(*this, &Native::RequestReadMetrics, &ControlService::readMetrics, NextCall::WhenAnswered);
    await(*this, &Native::RequestSend, &ControlService::execute);
    await(*this, &Native::RequestHeartbeat, &ControlService::heartbeat);
    std::make_shared<SubscribeCall>(*this)->await();
}

Result<std::filesystem::path> ControlService::listen(const std::filesystem::path& folder)
{
    m_socket = std::make_unique<ControlSocket>(RM_TRY(ControlSocket::open(
        loop(), folder, [this](FileDescriptor connection) { accept(std::move(connection)); })));
    return m_socket->path();
}

Result<int> ControlService::serveMetrics(int port)
{
    m_metrics = RM_TRY(MetricsEndpoint::open(loop(), port, [this] {
        askMetrics([this](const Result<RunMetrics>& current) {
            if (m_metrics) // else the end has begun
                m_metrics->show(current.map(prometheusText));
        });
    }));
    return m_metrics->port();
}

void ControlService::publish(const Event& event)
{
    m_snapshot.apply(event);
    m_samples.happened(event, LiveSamples::Time::clock::now());
    m_feed.append(event);
}

void ControlService::beginEnd()
{
    m_isEnding = true;
    m_socket.reset();
    m_metrics.reset();
    const auto commands = std::exchange(m_commands, {});
    for (const auto& [id, respond] : commands)
        respond(toStatus(Error{{code::AgentEnding, {}, {}}, {}}), {});
    m_feed.end();
}

void ControlService::subscriberCame(SubscribeCall& subscriber)
{
    m_feed.add(subscriber);
    if (m_feed.subscribers() == 1)
        tellWatched();
    m_feed.feed(subscriber);
}

void ControlService::subscriberGone(SubscribeCall& subscriber)
{
    m_feed.remove(subscriber);
    if (m_feed.subscribers() == 0)
        tellWatched();
}

void ControlService::tellWatched()
{
    tellHost([isWatched = m_feed.subscribers() > 0](ControlService& self) {
        self.m_host.watched(isWatched);
    });
}

void ControlService::tellHost(std::function<void(ControlService&)> call)
{
    m_agentLoop.post([weak = weak_from_this(), call = std::move(call)] {
        if (const auto self = weak.lock())
            call(*self);
    });
}

void ControlService::hello(const v1::HelloRequest& /*request*/,
                           const Respond<v1::HelloReply>& respond)
{
    v1::HelloReply reply;
    reply.set_ringmaster_version(RINGMASTER_VERSION);
    reply.set_run(m_options.run);
    reply.set_agent_pid(::getpid());
    respond(grpc::Status::OK, reply);
}

void ControlService::snapshot(const v1::SnapshotRequest& /*request*/,
                              const Respond<v1::RunSnapshot>& respond)
{
    v1::RunSnapshot reply;
    toProto(m_snapshot, reply);
    respond(grpc::Status::OK, reply);
}

void ControlService::readLog(const v1::LogQuery& request, const Respond<v1::LogPage>& respond)
{
    const auto query = fromProto(request);
    if (!query)
        return respond(toStatus(query.error()), {});
    m_reads.ask(
        [query = *query](ControlServer::Recording& recording) { return recording.log(query); },
        [respond](const Result<LogPage>& page) { respondWith(respond, page); });
}

void ControlService::readOperations(const v1::OperationQuery& request,
                                    const Respond<v1::OperationPage>& respond)
{
    m_reads.ask([cursor = request.cursor()](
                    ControlServer::Recording& recording) { return recording.operations(cursor); },
                [respond](const Result<OperationPage>& page) { respondWith(respond, page); });
}

void ControlService::lookAtRanks(const v1::RankLook& request,
                                 const Respond<v1::RankActivities>& respond)
{
    v1::RankActivities reply;
    toProto(m_recording.ranks({request.stacks().begin(), request.stacks().end()}), reply);
    respond(grpc::Status::OK, reply);
}

void ControlService::takeStacks(const v1::StacksQuery& /*request*/,
                                const Respond<v1::Stacks>& respond)
{
    tellHost([respond](ControlService& self) {
        // The answer may come when the server is gone.
        self.m_host.takeStacks(
            [weak = self.weak_from_this(), respond](const Result<KeptEvidence>& taken) {
                if (const auto alive = weak.lock())
                    alive->loop().post([respond, taken] { respondWith(respond, taken); });
            });
    });
}

/// As of when the recording is read.
void ControlService::askMetrics(std::function<void(const Result<RunMetrics>&)> take)
{
    m_reads.ask([](ControlServer::Recording& recording) { return recording.metrics(); },
                [this, take = std::move(take)](Result<RecordedMetrics> recorded) {
                    const auto now = LiveSamples::Time::clock::now();
                    take(std::move(recorded).map([&](RecordedMetrics read) {
                        return RunMetrics{.snapshot = m_snapshot,
                                          .workers = m_samples.workers(now),
                                          .nodes = m_samples.nodes(now),
                                          .recorded = std::move(read)};
                    }));
                });
}

void ControlService::readMetrics(const v1::MetricsQuery& /*request*/,
                                 const Respond<v1::Metrics>& respond)
{
    askMetrics([respond](const Result<RunMetrics>& current) {
        if (!current)
            return respond(toStatus(current.error()), {});
        v1::Metrics reply;
        reply.set_text(prometheusText(*current));
        reply.set_is_more(current->recorded.isMore);
        respond(grpc::Status::OK, reply);
    });
}

void ControlService::execute(const v1::Command& request, const Respond<v1::SendReply>& respond)
{
    const auto command = fromProto(request);
    if (!command || m_isEnding) {
        respond(toStatus(command ? Error{{code::AgentEnding, {}, {}}, {}} : command.error()), {});
        return;
    }
    const std::uint64_t id = ++m_lastCommand;
    m_commands[id] = respond;
    // Whoever owns the agent's loop may stop it with this in the queue: then beginEnd() answers.
    tellHost([id, command = *command, generation = request.generation()](ControlService& self) {
        Result<void> result;
        if (generation != 0)
            result = self.m_host.obeys(generation);
        if (result)
            result = self.m_host.execute(command);
        self.loop().post([&self, id, result] { self.answer(id, result); });
    });
}

void ControlService::answer(std::uint64_t command, const Result<void>& result)
{
    const auto found = m_commands.find(command);
    if (found == m_commands.end())
        return;
    found->second(result ? grpc::Status::OK : toStatus(result.error()), {});
    m_commands.erase(found);
}

/// Through the agent's own loop: one that hangs doesn't answer.
void ControlService::heartbeat(const v1::HeartbeatRequest& request,
                               const Respond<v1::HeartbeatReply>& respond)
{
    const Heartbeat heartbeat{request.generation(), request.is_released()};
    tellHost([heartbeat, respond](ControlService& self) {
        self.loop().post([&self, respond, held = self.m_host.heartbeat(heartbeat)]() mutable {
            if (held) {
                held->machine = self.m_options.machine;
                held->secrets = self.m_options.secrets;
            }
            respondWith(respond, held);
        });
    });
}

} // namespace ringmaster
