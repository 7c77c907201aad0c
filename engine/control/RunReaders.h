#pragma once

#include "engine/control/Cluster.h"
#include "engine/control/OperationReading.h"
#include "engine/control/RunFigures.h"
#include "engine/control/RunNumbers.h"
#include "engine/record/RunCatalog.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace ringmaster {

/// Reads what is recorded of runs, for a front. What was read last stays open: the next page costs
/// little, and what is long is read part by part, so that pages of other runs come in between. One
/// thread at a time.
class RunReaders
{
public:
    using TimeRange = OperationSummary::TimeRange;

    /// The catalog outlives this.
    explicit RunReaders(const RunCatalog& catalog) : m_catalog(catalog) {}

    Result<LogPage> readLog(const std::string& run, const LogQuery& query);
    Result<LogSearchPage> searchLog(const std::string& run, LogSearch& search);
    Result<std::vector<LogLine>> readLogLines(const std::string& run,
                                              const std::vector<LogPlace>& places);
    Result<OperationSummary> readOperations(const std::string& run, std::optional<TimeRange> range);
    Result<NumberSummary> readNumbers(const std::string& run,
                                      const std::vector<std::string>& names);
    Result<NumberSummary> readLastNumbers(const std::string& run) const;
    Result<RunFigures> readFigures(const std::string& run);
    Result<ComparedRun> readComparedRun(const std::string& run,
                                        const std::vector<std::string>& names) const;

private:
    struct OpenLog
    {
        std::string run{};
        RunFileReader reader;
    };

    /// With what they amount to so far.
    struct OpenOperations
    {
        std::string run{};
        RunFileReader reader;
        OperationReading operations{};
    };

    struct OpenNumbers
    {
        std::string run{};
        RunFolder folder;
        RunFileReader reader;
        RunNumbers numbers;
    };

    template <class T>
    Result<T> askLog(const std::string& run,
                     const std::function<Result<T>(const RunFileReader&)>& ask);

    const RunCatalog& m_catalog;
    std::optional<OpenLog> m_log;
    std::optional<OpenOperations> m_operations;
    std::optional<OpenNumbers> m_numbers;
    std::map<std::string, RunFiguresReader> m_figures; ///< Of the live runs that were asked about.
};

} // namespace ringmaster
