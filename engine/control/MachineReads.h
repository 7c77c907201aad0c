#pragma once

#include "engine/base/LoopThread.h"
#include "engine/base/Once.h"
#include "engine/control/Cluster.h"
#include "engine/control/NumberNews.h"
#include "engine/control/OperationReading.h"

#include <memory>
#include <optional>
#include <string>

namespace ringmaster {

/// Puts together what is read of other machines' runs, part by part as it comes; keeps what has
/// come of the run that was asked about last. Works on a thread of its own, "rm-far-files".
class MachineReads
{
public:
    template <class T>
    using Answer = Cluster::Answer<T>;
    using AskOperations = std::function<void(const OperationPart::Query&, Answer<OperationPart>)>;
    using AskLines = std::function<void(std::vector<LogPlace>, Answer<LogPage>)>;
    /// With the serial of what came last.
    using AskNumbers = std::function<void(std::uint64_t, Answer<NumberNews>)>;

    /// What has come last of a run is added to what came before.
    void readOperations(const std::string& run, std::optional<OperationSummary::TimeRange> range,
                        AskOperations ask, const Once<OperationSummary>& answer);
    void readLogLines(std::vector<LogPlace> places, AskLines ask,
                      const Once<std::vector<LogLine>>& answer);
    void readNumbers(const std::string& run, const std::vector<std::string>& names, AskNumbers ask,
                     const Once<NumberSummary>& answer);
    /// Nothing is asked any more.
    void stop() { m_thread.stop(); }

private:
    struct OpenRun
    {
        std::string run{};
        OperationReading operations{};
        std::int64_t clockAheadNs = 0; ///< This machine's CLOCK_MONOTONIC, of that one's.
    };

    struct OpenNumbers
    {
        std::string run{};
        std::vector<std::string> names{};
        HeldNumbers numbers{};
    };

    struct OpenLines
    {
        std::vector<LogPlace> places{};
        std::vector<LogLine> lines{}; ///< Of the first of them.
    };

    void askLines(const std::shared_ptr<OpenLines>& open, const AskLines& ask,
                  const Once<std::vector<LogLine>>& answer);
    void ask(const std::shared_ptr<OpenRun>& open, std::optional<OperationSummary::TimeRange> range,
             const AskOperations& ask, const Once<OperationSummary>& answer);

    std::shared_ptr<OpenRun> m_open;
    std::shared_ptr<OpenNumbers> m_numbers;
    LoopThread m_thread{"rm-far-files"}; ///< Last: ended first.
};

} // namespace ringmaster
