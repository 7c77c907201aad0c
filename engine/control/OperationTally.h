#pragma once

#include "engine/control/ArrivalTally.h"
#include "engine/ledger/Operation.h"

namespace ringmaster {

/// Adds a run's operations up as they are read, attempt by attempt. Figures of the whole are the
/// last attempt's; the time series and the table of a range are of all attempts. The series has at
/// most MostSpans spans: a long run's become longer. Pure.
class OperationTally
{
public:
    static constexpr std::int64_t ShortestSpanNs = 1'000'000'000;
    static constexpr std::int64_t MostSpans = 600;

    void add(const OperationBatch& batch);
    /// What ended before comes as folds, which are added first.
    void setFoldedBefore(std::int64_t ns);
    void add(const OperationFold& fold);
    void addDamaged() { ++m_damaged; }
    /// With a range, the table is about that, widened to whole spans; where only sums are left, to
    /// theirs.
    OperationSummary summary(std::optional<OperationSummary::TimeRange> range = {}) const;

private:
    using Spans = std::map<std::int64_t, OperationSummary::Point>; ///< By time over m_spanNs.
    using Tables = std::map<std::int64_t, diagnose::BandwidthRows>;

    /// With what tells an older one from it.
    struct Latest
    {
        std::uint64_t id = 0;
        OperationSummary::Place place{}; ///< Without where it was called.
        std::uint16_t site = 0;
    };

    /// False: it is of an attempt that is over.
    bool isOfLatest(int attempt);
    /// The first attempt's first operation.
    std::int64_t beganNs() const;
    std::int64_t endedNs() const;
    void setPlace(int rank, const Operation& operation);
    void addToSeries(const diagnose::SettledOperation& operation);
    OperationSummary::Point& pointAt(ledger::OperationKind kind, std::int64_t endedNs);
    void makeRoomFor(std::int64_t endedNs);
    void widenSpans(std::int64_t before);
    OperationSummary::TimeRange widened(OperationSummary::TimeRange range) const;
    /// Puts what ended in the range in the place of all.
    void narrow(OperationSummary& summary, OperationSummary::TimeRange range) const;

    int m_attempt = -1;
    std::uint64_t m_operations = 0;
    std::uint64_t m_lost = 0;
    std::uint64_t m_damaged = 0;
    diagnose::BandwidthTable m_table;
    int m_stepsOf = -1; ///< The lowest rank so far.
    diagnose::StepWatch m_steps;
    ArrivalTally m_arrivals;
    std::map<int, Latest> m_latest;                            ///< By rank.
    std::map<std::pair<int, std::uint16_t>, CallSite> m_sites; ///< By rank and number.
    std::map<ledger::OperationKind, Spans> m_series;
    Tables m_tables; ///< A table for each span, as in the series.
    std::int64_t m_foldedBeforeNs = 0;
    std::int64_t m_spanNs = ShortestSpanNs;
    std::int64_t m_beganNs = 0; ///< Of the attempts before this one; 0: there was none.
    std::int64_t m_firstNs = 0; ///< Of an operation's end; 0: none.
    std::int64_t m_lastNs = 0;
};

} // namespace ringmaster
