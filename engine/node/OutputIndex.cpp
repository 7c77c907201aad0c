#include "engine/node/OutputIndex.h"

namespace ringmaster {

namespace {

Stream streamOf(OutputStream stream)
{
    switch (stream) {
    case OutputStream::Stdout: return Stream::Stdout;
    case OutputStream::Stderr: return Stream::Stderr;
    }
    return Stream::Stdout;
}

} // namespace

void OutputIndex::attemptStarted(const AttemptStarted& attempt)
{
    const std::lock_guard lock(m_mutex);
    for (const WorkerAssignment& worker : attempt.workers)
        m_globalRanks[{attempt.attempt, worker.localRank}] = worker.globalRank;
}

int OutputIndex::globalRank(int attempt, int localRank)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_globalRanks.find({attempt, localRank});
    return found != m_globalRanks.end() ? found->second : localRank;
}

int OutputIndex::fileOf(const OutputChunk& chunk)
{
    const FileKey key{chunk.attempt, chunk.localRank, chunk.stream};
    const auto known = m_files.find(key);
    if (known != m_files.end())
        return known->second;
    const int file = m_record.addLogFile({.attempt = chunk.attempt,
                                          .globalRank = globalRank(chunk.attempt, chunk.localRank),
                                          .stream = streamOf(chunk.stream),
                                          .path = chunk.file});
    m_files.emplace(key, file);
    return file;
}

void OutputIndex::outputRead(const OutputChunk& chunk)
{
    if (chunk.file.empty())
        return;
    if (!chunk.kept)
        return m_record.addLostOutput(chunk.at, chunk.bytes.size());
    m_record.appendLog({.file = fileOf(chunk),
                        .at = chunk.at,
                        .offset = chunk.offset,
                        .length = chunk.bytes.size()});
}

void OutputIndex::outputLost(const OutputLoss& loss)
{
    Message message = loss.error;
    message.parameters["bytes"] = std::to_string(loss.bytes);
    m_lost({.severity = Notice::Severity::Error,
            .globalRank = globalRank(loss.attempt, loss.localRank),
            .message = std::move(message)});
}

} // namespace ringmaster
