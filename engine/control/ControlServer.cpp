#include "engine/control/ControlServer.h"

#include "engine/base/Codes.h"
#include "engine/base/Thread.h"
#include "engine/base/Version.h"
#include "engine/control/Codes.h"
#include "engine/control/ControlService.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/LiveSamples.h"
#include "engine/control/LogProto.h"
#include "engine/control/MetricsEndpoint.h"
#include "engine/control/OperationProto.h"
#include "engine/control/RpcStatus.h"
#include "engine/control/SubscriberFeed.h"
#include "engine/event/Proto.h"
#include "engine/event/Snapshot.h"

#include <future>
#include <map>
#include <thread>

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto EndPatience = 1s;

} // namespace

/// The server's thread and what lives on it. Nobody else needs gRPC for that.
class ControlServer::Impl : public ControlService::Target, public std::enable_shared_from_this<Impl>
{
public:
    Impl(EventLoop& agentLoop, Host& host, Recording& recording, Options options);

    Result<std::filesystem::path> listen(const std::filesystem::path& folder);
    Result<int> serveMetrics(int port);
    void serve(FileDescriptor connection);
    void publish(const Event& event);
    void end(); ///< Called on the owner's thread; joins this one.

    void hello(v1::HelloReply& reply) const override;
    void snapshot(v1::RunSnapshot& reply) const override;
    grpc::Status readLog(const v1::LogQuery& request, v1::LogPage& reply) override;
    grpc::Status readOperations(const v1::OperationQuery& request,
                                v1::OperationPage& reply) override;
    void lookAtRanks(const v1::RankLook& request, v1::RankActivities& reply) override;
    void takeStacks(Respond<v1::Stacks> respond) override;
    grpc::Status readMetrics(v1::Metrics& reply) override;
    void execute(const v1::Command& request, Respond<v1::SendReply> respond) override;
    void heartbeat(const v1::HeartbeatRequest& request,
                   Respond<v1::HeartbeatReply> respond) override;
    void subscriberCame(SubscriberStream& stream) override;
    void subscriberReady(SubscriberStream& stream) override;
    void subscriberGone(SubscriberStream& stream) override;

    EventLoop loop;
    std::thread thread;

private:
    void beginEnd();
    Result<RunMetrics> metrics();
    void tellHost(std::function<void(Impl&)> call);
    void tellWatched();
    void answer(std::uint64_t command, const Result<void>& result);

    EventLoop& m_agentLoop;
    Host& m_host;
    Recording& m_recording;
    Options m_options;

    RunSnapshot m_snapshot;
    LiveSamples m_samples;
    std::map<std::uint64_t, Respond<v1::SendReply>> m_commands;
    std::uint64_t m_lastCommand = 0;
    bool m_isEnding = false;

    SubscriberFeed m_feed;
    std::unique_ptr<ControlSocket> m_socket;
    std::unique_ptr<MetricsEndpoint> m_metrics; ///< Null: nobody has asked for it.
    ControlService m_service{loop, *this};
};

ControlServer::Impl::Impl(EventLoop& agentLoop, Host& host, Recording& recording, Options options)
    : m_agentLoop(agentLoop)
    , m_host(host)
    , m_recording(recording)
    , m_options(std::move(options))
    , m_snapshot(m_options.before)
    , m_feed(loop, m_recording, m_options.eventsInMemory, m_options.recordingPatience)
{
    m_snapshot.run = m_options.run;
}

Result<std::filesystem::path> ControlServer::Impl::listen(const std::filesystem::path& folder)
{
    m_socket = std::make_unique<ControlSocket>(RM_TRY(ControlSocket::open(
        loop, folder, [this](FileDescriptor connection) { serve(std::move(connection)); })));
    return m_socket->path();
}

Result<int> ControlServer::Impl::serveMetrics(int port)
{
    m_metrics =
        RM_TRY(MetricsEndpoint::open(loop, port, [this] { return metrics().map(prometheusText); }));
    return m_metrics->port();
}

void ControlServer::Impl::serve(FileDescriptor connection)
{
    if (!m_isEnding)
        m_service.serve(std::move(connection));
}

void ControlServer::Impl::publish(const Event& event)
{
    m_snapshot.apply(event);
    m_samples.happened(event, LiveSamples::Time::clock::now());
    m_feed.append(event);
}

