#include "engine/control/ControlServerImpl.h"

#include "engine/base/Log.h"
#include "engine/base/Version.h"
#include "engine/control/Codes.h"
#include "engine/control/LogProto.h"
#include "engine/control/OperationProto.h"
#include "engine/control/RpcStatus.h"
#include "engine/event/Proto.h"

#include <future>

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr size_t EventsABatch = 256;
constexpr size_t BytesABatch = 1U << 20U;
constexpr auto RecordingRetry = 20ms;
constexpr auto EndPatience = 1s;

const Event& plain(const Event& event)
{
    return event;
}

const Event& plain(const std::shared_ptr<const Event>& event)
{
    return *event;
}

/// Puts events into a batch up to its limit; returns the last one's sequence, 0 if there is none.
template <class Events>
std::uint64_t fill(v1::EventBatch& batch, const Events& events)
{
    std::uint64_t last = 0;
    size_t bytes = 0;
    for (const auto& event : events) {
        v1::Event& added = *batch.add_events();
        toProto(plain(event), added);
        last = plain(event).runSequence;
        bytes += added.ByteSizeLong();
        if (bytes > BytesABatch)
            break;
    }
    return last;
}

} // namespace

ControlServer::Impl::Impl(EventLoop& agentLoop, Host& host, Recording& recording, Options options)
    : m_agentLoop(agentLoop)
    , m_host(host)
    , m_recording(recording)
    , m_options(std::move(options))
    , m_history(m_options.eventsInMemory)
{
    m_snapshot.run = m_options.run;
}

Result<std::filesystem::path> ControlServer::Impl::listen(const std::filesystem::path& folder)
{
    m_socket = std::make_unique<ControlSocket>(RM_TRY(ControlSocket::open(
        loop, folder, [this](FileDescriptor connection) { serve(std::move(connection)); })));
    return m_socket->path();
}

void ControlServer::Impl::serve(FileDescriptor connection)
{
    if (!m_isEnding)
        m_service.serve(std::move(connection));
}

void ControlServer::Impl::publish(const Event& event)
{
    m_snapshot.apply(event);
    if (!m_history.append(event))
        log::error("control", "an event out of order: " + std::to_string(event.runSequence));
    feedAll();
}

void ControlServer::Impl::feedAll()
{
    // A copy: one that is fed its end leaves the set.
    const auto subscribers = m_subscribers;
    for (SubscriberStream* stream : subscribers)
        feed(*stream);
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
    const auto commands = std::exchange(m_commands, {});
    for (const auto& [id, respond] : commands)
        respond(toStatus(Error{{code::AgentEnding, {}, {}}, {}}), {});
    feedAll();
}

void ControlServer::Impl::hello(v1::HelloReply& reply) const
{
    reply.set_ringmaster_version(RINGMASTER_VERSION);
    reply.set_run(m_options.run);
    reply.set_agent_pid(::getpid());
}

void ControlServer::Impl::subscriberCame(SubscriberStream& stream)
{
    m_subscribers.insert(&stream);
    if (m_subscribers.size() == 1)
        tellWatched();
    feed(stream);
}

void ControlServer::Impl::subscriberReady(SubscriberStream& stream)
{
    feed(stream);
}

void ControlServer::Impl::subscriberGone(SubscriberStream& stream)
{
    m_subscribers.erase(&stream);
    m_waiting.erase(&stream);
    if (m_subscribers.empty())
        tellWatched();
}

void ControlServer::Impl::tellWatched()
{
    tellHost([isWatched = !m_subscribers.empty()](Impl& self) { self.m_host.watched(isWatched); });
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

void ControlServer::Impl::lookAtRanks(const v1::RankLook& request, v1::RankStates& reply)
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

void ControlServer::Impl::feed(SubscriberStream& stream)
{
    if (!stream.isIdle())
        return;
    if (const auto wait = m_waiting.find(&stream);
        wait != m_waiting.end() && wait->second.retry.isActive())
        return;
    if (!m_history.reachesBackTo(stream.position())) {
        feedFromRecording(stream);
        return;
    }
    m_waiting.erase(&stream);
    v1::EventBatch batch;
    const std::uint64_t last = fill(batch, m_history.after(stream.position(), EventsABatch));
    if (last != 0)
        stream.send(std::move(batch), last);
    else if (m_isEnding)
        stream.end(grpc::Status::OK);
}

void ControlServer::Impl::feedFromRecording(SubscriberStream& stream)
{
    // Where the file has later events, numbers that are missing are samples that it thinned out.
    const auto events = m_recording.events(stream.position(), EventsABatch);
    if (!events || events->empty()) {
        waitForRecording(stream);
        return;
    }
    m_waiting.erase(&stream);
    v1::EventBatch batch;
    const std::uint64_t last = fill(batch, *events);
    stream.send(std::move(batch), last);
}

void ControlServer::Impl::waitForRecording(SubscriberStream& stream)
{
    const auto now = std::chrono::steady_clock::now();
    const auto wait = m_waiting.try_emplace(&stream, Wait{.since = now}).first;
    if (m_isEnding || now - wait->second.since > m_options.recordingPatience) {
        stream.end(toStatus(Error{
            {code::SubscriberTooSlow, {{"sequence", std::to_string(stream.position())}}, {}}, {}}));
        return;
    }
    wait->second.retry = loop.callAfter(RecordingRetry, [this, &stream] { feed(stream); });
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

} // namespace ringmaster
