#include "engine/record/WriteQueue.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ringmaster {

namespace {

/// Rows of one worker that follow each other within this are one: nobody sees the difference.
constexpr std::int64_t SameMomentNs = 10'000'000;
constexpr std::uint64_t WantedRowBytes = 64U << 10U;

bool follows(const LogIndexEntry& last, const LogIndexEntry& row)
{
    return last.offset + last.length == row.offset;
}

bool isSameMoment(const LogIndexEntry& last, const LogIndexEntry& row)
{
    return row.at.monotonicNs - last.at.monotonicNs <= SameMomentNs &&
           last.length + row.length <= WantedRowBytes;
}

} // namespace

size_t WriteQueue::Batch::size() const
{
    return events.size() + samples.size() + logFiles.size() + logRows.size() + gaps.size() +
           operations.size() + folds.size();
}

void WriteQueue::add(Event event)
{
    if (!isSample(event.body)) {
        m_waiting.events.push_back(std::move(event));
        return;
    }
    m_waiting.samples.push_back(std::move(event));
    if (m_waiting.samples.size() > m_limits.samples)
        thinSamples();
}

void WriteQueue::add(const LogIndexEntry& row)
{
    const auto known = m_lastRowOfFile.find(row.file);
    if (known != m_lastRowOfFile.end()) {
        LogIndexEntry& last = m_waiting.logRows[known->second];
        const bool isFull = m_waiting.logRows.size() >= m_limits.logRows;
        if (follows(last, row) && (isFull || isSameMoment(last, row))) {
            if (!isSameMoment(last, row))
                add(RecordGap{RecordGap::Kind::LogTimes, last.at.wallNs, row.at.wallNs, 1, 0});
            last.length += row.length;
            return;
        }
    }
    // A file without a row here gets one even above the limit: there are few files.
    m_lastRowOfFile[row.file] = m_waiting.logRows.size();
    m_waiting.logRows.push_back(row);
}

void WriteQueue::add(const RecordGap& gap)
{
    const auto same = std::ranges::find(m_waiting.gaps, gap.kind, &RecordGap::kind);
    if (same == m_waiting.gaps.end()) {
        m_waiting.gaps.push_back(gap);
        return;
    }
    same->firstWallNs = std::min(same->firstWallNs, gap.firstWallNs);
    same->lastWallNs = std::max(same->lastWallNs, gap.lastWallNs);
    same->rows += gap.rows;
    same->bytes += gap.bytes;
}

void WriteQueue::add(OperationRow row)
{
    if (m_operationBytes + row.block.size() > m_limits.operationBytes)
        return add(RecordGap{RecordGap::Kind::Operations, row.wallNs, row.wallNs, row.count,
                             row.block.size()});
    m_operationBytes += row.block.size();
    m_waiting.operations.push_back(std::move(row));
}

WriteQueue::Batch WriteQueue::take()
{
    m_lastRowOfFile.clear();
    m_operationBytes = 0;
    return std::exchange(m_waiting, {});
}

void WriteQueue::putBack(Batch batch)
{
    Batch newer = take();
    m_waiting.events = std::move(batch.events);
    m_waiting.logFiles = std::move(batch.logFiles);
    m_waiting.samples = std::move(batch.samples);
    m_waiting.folds = std::move(batch.folds);
    for (const RecordGap& gap : batch.gaps)
        add(gap);
    for (const LogIndexEntry& row : batch.logRows)
        add(row);
    for (OperationRow& row : batch.operations)
        add(std::move(row));

    std::ranges::move(newer.events, std::back_inserter(m_waiting.events));
    std::ranges::move(newer.logFiles, std::back_inserter(m_waiting.logFiles));
    std::ranges::move(newer.folds, std::back_inserter(m_waiting.folds));
    for (Event& sample : newer.samples)
        add(std::move(sample));
    for (const LogIndexEntry& row : newer.logRows)
        add(row);
    for (OperationRow& row : newer.operations)
        add(std::move(row));
    for (const RecordGap& gap : newer.gaps)
        add(gap);
}

void WriteQueue::thinSamples()
{
    RecordGap gap{RecordGap::Kind::Samples, m_waiting.samples.front().at.wallNs,
                  m_waiting.samples.back().at.wallNs, 0, 0};
    // Ranks are sampled in turn, so every second *round* of one rank goes, not every second row.
    std::map<std::pair<std::string, int>, bool> isOdd;
    const auto isSurplus = [&](const Event& event) {
        bool& odd = isOdd[{event.node, sampledRank(event.body)}];
        return std::exchange(odd, !odd);
    };
    gap.rows = std::erase_if(m_waiting.samples, isSurplus);
    add(gap);
}

} // namespace ringmaster
