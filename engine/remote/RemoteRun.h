#pragma once

#include "engine/control/AgentClient.h"
#include "engine/event/Event.h"
#include "engine/hosts/HostLink.h"
#include "engine/lead/LogGatherer.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace ringmaster {

/// A run on another machine, followed from here: its events and its output, each once and in order,
/// however often the connection breaks. The run doesn't need any of it. Lives on the loop.
class RemoteRun : private HostLink::Listener, private LogGatherer::Sink
{
public:
    /// Called on the loop.
    class Owner
    {
    public:
        virtual ~Owner() = default;
        virtual void runHappened(const Event& event) = 0;
        virtual void runPrinted(const LogChunk& chunk) = 0;
        /// The next output should wait.
        virtual bool isBehind() const = 0;
        /// The connection has broken, once until runReachedAgain(); it is tried again and again.
        virtual void runOutOfReach(const Message& why, bool hasEnded) = 0;
        virtual void runReachedAgain() = 0;
        /// Once: its exit code, or why it can't be followed. Nothing comes afterwards.
        virtual void runOver(const Result<int>& exitCode) = 0;
    };

    enum class Connection { Shared, Fresh };

    struct Options
    {
        std::string run{};
        std::function<HostLink::Options(Connection)> way{};
        std::chrono::milliseconds firstDelay{500}; ///< Doubled with each try in vain …
        std::chrono::milliseconds longestDelay{15'000};
    };

    RemoteRun(EventLoop& loop, Owner& owner, Options options);
    ~RemoteRun() override;

    void start() { connect(); }
    /// Asks its agent to stop it; again once it is reached, where it isn't now.
    void stop(bool isNow);
    bool isReached() const { return m_client != nullptr; }

private:
    void linkTold(const Message& /*progress*/) override {}
    void linkOpened(FileDescriptor channel) override;
    void linkEnded(const Error& why, int exitCode) override;
    void logged(const LogChunk& chunk) override { m_owner.runPrinted(chunk); }
    void logLost(std::uint64_t /*bytes*/) override {} // `ringmaster show` says so
    bool isBehind() const override { return m_owner.isBehind(); }

    void connect();
    void connectLater();
    void arrived(const std::vector<Event>& events);
    void streamEnded(const Result<void>& result);
    void askForRecord();
    void answered(const Result<HeartbeatReply>& reply);
    void allArrived();
    void released(const Result<HeartbeatReply>& reply);
    void broken(const Message& why);
    void sendStop();
    void letGo();
    void end(const Result<int>& exitCode);

    /// For calls from other threads: on the loop, unless the connection is another one by then.
    template <class T>
    std::function<void(T)> onLoop(void (RemoteRun::*call)(const T&))
    {
        return [this, call, connection = m_connection, alive = std::weak_ptr(m_alive)](T value) {
            m_loop.post([this, call, connection, alive, value = std::move(value)] {
                if (alive.lock() && connection == m_connection)
                    (this->*call)(value);
            });
        };
    }

    EventLoop& m_loop;
    Owner& m_owner;
    const Options m_options;
    std::uint64_t m_sequence = 0; ///< Of the last event.
    std::optional<int> m_exitCode;
    std::optional<bool> m_stop; ///< Asked for; true: at once.
    bool m_isCut = false;
    bool m_isClosing = false;  ///< The agent of the run that has ended may go.
    bool m_hasArrived = false; ///< All there is.
    bool m_isOver = false;
    std::chrono::milliseconds m_delay;
    std::uint64_t m_connection = 0;
    EventLoop::Registration m_again;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);

    LogGatherer m_logs;
    RpcQueue m_queue;
    std::unique_ptr<HostLink> m_link;
    std::unique_ptr<AgentClient> m_client;
    Subscription m_stream;
};

} // namespace ringmaster
