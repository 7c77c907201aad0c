#include "engine/node/OutputRecorder.h"

namespace ringmaster {

void OutputRecorder::attemptStarted(const AttemptStarted& attempt)
{
    const std::lock_guard lock(m_mutex);
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
    m_writer.addLostOutput(SystemClock().now(), loss.bytes);
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
    m_files[key] = file;
    return file;
}

} // namespace ringmaster
