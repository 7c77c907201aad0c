#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/diagnose/Steps.h"
#include "engine/diagnose/VerdictCandidate.h"

#include <chrono>
#include <deque>
#include <map>

namespace ringmaster::diagnose {

/// Names a rank that comes late to its group again and again: by when it calls, not by how long it
/// stays, for who comes last stays shortest. Operations that a rank calls without leaving one are a
/// sync point: being late for one of them is being late once. Sync points of one step, by the
/// rhythm of the operations, are a round. Pure, but for what it has looked at.
class StragglerWatch
{
public:
    struct Limits
    {
        size_t rounds = 20; ///< Fewer say nothing.
        size_t window = 60;
        std::chrono::nanoseconds late = std::chrono::milliseconds(5);
        double lateShare = 0.05; ///< Of a round's period, and of the others' time.
        double timesSpread = 3;  ///< The others are so much closer together.
        /// Something else that wants the processor makes a rank late for a moment.
        std::chrono::nanoseconds lasting = std::chrono::seconds(5);
    };

    StragglerWatch() = default;
    explicit StragglerWatch(Limits limits) : m_limits(limits) {}

    std::vector<VerdictCandidate> look(const std::vector<RankView>& ranks);

private:
    struct SyncPoint
    {
        std::uint64_t first = 0;   ///< Number of its first operation.
        int last = -1;             ///< The rank that came last; -1: within the clocks' error.
        std::int64_t lateNs = 0;   ///< After the one before it, at most.
        std::int64_t spreadNs = 0; ///< From the first to the one before the last, then.
        std::int64_t errorNs = 0;  ///< Of the clocks, at most, between that rank's and another's.
        std::int64_t otherNs = 0;  ///< Of a round: the most that another rank was late by.
        std::int64_t beganNs = 0;
        size_t operations = 0;
    };

    struct GroupHistory
    {
        std::uint64_t looked = 0; ///< The last operation that was looked at.
        std::deque<SyncPoint> syncPoints{};
        std::map<int, std::int64_t> endedNs{}; ///< Of the last, by rank, by its own clock.
        StepWatch steps{};
        int named = -1;
        std::map<int, std::int64_t> lateSinceNs{}; ///< Of who is late again and again, by rank.
    };

    /// Of one rank, in the rounds that it was last in.
    struct Lateness
    {
        std::vector<std::int64_t> lateNs{};
        std::vector<std::int64_t> spreadNs{};
        std::int64_t errorNs = 0;
        std::int64_t lostNs = 0;
        std::int64_t firstNs = 0; ///< When the first of these rounds began.
    };

    /// What is judged.
    struct Span
    {
        size_t rounds = 0;
        size_t members = 0;
        std::int64_t wallNs = 0;

        /// The share of the time that the others lost by it.
        double lostBy(const Lateness& lateness) const
        {
            return static_cast<double>(lateness.lostNs) / static_cast<double>(wallNs);
        }
    };

    static std::vector<SyncPoint> roundsOf(const GroupHistory& history, size_t most);
    static std::map<int, Lateness> latenessIn(const std::vector<SyncPoint>& rounds,
                                              std::int64_t lateEnough);
    bool stands(const Lateness& lateness, const Span& span, bool isNamed) const;
    static Verdict verdictOf(int rank, const Lateness& lateness, const Span& span,
                             const GroupKey& group);
    void follow(GroupHistory& history, const GroupKey& group,
                const std::vector<const RankView*>& members);
    static void tellOfProcessors(Verdict& verdict, int rank, const Lateness& lateness,
                                 const Span& span, const std::vector<const RankView*>& members);
    static std::int64_t leftNs(const GroupHistory& history, const RankView& view);
    static void add(GroupHistory& history, const std::vector<const RankView*>& members,
                    const std::vector<const Operation*>& calls);
    void judge(GroupHistory& history, const GroupKey& group,
               const std::vector<const RankView*>& members,
               std::vector<VerdictCandidate>& found) const;

    Limits m_limits{};
    std::map<GroupKey, GroupHistory> m_groups;
};

} // namespace ringmaster::diagnose
