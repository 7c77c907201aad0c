#pragma once

#include "engine/event/Event.h"
#include "engine/record/RunFileWriter.h"
#include "engine/worker/OutputHub.h"

#include <functional>
#include <map>
#include <mutex>
#include <tuple>

namespace ringmaster {

/// Writes the index of the logs: which bytes came when from whom. Called on the output thread.
class OutputRecorder : public OutputHub::Sink
{
public:
    using Lost = std::function<void(int globalRank, const OutputLoss&)>;

    OutputRecorder(RunFileWriter& writer, Lost lost) : m_writer(writer), m_lost(std::move(lost)) {}

    /// Any thread, before the attempt's workers start: who has which local rank.
    void attemptStarted(const AttemptStarted& attempt);

    void outputRead(const OutputChunk& chunk) override;
    void outputLost(const OutputLoss& loss) override;

private:
    using FileKey = std::tuple<int, int, OutputStream>; ///< attempt, local rank, stream

    int globalRankOf(int attempt, int localRank) const;
    int fileOf(const OutputChunk& chunk);

    RunFileWriter& m_writer;
    Lost m_lost;
    std::map<FileKey, int> m_files;
    std::map<FileKey, std::uint64_t> m_lostBytes; ///< That have been recorded.
    mutable std::mutex m_mutex;
    std::map<std::pair<int, int>, int> m_globalRanks; ///< By attempt and local rank.
};

} // namespace ringmaster
