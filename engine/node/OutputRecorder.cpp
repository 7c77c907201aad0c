#include "engine/node/OutputRecorder.h"

namespace ringmaster {

void OutputRecorder::attemptStarted(const AttemptStarted& attempt)
{
    const std::lock_guard lock(m_mutex);
    // Those before the last have said their last word.
    m_globalRanks.erase(m_globalRanks.begin(), m_globalRanks.lower_bound({attempt.attempt - 1, 0}));
    for (const WorkerAssignment& worker : attempt.workers)
        m_globalRanks[{attempt.attempt, worker.localRank}] = worker.globalRank;
}

void OutputRecorder::outputRead(const OutputChunk& chunk)
{
    if (chunk.file.empty() || !chunk.kept)
        return;
    m_writer.appendLog({.file = fileOf(chunk),
                        .at = chunk.at,
                        .offset = chunk.offset,
                        .length = chunk.bytes.size()});
}

void OutputRecorder::outputLost(const OutputLoss& loss)
{
    std::uint64_t& recorded = m_lostBytes[{loss.attempt, loss.localRank, loss.stream}];
    m_writer.addLostOutput(SystemClock().now(), loss.bytes - recorded);
    recorded = loss.bytes;
    m_lost(globalRankOf(loss.attempt, loss.localRank), loss);
}

int OutputRecorder::globalRankOf(int attempt, int localRank) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_globalRanks.find({attempt, localRank});
    return found != m_globalRanks.end() ? found->second : localRank;
}

int OutputRecorder::fileOf(const OutputChunk& chunk)
{
    const FileKey key{chunk.attempt, chunk.localRank, chunk.stream};
    const auto found = m_files.find(key);
    if (found != m_files.end())
        return found->second;
    const int file = m_writer.addLogFile(
        {.attempt = chunk.attempt,
         .globalRank = globalRankOf(chunk.attempt, chunk.localRank),
         .stream = chunk.stream == OutputStream::Stdout ? Stream::Stdout : Stream::Stderr,
         .path = chunk.file});
    const auto forget = [oldest = FileKey{chunk.attempt - 1, 0, OutputStream::Stdout}](auto& map) {
        map.erase(map.begin(), map.lower_bound(oldest));
    };
    forget(m_files);
    forget(m_lostBytes);
    m_files[key] = file;
    return file;
}

} // namespace ringmaster
