#pragma once

#include "engine/event/Event.h"
#include "engine/event/LeadCommands.h"
#include "engine/job/JobSpec.h"
#include "engine/lead/JobStanding.h"
#include "engine/lead/OpenRound.h"
#include "engine/lead/RendezvousClosing.h"
#include "engine/lead/RoundFormation.h"
#include "engine/lead/RoundSettlement.h"

#include <chrono>
#include <string>

namespace ringmaster {

/// How a job on several hosts goes: what each fact means for its round, when another one begins,
/// when the job is over. What a failure costs says its RoundSettlement. Pure: the caller brings
/// facts and the time; what is to be done is told to the Host, inside the call.
class ElasticCoordinator
{
public:
    using Duration = std::chrono::nanoseconds;

    class Host : public OpenRound::Host,
                 public RoundFormation::Host,
                 public RoundSettlement::Host,
                 public RendezvousClosing::Host
    {
    public:
        virtual void stateChanged(RunState state, const Message& reason) = 0;
        virtual void restarting(const GroupRestarting& restart) = 0;
    };

    struct Limits
    {
        NodeRange nodes{};
        int maxRestarts = 0;
        int leaveHostOutAfter = 0;                   ///< Failures; 0: never.
        Duration lastCall{std::chrono::seconds(30)}; ///< For hosts that are still on their way.
        Duration laterCall{std::chrono::seconds(3)}; ///< The same once a round has been.
        Duration joinTimeout{std::chrono::seconds(600)};
        /// How long a round waits for a host that is cut off while others work in it: since it was
        /// heard last.
        Duration reconnect{0};
        std::string runId{};
    };

    ElasticCoordinator(Limits limits, Host& host);

    /// Before anything else: goes on from there. Nobody can be reached yet.
    void resume(const JobStanding& standing, std::int64_t nowNs);

    /// Its agent is being started; the order of these calls is the order of the ranks.
    void expected(const std::string& agent, const std::string& name, std::int64_t nowNs);
    void offered(const std::string& agent, const RendezvousReport& offer, std::int64_t nowNs);
    void finished(const std::string& agent, std::uint64_t round, std::int64_t nowNs);
    /// All its workers run.
    void running(const std::string& agent);
    /// The connection to it is broken, and it was heard last so long ago; its workers may run. It
    /// is told again what holds when it is back.
    void lost(const std::string& agent, const Message& why, std::int64_t nowNs,
              Duration silentFor = Duration(0));
    void back(const std::string& agent, std::int64_t nowNs);
    /// It is no more; another one takes its place, if at all.
    void gone(const std::string& agent, const Message& why, std::int64_t nowNs);
    /// The same, because its place was taken: what has failed with it isn't charged.
    void taken(const std::string& agent, const Message& why, std::int64_t nowNs);
    /// It is no more, and its host gets another one.
    void replaced(const std::string& agent, const std::string& by, const Message& why,
                  std::int64_t nowNs);
    /// It isn't ready yet, but does something about it.
    void delayed(const std::string& agent, std::int64_t nowNs);
    /// It has said how it ended.
    void ended(const std::string& agent, RunState state, const Message& reason, std::int64_t nowNs);

    /// The answer to askPlaces(): as far as anybody knows they are as they were.
    void placesKnown(std::int64_t nowNs);
    /// All places were taken back at once, and what ran there has ended; charged if anything did.
    enum class Charge { Restart, Free };
    void displaced(const Message& why, std::int64_t nowNs, Charge charge = Charge::Restart);
    /// The same, and there won't be others.
    void impossible(const Message& why);
    /// Another lead has the job, and tells the agents how it goes on.
    void handOver(const Message& why);

    /// Nobody new takes part; the agents are told by the owner. Stopped by a user, or failed by a
    /// rule of the job.
    void stopping(const Message& reason, RunState end = RunState::Stopped);
    /// Uncharged: everybody leaves the round and another one begins.
    void restart(const Message& why, std::int64_t nowNs);
    /// Time passes; at least once a second.
    void look(std::int64_t nowNs);

    RunState state() const { return m_state; }
    /// As the Host was told.
    bool isSpare(const std::string& agent) const;
    /// It has failed too often: no agent is to be started there.
    bool isLeftOut(const std::string& host) const { return m_failures.isLeftOut(host); }
    Message whyLeftOut(const std::string& host) const { return m_failures.why(host); }
    int attempt() const { return m_formation.attempt(); }
    /// As RoundFormation.
    std::uint64_t nextRound() const { return m_formation.nextRound(); }
    bool isEnding() const { return m_closing.isDecided(); }

private:
    using State = JobMember::State;

    void breakRound(const Message& why);
    void welcome(const JobMember& newcomer, Code why);
    void recalled(JobMember& member);
    void workersFailed(const JobMember& member, std::int64_t nowNs);
    void leaveOutTheLost(std::int64_t nowNs);
    void departed(const std::string& agent, const Message& why);
    void consider(std::int64_t nowNs);
    bool settleLastRound(std::int64_t nowNs);
    void considerNextRound(std::int64_t nowNs);
    void turnAway(const JobMember& member);
    void close(RunState state, const Message& reason);
    void enter(RunState state, const Message& reason = {});

    Limits m_limits;
    Host& m_host;
    JobMembers m_members;
    OpenRound m_round;
    RoundFormation m_formation;
    HostFailures m_failures;
    RoundSettlement m_settlement; ///< Of the last round.
    RunState m_state = RunState::Starting;
    RendezvousClosing m_closing;
    Message m_lastLoss{};
};

} // namespace ringmaster
