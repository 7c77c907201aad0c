#pragma once

#include "Recording.h"

#include <deque>
#include <map>
#include <random>
#include <set>

namespace ringmaster::diagnose {

/// Ranks that do one thing after another, in simulated time. An operation ends when all who take
/// part have come and their calls fit; otherwise they stay in it.
class Simulation
{
public:
    struct Call
    {
        ledger::OperationKind kind = ledger::OperationKind::AllReduce;
        std::uint64_t elements = 1000;
        ledger::DataType type = ledger::DataType::Float32;
        ledger::Reduction reduction = ledger::Reduction::Sum;
        int peer = -1; ///< In the group, or the root.
        std::uint32_t group = 0;
    };

    /// `seconds`: what a transfer takes.
    explicit Simulation(int ranks, double seconds = 0.01);

    void group(std::uint32_t number, const std::string& name, const std::vector<int>& members);
    void clock(int rank, RankClock clock) { m_recording.ranks.at(at(rank)).clock = clock; }
    void withoutLedger(int rank) { m_recording.ranks.at(at(rank)).isRecorded = false; }

    // What a rank does next, when it is done with what comes before.
    void computes(int rank, double seconds);
    void sleeps(int rank, double seconds);
    void writes(int rank, double seconds); ///< Files: little CPU time, but bytes.
    /// As the system says; outside all calls, without CPU time. In a function of that file.
    void waitsIn(int rank, double seconds, const ProcessWait& wait,
                 const std::string& file = "/home/me/data.py");
    void stops(int rank);
    void dies(int rank);
    void calls(int rank, const Call& call); ///< And waits until it is over.
    void begins(int rank, const Call& call);
    void waits(int rank); ///< For all that it has begun.
    /// Each of the group.
    void together(const Call& call);
    void transferTakes(double seconds) { m_transferSeconds = seconds; }

    static int pidOf(int rank) { return 100 + rank; }
    int ranks() const { return static_cast<int>(m_ranks.size()); }
    /// Up to `most` seconds; the same in every run.
    double noise(double most) { return std::uniform_real_distribution<double>(0, most)(m_random); }

    Recording run(double seconds);

private:
    enum class Activity { Computing, Blocked, Sleeping, Writing, Stopped, Dead };
    struct Action
    {
        enum class Kind { Spend, End, Call, Begin, Wait } kind = Kind::Spend;
        Activity activity = Activity::Computing;
        double seconds = 0;
        Call call{};
        double transferSeconds = 0;
        std::optional<ProcessWait> wait{};
        std::string file{};
    };
    struct Interval
    {
        Activity activity = Activity::Computing;
        std::int64_t fromNs = 0;
        std::optional<ProcessWait> wait{};
        std::string file = "/home/me/data.py";
    };
    struct Rank
    {
        std::deque<Action> actions{};
        std::vector<Interval> intervals{};
        std::int64_t nowNs = 0;
        std::set<std::uint64_t> pending{}; ///< Ids of what has begun and isn't over.
        std::set<std::uint64_t> awaited{}; ///< Of these, what it is blocked by.
        std::int64_t overNs = 0;           ///< Of what it has called, the last end.
        bool isBlocked = false;            ///< Until nothing is awaited.
        bool isOver = false;
        std::map<std::tuple<std::uint32_t, ledger::OperationKind, int>, std::uint64_t> numbers{};
    };
    /// What several ranks do together: group, number; for a pair the sender and the receiver, too.
    using CallKey = std::tuple<std::uint32_t, std::uint64_t, int, int>;

    static size_t at(int rank) { return static_cast<size_t>(rank); }
    void spend(int rank, Interval interval, double seconds);
    bool step(int rank);
    void enter(int rank, const Action& action);
    void settle(const CallKey& key, double transferSeconds);
    ProcessView processAt(const Rank& rank, std::int64_t ns) const;

    Recording m_recording;
    std::vector<Rank> m_ranks;
    std::map<std::uint32_t, std::vector<int>> m_groups;
    std::map<CallKey, std::vector<std::pair<int, std::uint64_t>>> m_arrived; ///< Rank and id.
    std::mt19937 m_random{7};
    double m_transferSeconds;
    std::uint64_t m_lastId = 0;
};

} // namespace ringmaster::diagnose