void ControlServer::Impl::end()
{
    std::promise<void> begun;
    loop.post([this, &begun] {
        beginEnd();
        begun.set_value();
    });
    begun.get_future().get();
    // The server's thread goes on meanwhile: subscribers take what is left, RPCs end.
    m_service.shutDown(EndPatience);
    loop.post([this] { loop.stop(); });
    thread.join();
}

void ControlServer::Impl::beginEnd()
{
    m_isEnding = true;
    m_socket.reset();
    m_metrics.reset();
    const auto commands = std::exchange(m_commands, {});
    for (const auto& [id, respond] : commands)
        respond(toStatus(Error{{code::AgentEnding, {}, {}}, {}}), {});
    m_feed.end();
}

void ControlServer::Impl::hello(v1::HelloReply& reply) const
{
    reply.set_ringmaster_version(RINGMASTER_VERSION);
    reply.set_run(m_options.run);
    reply.set_agent_pid(::getpid());
}

void ControlServer::Impl::subscriberCame(SubscriberStream& stream)
{
    m_feed.add(stream);
    if (m_feed.subscribers() == 1)
        tellWatched();
    m_feed.feed(stream);
}

void ControlServer::Impl::subscriberReady(SubscriberStream& stream)
{
    m_feed.feed(stream);
}

void ControlServer::Impl::subscriberGone(SubscriberStream& stream)
{
    m_feed.remove(stream);
    if (m_feed.subscribers() == 0)
        tellWatched();
}

void ControlServer::Impl::tellWatched()
{
    tellHost(
        [isWatched = m_feed.subscribers() > 0](Impl& self) { self.m_host.watched(isWatched); });
}

void ControlServer::Impl::tellHost(std::function<void(Impl&)> call)
{
    m_agentLoop.post([weak = weak_from_this(), call = std::move(call)] {
        if (const auto self = weak.lock())
            call(*self);
    });
}

void ControlServer::Impl::snapshot(v1::RunSnapshot& reply) const
{
    toProto(m_snapshot, reply);
}

grpc::Status ControlServer::Impl::readLog(const v1::LogQuery& request, v1::LogPage& reply)
{
    const auto page = fromProto(request).and_then(
        [this](const LogQuery& query) { return m_recording.log(query); });
    if (!page)
        return toStatus(page.error());
    toProto(*page, reply);
    return grpc::Status::OK;
}

grpc::Status ControlServer::Impl::readOperations(const v1::OperationQuery& request,
                                                 v1::OperationPage& reply)
{
    const auto page = m_recording.operations(request.cursor());
    if (!page)
        return toStatus(page.error());
    toProto(*page, reply);
    return grpc::Status::OK;
}

void ControlServer::Impl::lookAtRanks(const v1::RankLook& request, v1::RankActivities& reply)
{
    toProto(m_recording.ranks({request.stacks().begin(), request.stacks().end()}), reply);
}

void ControlServer::Impl::takeStacks(Respond<v1::Stacks> respond)
{
    tellHost([respond = std::move(respond)](Impl& self) {
        // The answer may come when the server is gone.
        self.m_host.takeStacks(
            [weak = self.weak_from_this(), respond](const Result<KeptEvidence>& taken) {
                const auto alive = weak.lock();
                if (!alive)
                    return;
                alive->loop.post([respond, taken] {
                    v1::Stacks reply;
                    if (taken)
                        toProto(*taken, reply);
                    respond(taken ? grpc::Status::OK : toStatus(taken.error()), reply);
                });
            });
    });
}

Result<RunMetrics> ControlServer::Impl::metrics()
{
    auto recorded = RM_TRY(m_recording.metrics());
    const auto now = LiveSamples::Time::clock::now();
    return RunMetrics{.snapshot = m_snapshot,
                      .workers = m_samples.workers(now),
                      .nodes = m_samples.nodes(now),
                      .recorded = std::move(recorded)};
}

grpc::Status ControlServer::Impl::readMetrics(v1::Metrics& reply)
{
    const auto current = metrics();
    if (!current)
        return toStatus(current.error());
    reply.set_text(prometheusText(*current));
    reply.set_is_more(current->recorded.isMore);
    return grpc::Status::OK;
}

