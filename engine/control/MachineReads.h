#pragma once

#include "engine/base/LoopThread.h"
#include "engine/base/Once.h"
#include "engine/control/Cluster.h"
#include "engine/control/OperationReading.h"

#include <memory>
#include <optional>
#include <string>

namespace ringmaster {

/// Adds up the operations of other machines' runs, part by part as they come; keeps what has come
/// of the run that was asked about last. Works on a thread of its own, "rm-far-files".
class MachineReads
{
public:
    template <class T>
    using Answer = Cluster::Answer<T>;
    using AskOperations = std::function<void(const OperationPart::Query&, Answer<OperationPart>)>;

    /// What has come last of a run is added to what came before.
    void readOperations(const std::string& run, std::optional<OperationSummary::TimeRange> range,
                        AskOperations ask, const Once<OperationSummary>& answer);
    /// Nothing is asked any more.
    void stop() { m_thread.stop(); }

private:
    struct OpenRun
    {
        std::string run{};
        OperationReading operations{};
        std::int64_t clockAheadNs = 0; ///< This machine's CLOCK_MONOTONIC, of that one's.
    };

    void ask(const std::shared_ptr<OpenRun>& open, std::optional<OperationSummary::TimeRange> range,
             const AskOperations& ask, const Once<OperationSummary>& answer);

    std::shared_ptr<OpenRun> m_open;
    LoopThread m_thread{"rm-far-files"}; ///< Last: ended first.
};

} // namespace ringmaster
