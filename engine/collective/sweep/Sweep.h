#pragma once

#include "engine/collective/sweep/Reporter.h"
#include "engine/collective/sweep/SweepBenchmark.h"
#include "engine/collective/sweep/SweepExchange.h"

#include <optional>

namespace ringmaster::collective {

/// One rank of a sweep: row after row, agreed with the others. Rank 0 reports.
class Sweep
{
public:
    explicit Sweep(SweepOptions options);

    /// Until all rows are told, or something fails that isn't a row's alone.
    Result<void> run();

private:
    struct Joined
    {
        std::string name;
        SweepBackend backend;
    };
    /// What the ranks say about one step: empty everywhere if it went well.
    struct Verdict
    {
        bool isRefused = false; ///< Every rank says no.
        std::string reason{};
    };

    Result<std::vector<Joined>> joinAll();
    Result<std::optional<SweepBackend>> join(const std::string& name);
    Result<void> measureRow(Joined& joined, const std::string& collective, std::int64_t size,
                            Measurement row);
    Result<Verdict> tryOut(SweepBenchmark& benchmark, std::int64_t& wrong);
    Result<Verdict> judge(const std::string& failure, const std::string& what);
    void measure(SweepBenchmark& benchmark, Measurement& row);
    int iterationsFor(SweepBenchmark& benchmark);
    void report(const Measurement& row) const;

    SweepOptions m_options;
    SweepExchange m_exchange;
    Reporter m_reporter;
};

} // namespace ringmaster::collective