void ControlServer::Impl::execute(const v1::Command& request, Respond<v1::SendReply> respond)
{
    const auto command = fromProto(request);
    if (!command || m_isEnding) {
        respond(toStatus(command ? Error{{code::AgentEnding, {}, {}}, {}} : command.error()), {});
        return;
    }
    const std::uint64_t id = ++m_lastCommand;
    m_commands[id] = std::move(respond);
    // Whoever owns the agent's loop may stop it with this in the queue: then beginEnd() answers.
    tellHost([id, command = *command, generation = request.generation()](Impl& self) {
        Result<void> result;
        if (generation != 0)
            result = self.m_host.obeys(generation);
        if (result)
            result = self.m_host.execute(command);
        self.loop.post([&self, id, result] { self.answer(id, result); });
    });
}

/// Through the agent's own loop: one that hangs doesn't answer.
void ControlServer::Impl::heartbeat(const v1::HeartbeatRequest& request,
                                    Respond<v1::HeartbeatReply> respond)
{
    const Heartbeat heartbeat{request.generation(), request.is_released()};
    tellHost([heartbeat, respond = std::move(respond)](Impl& self) {
        self.loop.post([&self, respond, held = self.m_host.heartbeat(heartbeat)]() mutable {
            v1::HeartbeatReply reply;
            if (held) {
                held->machine = self.m_options.machine;
                held->secrets = self.m_options.secrets;
                toProto(*held, reply);
            }
            respond(held ? grpc::Status::OK : toStatus(held.error()), reply);
        });
    });
}

void ControlServer::Impl::answer(std::uint64_t command, const Result<void>& result)
{
    const auto found = m_commands.find(command);
    if (found == m_commands.end())
        return;
    found->second(result ? grpc::Status::OK : toStatus(result.error()), {});
    m_commands.erase(found);
}

Result<void> ControlServer::Host::obeys(std::uint64_t /*generation*/)
{
    return {};
}

Result<HeartbeatReply> ControlServer::Host::heartbeat(const Heartbeat& /*heartbeat*/)
{
    return fail(code::NotSupported, {{"what", "A lead"}});
}

void ControlServer::Host::takeStacks(std::function<void(Result<KeptEvidence>)> answer)
{
    answer(fail(code::NotSupported, {{"what", "Taking stacks"}}));
}

Result<OperationPage> ControlServer::Recording::operations(std::uint64_t /*cursor*/)
{
    return fail(code::NotSupported, {{"what", "Operations"}});
}

std::vector<RankActivity> ControlServer::Recording::ranks(const std::vector<int>& /*stacks*/)
{
    return {};
}

Result<RecordedMetrics> ControlServer::Recording::metrics()
{
    return fail(code::NotSupported, {{"what", "Metrics"}});
}

ControlServer::ControlServer(EventLoop& agentLoop, Host& host, Recording& recording,
                             Options options)
    : m_impl(std::make_shared<Impl>(agentLoop, host, recording, std::move(options)))
{
    m_impl->thread = startThreadOrThrow("rm-control", [impl = m_impl.get()] { impl->loop.run(); });
}

ControlServer::~ControlServer()
{
    m_impl->end();
}

Result<std::filesystem::path> ControlServer::listen(const std::filesystem::path& folder)
{
    // The socket must be there when this returns, and its watch belongs to the server's thread.
    std::promise<Result<std::filesystem::path>> opened;
    m_impl->loop.post([this, &folder, &opened] { opened.set_value(m_impl->listen(folder)); });
    return opened.get_future().get();
}

Result<int> ControlServer::serveMetrics(int port)
{
    std::promise<Result<int>> opened;
    m_impl->loop.post([this, port, &opened] { opened.set_value(m_impl->serveMetrics(port)); });
    return opened.get_future().get();
}

void ControlServer::serve(FileDescriptor connection)
{
    m_impl->loop.post([impl = m_impl.get(), held = std::make_shared<FileDescriptor>(std::move(
                                                connection))] { impl->serve(std::move(*held)); });
}

void ControlServer::publish(const Event& event)
{
    m_impl->loop.post([impl = m_impl.get(), event] { impl->publish(event); });
}

} // namespace ringmaster
