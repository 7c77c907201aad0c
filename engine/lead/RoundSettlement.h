#pragma once

#include "engine/lead/HostFailures.h"
#include "engine/lead/JobMembers.h"
#include "engine/lead/RestartBudget.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ringmaster {

/// What the end of a job's last round costs: nothing, a restart, a host that is left out, or the
/// job itself. The one place that counts restarts. Pure: what it has to know it asks its Host,
/// inside the call.
class RoundSettlement
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        /// Whether the places still stand, before a failure in them is charged: true if
        /// placesKnown() or displaced() will follow.
        virtual bool askPlaces() { return false; }
        /// What the failed attempt's first cause was, as far as is known by now.
        virtual std::optional<FirstCause> firstCause(int attempt) = 0;
        /// A rule of the job forbids another attempt after this one, whose first cause is known.
        virtual std::optional<Message> refusesRestart(int /*attempt*/) { return std::nullopt; }
        /// Where that cause was; empty: that isn't known.
        virtual std::string guiltyHost(int /*attempt*/) { return {}; }
        /// A rule of the job counts that, and may have its host left out.
        virtual void hostFailed(const Notice& /*what*/) {}
    };

    struct Limits
    {
        int maxRestarts = 0;
        int minNodes = 1;
    };

    struct Outcome
    {
        enum class Kind {
            Unknown, ///< The places are asked for; settle() once more.
            GoesOn,
            Over, ///< The job has failed, for `why`.
        };

        Kind kind = Kind::GoesOn;
        Message why{};
        std::optional<GroupRestarting> restart{}; ///< Nothing: no attempt was broken up.
        JobMember* leftOut = nullptr;             ///< From now on; it is to be told.
    };

    /// Failures and members outlive this.
    RoundSettlement(const Limits& limits, HostFailures& failures, JobMembers& members, Host& host);

    /// Another lead has used so many restarts, its last round's among them or not; that was broken
    /// up for this, if at all.
    void resume(int restartsUsed, bool isCharged, const std::optional<Message>& brokenUp);
    void roundBegan() { m_budget.roundBegan(); }
    int restartsUsed() const { return m_budget.used(); }

    void brokenUp(const Message& why) { m_why = why; }
    /// A worker group of the round has failed by itself.
    void failed() { m_hasFailed = true; }
    /// If one has, this was why.
    void excuse(const Message& why);
    /// The same; a place of the round was taken, so that nobody has to be asked for them.
    void placeTaken(const Message& why);
    /// The answer to askPlaces(): they stand. False: nobody has asked.
    bool placesKnown();

    /// Nobody is at work in the round any more.
    Outcome settle(int attempt, std::int64_t nowNs);
    /// All places were taken back at once, with what ran there. Nothing: no round had begun.
    std::optional<Outcome> displaced(int attempt, const Message& why, bool isFree,
                                     std::int64_t nowNs);

private:
    /// To whoever gives the places.
    enum class Question { None, Asked, Answered };

    bool waitsForPlaces();
    Outcome chargeFailure(int attempt, std::int64_t nowNs);

    const int m_minNodes;
    HostFailures& m_failures;
    JobMembers& m_members;
    Host& m_host;
    RestartBudget m_budget;
    bool m_hasFailed = false;
    Question m_question = Question::None;
    Message m_why{}; ///< The round was broken up.
};

} // namespace ringmaster
