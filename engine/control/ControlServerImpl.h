#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/ControlServer.h"
#include "engine/control/ControlService.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/EventHistory.h"
#include "engine/event/Snapshot.h"

#include <map>
#include <set>
#include <thread>

namespace ringmaster {

/// The server's thread and what lives on it.
class ControlServer::Impl : public ControlService::Target, public std::enable_shared_from_this<Impl>
{
public:
    Impl(EventLoop& agentLoop, Host& host, Recording& recording, Options options);

    Result<std::filesystem::path> listen(const std::filesystem::path& folder);
    void serve(FileDescriptor connection);
    void publish(const Event& event);
    void end(); ///< Called on the owner's thread; joins this one.

    void hello(v1::HelloReply& reply) const override;
    void snapshot(v1::RunSnapshot& reply) const override;
    grpc::Status readLog(const v1::LogQuery& request, v1::LogPage& reply) override;
    grpc::Status readOperations(const v1::OperationQuery& request,
                                v1::OperationPage& reply) override;
    void lookAtRanks(const v1::RankLook& request, v1::RankStates& reply) override;
    void takeStacks(Respond<v1::Stacks> respond) override;
    void execute(const v1::Command& request, Respond<v1::SendReply> respond) override;
    void heartbeat(const v1::HeartbeatRequest& request,
                   Respond<v1::HeartbeatReply> respond) override;
    void subscriberCame(SubscriberStream& stream) override;
    void subscriberReady(SubscriberStream& stream) override;
    void subscriberGone(SubscriberStream& stream) override;

    EventLoop loop;
    std::thread thread;

private:
    /// One that needs what the run file doesn't have yet.
    struct Wait
    {
        std::chrono::steady_clock::time_point since{};
        EventLoop::Registration retry{};
    };

    void beginEnd();
    void feedAll();
    void feed(SubscriberStream& stream);
    void feedFromRecording(SubscriberStream& stream);
    void waitForRecording(SubscriberStream& stream);
    void tellHost(std::function<void(Impl&)> call);
    void tellWatched();
    void answer(std::uint64_t command, const Result<void>& result);

    EventLoop& m_agentLoop;
    Host& m_host;
    Recording& m_recording;
    Options m_options;

    RunSnapshot m_snapshot;
    EventHistory m_history;
    std::set<SubscriberStream*> m_subscribers;
    std::map<SubscriberStream*, Wait> m_waiting;
    std::map<std::uint64_t, Respond<v1::SendReply>> m_commands;
    std::uint64_t m_lastCommand = 0;
    bool m_isEnding = false;

    std::unique_ptr<ControlSocket> m_socket;
    ControlService m_service{loop, *this};
};

} // namespace ringmaster
