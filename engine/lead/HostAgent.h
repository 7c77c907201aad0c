#pragma once

#include "engine/control/AgentClient.h"
#include "engine/event/Event.h"
#include "engine/hosts/HostLink.h"
#include "engine/lead/AgentStream.h"
#include "engine/lead/ClockOffsetMeter.h"
#include "engine/lead/ConnectionReplies.h"
#include "engine/lead/LinkTimes.h"
#include "engine/lead/ReconnectPolicy.h"

#include <functional>
#include <memory>
#include <optional>

namespace ringmaster {

/// The agent of one host, as its lead sees it: started there, watched by heartbeats, reached again
/// when the connection has broken, and replaced when it is gone. Lives on the lead's loop.
class HostAgent : private HostLink::Listener, private AgentStream::Host
{
public:
    class Lead
    {
    public:
        virtual ~Lead() = default;
        /// Reconnecting as soon as it is silent or its connection has ended, Lost when it has been
        /// so for node_timeout; Connected when it answers again.
        virtual void changed(HostAgent& host, HostChanged::State state, const Message& reason) = 0;
        /// In order, each once.
        virtual void happened(HostAgent& host, Event event) = 0;
        virtual void measured(HostAgent& host, const ClockMeasured& clock) = 0;
        /// What the workers there have inherited that isn't for others; once.
        virtual void inherited(HostAgent& host, const InheritedSecrets& secrets) = 0;
    };

    /// How the way there is opened; again and again.
    using Open = std::function<Result<std::unique_ptr<HostLink>>(HostLink::Listener&,
                                                                 const ReconnectPolicy::Try&)>;

    struct Setting
    {
        AgentLaunchRequest order{};
        Open open{};
        /// Another lead has started it, and had so many of its events.
        std::optional<std::uint64_t> resumesFrom{};
        bool hasEnded = false; ///< It has said how, to that lead.
        std::chrono::milliseconds holdInterval{1000};
        LinkTimes times{std::chrono::seconds(20)};
        /// From one try of the way to the next one; at once, if the first has taken that long.
        std::chrono::milliseconds firstDelay{500};
        std::chrono::milliseconds longestDelay{1000};
        /// For the way to who may still have something to end there.
        std::chrono::milliseconds lastTry{6000};
        /// For one that may go: it still writes its record.
        std::chrono::milliseconds endPatience{5000};
    };

    HostAgent(EventLoop& loop, RpcQueue& queue, LogGatherer::Sink& logs,
              OperationGatherer::Sink& operations, Lead& lead, Setting setting);
    ~HostAgent() override;

    void start();
    void send(const Command& command);
    /// The run was stopped: it hears of it now, and once more whenever it is reached again.
    void stop(const StopRun& command);
    /// Where its ranks stand now; the answer comes on the loop.
    void takeStacks(std::function<void(const Result<KeptEvidence>&)> answer);
    /// It isn't reached for so long, as if its cable were pulled, unless the run ends meanwhile.
    /// Only while it is connected; one that may go already does so.
    void cutFor(std::chrono::nanoseconds time, const Message& why);
    /// Nobody is to be started any more; one that isn't reached at the next try is gone.
    void stopTrying();
    /// Its host is no more the job's.
    void abandon(const Message& why) { gone(why); }

    const std::string& agent() const { return m_setting.order.agent; }
    const std::string& host() const { return m_setting.order.host; }
    bool isConnected() const { return m_client != nullptr && m_hasAnswered && !m_isCut; }
    std::chrono::nanoseconds silentFor() const;
    /// There was an agent; so another one can be started in its place.
    bool wasStarted() const { return m_wasStarted; }
    /// It has ended, and what comes is what it had kept.
    bool isRecord() const { return m_said.isRecord(); }
    /// It has ended as it should, and so has the link to it; or it is no more.
    bool isOver() const { return m_isOver; }

private:
    void linkTold(const Message& progress) override;
    void linkOpened(FileDescriptor channel) override;
    void linkEnded(const Error& why, int exitCode) override;
    void happened(Event event) override { m_lead.happened(*this, std::move(event)); }
    void broken(const Message& why) override;
    void complete() override;

    void connect();
    bool isAwaited() const;
    void connectLater(const Message& why);
    void tellWhy(const Message& why);
    void beat();
    void held(const Result<HeartbeatReply>& held);
    void awaitEnd(const Result<HeartbeatReply>& answer);
    void silent();
    Message silence(std::chrono::milliseconds time) const;
    bool hasFallenSilent(Code why) const;
    void cut(const Message& why);
    void reconnecting(const Message& why);
    void reachedAgain();
    void tryOnceMore(const Message& why);
    void gone(const Message& why);
    void finished();
    void hangUp();
    void letGo();
    void takeAnswer(const HeartbeatReply& held);
    void takeRecord(const HeartbeatReply& held);
    Message whyNotThere(const std::string& machine, bool hasGivenUp) const;

    EventLoop& m_loop;
    RpcQueue& m_queue;
    Lead& m_lead;
    Setting m_setting;
    AgentStream m_said;
    ClockOffsetMeter m_clockOffset;
    ReconnectPolicy m_retries;

    std::unique_ptr<HostLink> m_link;
    std::unique_ptr<AgentClient> m_client;
    ConnectionReplies m_replies;
    std::string m_machine;      ///< That it ran on when it was started.
    std::int64_t m_heardNs = 0; ///< It answered last.
    std::int64_t m_triedNs = 0; ///< The way was tried last.
    bool m_isCut = false;
    bool m_hasAnswered = false;
    bool m_wasStarted = false; ///< There is an agent to come back to.
    bool m_isReleased = false;
    bool m_isOver = false;
    bool m_isTrying = true;
    std::optional<StopRun> m_stop;
    bool m_hasTriedLast = false;
    EventLoop::Registration m_beat;
    EventLoop::Registration m_silence; ///< Until it is said.
    EventLoop::Registration m_leftOut; ///< Until the others do without it.
    EventLoop::Registration m_again;
};

} // namespace ringmaster
