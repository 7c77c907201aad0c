#pragma once

#include "engine/base/EventLoop.h"
#include "engine/rendezvous/Rendezvous.h"
#include "engine/store/StoreThread.h"

#include <memory>
#include <optional>

namespace ringmaster {

/// The rendezvous of an agent that has a lead: the lead says when a round is complete and who has
/// which rank, so no store has to be reached for that, and no agent's end is the end of the others'
/// rendezvous. Each agent brings an open store; the first one's becomes the workers'.
class CoordinatedRendezvous : public Rendezvous
{
public:
    /// The way to the lead.
    class Lead
    {
    public:
        virtual ~Lead() = default;
        /// Ready for this round or any later one.
        virtual void offered(std::uint64_t round, const NodeOffer& offer,
                             const std::string& address, int port) = 0;
        /// All workers of this node have succeeded in this round.
        virtual void finished(std::uint64_t round) = 0;
    };

    struct Options
    {
        std::string address{};  ///< At which the others reach this machine.
        bool shareStore = true; ///< As RendezvousOptions has it.
        OpenStoreFactory openStore = StoreThread::start;
    };

    CoordinatedRendezvous(Options options, EventLoop& loop, Lead& lead, Host& host);
    ~CoordinatedRendezvous() override;

    void join(const NodeOffer& offer) override;
    void enterExitBarrier(std::function<void(Result<void>)> done) override;
    void close(std::function<void()> done) override;

    // What the lead says. It may come twice or late: what is of a round that this node has left is
    // ignored.
    void begin(Round round);
    /// The round and those before it are over, and whatever a former lead has begun. A node that
    /// has finished stays so unless it is recalled.
    void leave(std::uint64_t round, bool recallsFinished, const Message& why);
    /// Another lead has taken over: it may not have heard of the round that this node is in.
    void leadChanged() { m_isOfFormerLead = true; }
    /// No round will come any more; the job has succeeded or has not.
    void closed(bool hasSucceeded, const Message& why);

private:
    enum class Phase { Idle, Joining, InRound, InBarrier, Closed };

    bool hasLeft(std::uint64_t round) const;
    void offerSoon();
    void recall(const Message& why);
    void offer();

    Options m_options;
    EventLoop& m_loop;
    Lead& m_lead;
    Host& m_host;
    Phase m_phase = Phase::Idle;
    NodeOffer m_offer;
    std::uint64_t m_next = 0;        ///< The first round that this node hasn't left, or been in.
    std::uint64_t m_round = 0;       ///< The last that it began.
    bool m_isOfFormerLead = false;   ///< That round.
    std::optional<Message> m_recall; ///< To leave it also if its workers have succeeded.
    std::unique_ptr<OpenStore> m_store;
    std::function<void(Result<void>)> m_barrier;
    EventLoop::Registration m_soon;
};

} // namespace ringmaster
