#pragma once

#include "engine/event/Event.h"
#include "engine/record/RunFileWriter.h"
#include "engine/worker/OutputHub.h"

#include <map>
#include <mutex>
#include <tuple>

namespace ringmaster {

/// Notes in the run file when which output was read and where it is kept. The output's thread
/// brings the chunks, the agent's loop the attempts.
class OutputIndex final : public OutputHub::Sink
{
public:
    /// A log that can't be written, as a fact for the run's events; called on the output's thread.
    using Lost = std::function<void(Notice)>;

    OutputIndex(RunFileWriter& record, Lost lost) : m_record(record), m_lost(std::move(lost)) {}

    void attemptStarted(const AttemptStarted& attempt);

    void outputRead(const OutputChunk& chunk) override;
    void outputLost(const OutputLoss& loss) override;

private:
    using FileKey = std::tuple<int, int, OutputStream>; ///< attempt, local rank, stream

    int fileOf(const OutputChunk& chunk);
    int globalRank(int attempt, int localRank);

    RunFileWriter& m_record;
    Lost m_lost;
    std::map<FileKey, int> m_files; ///< Output's thread.
    std::mutex m_mutex;
    std::map<std::pair<int, int>, int>
        m_globalRanks; ///< (attempt, local rank) → global rank; guarded.
};

} // namespace ringmaster
