#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/ControlServer.h"
#include "engine/control/LiveSamples.h"
#include "engine/control/RecordingReads.h"
#include "engine/control/RpcService.h"
#include "engine/control/SubscriberFeed.h"
#include "engine/event/Snapshot.h"

#include <map>
#include <memory>

#include <ringmaster.grpc.pb.h>

namespace ringmaster {

class ControlSocket;
class MetricsEndpoint;

/// What a ControlServer has on its thread: answers RPCs from the snapshot and the recording, and
/// asks the agent, on the agent's loop, what only that can say.
class ControlService : public RpcService, public std::enable_shared_from_this<ControlService>
{
public:
    using Native = v1::Agent::AsyncService;

    /// The loops outlive it; on `readingLoop` the recording is read.
    ControlService(EventLoop& loop, EventLoop& readingLoop, EventLoop& agentLoop,
                   ControlServer::Host& host, ControlServer::Recording& recording,
                   ControlServer::Options options);
    ~ControlService() override;

    Result<std::filesystem::path> listen(const std::filesystem::path& folder);
    Result<int> serveMetrics(int port);
    void accept(FileDescriptor connection)
    {
        if (!m_isEnding)
            serve(std::move(connection));
    }
    void publish(const Event& event);
    /// Nobody else is served; subscribers take what is left, commands are answered.
    void beginEnd();
    /// After shutDown(), when no loop runs any more.
    void letSubscribersGo() { m_feed.letAllGo(); }

    // What the calls need.
    Native& native() { return m_native; }
    void subscriberCame(SubscribeCall& subscriber);
    void subscriberReady(SubscribeCall& subscriber) { m_feed.feed(subscriber); }
    void subscriberGone(SubscribeCall& subscriber);

private:
    void configure(grpc::ServerBuilder& builder) override { builder.RegisterService(&m_native); }
    void awaitCalls() override;

    void hello(const v1::HelloRequest& request, const Respond<v1::HelloReply>& respond);
    void snapshot(const v1::SnapshotRequest& request, const Respond<v1::RunSnapshot>& respond);
    void readLog(const v1::LogQuery& request, const Respond<v1::LogPage>& respond);
    void readOperations(const v1::OperationQuery& request,
                        const Respond<v1::OperationPage>& respond);
    void lookAtRanks(const v1::RankLook& request, const Respond<v1::RankActivities>& respond);
    void takeStacks(const v1::StacksQuery& request, const Respond<v1::Stacks>& respond);
    void readMetrics(const v1::MetricsQuery& request, const Respond<v1::Metrics>& respond);
    void execute(const v1::Command& request, const Respond<v1::SendReply>& respond);
    void heartbeat(const v1::HeartbeatRequest& request, const Respond<v1::HeartbeatReply>& respond);

    void askMetrics(std::function<void(const Result<RunMetrics>&)> take);
    void tellHost(std::function<void(ControlService&)> call);
    void tellWatched();
    void answer(std::uint64_t command, const Result<void>& result);

    EventLoop& m_agentLoop;
    ControlServer::Host& m_host;
    ControlServer::Recording& m_recording;
    ControlServer::Options m_options;

    RunSnapshot m_snapshot;
    LiveSamples m_samples;
    std::map<std::uint64_t, Respond<v1::SendReply>> m_commands;
    std::uint64_t m_lastCommand = 0;
    bool m_isEnding = false;

    RecordingReads m_reads;
    SubscriberFeed m_feed;
    std::unique_ptr<ControlSocket> m_socket;
    std::unique_ptr<MetricsEndpoint> m_metrics; ///< Null: nobody has asked for it.
    Native m_native;
};

} // namespace ringmaster
