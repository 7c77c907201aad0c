#pragma once

#include "engine/lead/JobMembers.h"
#include "engine/lead/LastCall.h"
#include "engine/lead/OpenRound.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ringmaster {

/// How the next round of a job comes together: who is ready, how long the others are waited for,
/// who begins it and who stands by. Pure: what is to be done is told to the Host, inside the call.
class RoundFormation
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void beginRound(const std::string& agent, const BeginRound& round) = 0;
        /// Ready, and a round runs without it; or not any more, because the next one has it.
        virtual void spare(const std::string& agent, bool isSpare) = 0;
    };

    /// Members and round outlive this.
    RoundFormation(const LastCall::Limits& limits, std::string runId, JobMembers& members,
                   OpenRound& round, Host& host);

    /// Before anything else: another lead had come so far.
    void resume(const JobStanding& standing, std::int64_t nowNs);

    /// Nobody runs; said once, the later ones change nothing.
    void waits(std::int64_t nowNs) { m_lastCall.waits(nowNs); }
    /// Somebody has done something about it: the wait begins anew, if there is one.
    void delayed(std::int64_t nowNs) { m_lastCall.again(nowNs); }
    /// Nobody can join before there are places again.
    void stopWaiting() { m_lastCall.stop(); }

    /// Nobody is at work. Whether those who are ready begin now; `restartsUsed` is told them.
    bool beginsNow(int restartsUsed, std::int64_t nowNs);
    /// Otherwise: why there won't be a round; nothing: it is waited for. `loss`: what the last
    /// member that is missing is missing for.
    std::optional<Message> whyNever(const Message& loss, std::int64_t nowNs);
    /// Who is ready, and isn't in the round that runs.
    void tellSpares();

    int attempt() const { return m_attempt; }
    /// The number of the round that begins next.
    std::uint64_t nextRound() const { return m_nextRound; }

private:
    void begin(std::vector<JobMember*> members, int restartsUsed);
    void recallFinished(size_t ready, std::int64_t nowNs);

    const std::string m_runId;
    JobMembers& m_members;
    OpenRound& m_round;
    Host& m_host;
    LastCall m_lastCall;
    std::uint64_t m_nextRound = 0;
    int m_attempt = -1;
};

} // namespace ringmaster
