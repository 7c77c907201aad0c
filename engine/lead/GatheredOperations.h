#pragma once

#include "engine/diagnose/DeathAges.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/diagnose/OperationAggregator.h"
#include "engine/event/Event.h"
#include "engine/lead/OperationGatherer.h"
#include "engine/node/RankActivityCache.h"
#include "engine/record/RunFileWriter.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace ringmaster {

/// The operations of all hosts' ranks, by the lead's clock: in its run file, and looked at
/// together, so that a rank of one host is found for whom those of another wait. Lives on the
/// lead's loop.
class GatheredOperations : public OperationGatherer::Sink
{
public:
    using Tell = std::function<void(const EventBody&)>;

    GatheredOperations(RunFileWriter& writer, RankActivityCache& rankActivities, Tell tell);

    /// Until when operations are recorded, of an attempt's rank: what comes of them is looked at,
    /// not written again.
    using Recorded = std::map<std::pair<int, int>, std::int64_t>;
    void resume(Recorded recorded) { m_recorded = std::move(recorded); }

    /// What the agent of a host tells, before that is recorded: what is to be said of an attempt
    /// comes before the next one begins.
    void happened(const std::string& agent, const std::string& host, const EventBody& body,
                  std::int64_t nowNs);
    void measured(const ClockMeasured& clock, std::int64_t nowNs);
    /// Now and then.
    void look(std::int64_t nowNs);
    /// Its ranks are about to be ended: who waits now is said for the last time.
    void stopping(std::int64_t nowNs);
    /// Nothing comes any more.
    void finish(std::int64_t nowNs);

    void operationsCame(const std::string& agent, const OperationRow& row) override;
    void ranksSeen(const std::string& agent, const std::vector<RankActivity>& ranks) override;
    void allCame(const std::string& agent, std::int64_t askedNs) override
    {
        m_askedNs[agent] = askedNs;
    }
    std::vector<int> stacksWanted() const override { return m_diagnosis.stacksWanted(); }

private:
    struct AgentClock
    {
        std::int64_t offsetNs = 0; ///< It is ahead of the lead's.
        std::int64_t boundNs = 0;
        std::int64_t measuredNs = 0;
        std::int64_t movedNs = 0; ///< What was set right before this measurement is off by it.
    };

    struct Rank
    {
        std::string agent{};
        std::string host{}; ///< As people name it.
        bool isRecorded = false;
        diagnose::RankTrack track{};
        diagnose::ProcessView process{};
        std::set<std::uint64_t> ended{};    ///< The latest, by id.
        std::uint64_t firstOperation = 0;   ///< Of the process that it is now.
        std::optional<WorkerExited> exit{}; ///< Of its last process that has ended.
        RankActivity now{};
        std::int64_t seenNs = 0; ///< It was so then; 0: never.
    };

    void begin(int attempt, int worldSize, std::int64_t nowNs);
    bool mayEnd(std::int64_t nowNs) const;
    void end(std::int64_t nowNs);
    bool isUpToDate(std::int64_t nowNs) const;
    std::int64_t offsetOf(const std::string& agent) const;
    void toLeadsClock(const std::string& agent, OperationBatch& batch) const;
    std::int64_t errorOf(const std::string& agent, std::int64_t nowNs) const;
    void learn(Rank& rank, const OperationBatch& batch);
    void show();
    static bool hasEnded(const Rank& rank);
    diagnose::ProcessView processOf(int number, const Rank& rank, std::int64_t nowNs) const;
    std::vector<diagnose::RankView> views(std::int64_t nowNs) const;
    void tell(const std::vector<Verdict>& verdicts);

    RunFileWriter& m_writer;
    RankActivityCache& m_rankActivities;
    Tell m_tell;
    int m_attempt = -1;
    bool m_isOn = false;
    bool m_isEnding = false;     ///< What the ranks did last has come.
    std::int64_t m_failedNs = 0; ///< An attempt that fails is looked at once more; 0: it doesn't.
    std::int64_t m_lookedNs = 0;
    std::map<std::string, AgentClock> m_clocks;
    std::map<std::string, std::int64_t> m_askedNs; ///< By agent: what was there then has come.
    std::map<int, Rank> m_ranks;
    diagnose::DeathAges m_deaths;
    Recorded m_recorded; ///< By the lead before this one.
    std::unique_ptr<diagnose::OperationAggregator> m_folder;
    diagnose::Diagnosis m_diagnosis;
};

} // namespace ringmaster
