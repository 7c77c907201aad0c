#pragma once

#include "engine/base/EventLoop.h"
#include "engine/event/Command.h"
#include "engine/event/Event.h"
#include "engine/rendezvous/CoordinatedRendezvous.h"

#include <functional>
#include <memory>
#include <optional>

namespace ringmaster {

/// What holds an agent to the lead that started it: the rendezvous, the heartbeat, and what becomes
/// of the agent when the lead is gone. Lives on the agent's loop.
class LeadConnection : private CoordinatedRendezvous::Lead
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void tell(const EventBody& body) = 0;
        /// The lead won't come back: the workers are to be stopped.
        virtual void leadGone(const Error& why) = 0;
    };

    /// The address of `rendezvousOptions` is the order's.
    LeadConnection(EventLoop& loop, AgentLaunchRequest order,
                   CoordinatedRendezvous::Options rendezvousOptions, Host& host);
    LeadConnection(const LeadConnection&) = delete;
    LeadConnection& operator=(const LeadConnection&) = delete;
    ~LeadConnection() override;

    /// The agent's rendezvous; once.
    std::unique_ptr<Rendezvous> makeRendezvous(Rendezvous::Host& host);

    /// Nothing: the command isn't a lead's.
    std::optional<Result<void>> execute(const Command& command);
    Result<Moment> heartbeat(const Heartbeat& heartbeat);
    Result<void> obeys(std::uint64_t generation) const;
    /// Of the lead that it obeys.
    std::uint64_t generation() const { return m_generation; }

    /// Nothing is left of the run here. `released` once the lead has all that was told, or won't
    /// come for it.
    void finish(std::function<void()> released);

private:
    void offered(std::uint64_t round, const NodeOffer& offer, const std::string& address,
                 int port) override;
    void finished(std::uint64_t round) override;
    void expectHold();
    void leadLost();

    EventLoop& m_loop;
    const AgentLaunchRequest m_order;
    const CoordinatedRendezvous::Options m_rendezvousOptions;
    Host& m_host;
    CoordinatedRendezvous* m_rendezvous = nullptr; ///< The agent's.
    std::uint64_t m_generation;
    bool m_isLost = false;
    bool m_isReleased = false;
    std::function<void()> m_released;
    EventLoop::Registration m_beat;  ///< Until the lead counts as lost …
    EventLoop::Registration m_lease; ///< … and until it counts as gone.
};

/// At which the other hosts reach this machine: what was asked for, else where ssh came in, else
/// its name.
Result<std::string> reachableAddress(const AgentLaunchRequest& order,
                                     const std::map<std::string, std::string>& environment);

} // namespace ringmaster
