#include "engine/node/RankRecording.h"

#include "engine/ledger/OperationBlock.h"
#include "engine/node/Codes.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// What a killed agent loses of the operations, against blocks that compress badly.
constexpr auto BlockAge = 2s;
constexpr size_t BlockSize = 8192;
constexpr auto LongOperation = 1s;
/// A program may keep what it never waits for.
constexpr auto LongestReturn = 10s;
constexpr size_t MostAtOnce = 256; ///< Of what runs, for who looks now.

} // namespace

RankRecording::RankRecording(LedgerSegment segment, RunFileWriter& writer,
                             diagnose::OperationAggregator& folder, Tell tell)
    : m_segment(std::move(segment))
    , m_reader(m_segment)
    , m_writer(writer)
    , m_folder(folder)
    , m_tell(std::move(tell))
    , m_batch{.attempt = m_segment.identity().attempt, .rank = m_segment.identity().rank}
{
}

void RankRecording::read(LedgerReader::Clock::time_point now)
{
    if (m_isFinished)
        return;
    m_records.clear();
    m_reader.read(m_records, now);
    for (LedgerGroup& group : m_reader.readGroups()) {
        m_track.described(group);
        m_groups[group.group] = std::move(group);
    }
    for (CallSite& site : m_reader.readSites()) {
        m_track.described(site);
        m_sites[site.site] = std::move(site);
    }
    for (const ledger::Record& record : m_records)
        take(record);
    m_decoder.giveUpReturns(
        std::chrono::nanoseconds(now.time_since_epoch() - LongestReturn).count());
    keepTold();
    tellAbout();
    keepLasting(now);
    const bool hasSome = !m_batch.operations.empty() || m_reader.lost() != m_lostTold;
    if (hasSome && now - m_writtenAt >= BlockAge)
        write();
}

void RankRecording::take(const ledger::Record& record)
{
    if (const auto ended = m_decoder.take(record)) {
        m_track.seen(*ended);
        m_lasting.erase(ended->id);
        if (m_firstEndNs == 0 && ended->outcome == Operation::Outcome::Done &&
            !ledger::makesGroup(ended->kind))
            m_firstEndNs = ended->endedNs;
    }
    // One whose call has returned may go on, on a GPU.
    if (record.record == ledger::RecordKind::Open || record.record == ledger::RecordKind::Done) {
        const auto running = m_decoder.running().find(record.operation);
        if (running != m_decoder.running().end())
            m_track.seen(running->second);
    }
    if (record.record == ledger::RecordKind::Open)
        m_lastOperation = std::max(m_lastOperation, record.operation);
    if (record.record == ledger::RecordKind::Attached) {
        m_track.restarted();
        m_firstOperation = m_lastOperation == 0 ? 0 : m_lastOperation + 1;
    }
}

void RankRecording::keepTold()
{
    for (const Operation& operation : m_decoder.takeTold())
        keep(operation);
}

/// So that whoever reads the file while the run goes on sees where a rank stands.
void RankRecording::keepLasting(LedgerReader::Clock::time_point now)
{
    for (const auto& [id, operation] : m_decoder.running()) {
        const std::chrono::nanoseconds entered(operation.enqueuedNs);
        if (operation.enqueuedNs != 0 && now.time_since_epoch() - entered >= LongOperation &&
            m_lasting.insert(id).second)
            keep(operation);
    }
}

int RankRecording::pid() const
{
    return m_decoder.writer() ? m_decoder.writer()->pid : m_pid;
}

void RankRecording::keep(const Operation& operation)
{
    m_batch.operations.push_back(operation);
    m_groupsOfBatch.insert(operation.group);
    m_sitesOfBatch.insert(operation.site);
    if (m_batch.operations.size() >= BlockSize)
        write();
}

void RankRecording::describe(OperationBatch& batch, const std::set<std::uint32_t>& groups,
                             const std::set<std::uint16_t>& sites) const
{
    for (const std::uint32_t group : groups) {
        if (const auto known = m_groups.find(group); known != m_groups.end())
            batch.groups.push_back(known->second);
    }
    for (const std::uint16_t site : sites) {
        if (const auto known = m_sites.find(site); known != m_sites.end())
            batch.sites.push_back(known->second);
    }
}

OperationBatch RankRecording::now() const
{
    OperationBatch batch{.attempt = attempt(), .rank = globalRank()};
    if (m_decoder.last())
        batch.operations.push_back(*m_decoder.last());
    for (const auto& [id, operation] : m_decoder.running()) {
        batch.operations.push_back(operation);
        if (batch.operations.size() >= MostAtOnce)
            break;
    }
    std::set<std::uint32_t> groups;
    std::set<std::uint16_t> sites;
    for (const Operation& operation : batch.operations) {
        groups.insert(operation.group);
        sites.insert(operation.site);
    }
    describe(batch, groups, sites);
    return batch;
}

void RankRecording::write()
{
    m_writtenAt = LedgerReader::Clock::now();
    describe(m_batch, m_groupsOfBatch, m_sitesOfBatch);
    const std::uint64_t lost = m_reader.lost();
    m_batch.lost = lost - m_lostTold;
    if (m_batch.lost > 0)
        tell(Notice::Severity::Warning,
             {code::LedgerRecordsLost, {{"count", std::to_string(m_batch.lost)}}, {}});
    m_lostTold = lost;
    OperationRow row{.attempt = m_batch.attempt,
                     .globalRank = m_batch.rank,
                     .count = m_batch.operations.size(),
                     .wallNs = SystemClock().now().wallNs};
    for (const Operation& operation : m_batch.operations) {
        if (row.firstNs == 0 || operation.enqueuedNs < row.firstNs)
            row.firstNs = operation.enqueuedNs;
        row.lastNs = std::max({row.lastNs, operation.enqueuedNs, operation.endedNs});
    }
    row.block = packOperations(m_batch);
    m_folder.add(m_batch);
    m_writer.appendOperations(std::move(row));
    m_batch = {.attempt = m_batch.attempt, .rank = m_batch.rank};
    m_groupsOfBatch.clear();
    m_sitesOfBatch.clear();
}

void RankRecording::finish()
{
    if (m_isFinished)
        return;
    // What is incomplete now stays so.
    auto now = LedgerReader::Clock::now();
    for (int i = 0; i < 1000 && (i == 0 || m_reader.fill() > 0); ++i) {
        read(now);
        now += LedgerReader::Patience;
    }
    m_decoder.giveUpReturns(INT64_MAX);
    keepTold();
    for (const auto& [id, operation] : m_decoder.running())
        keep(operation);
    if (!m_batch.operations.empty() || m_reader.lost() != m_lostTold)
        write();
    m_isFinished = true;
}

void RankRecording::tellAbout()
{
    if (m_reader.groupsUnnamed() > 0 && !m_areGroupsTold) {
        m_areGroupsTold = true;
        tell(
            Notice::Severity::Info,
            {code::LedgerGroupsUnnamed, {{"count", std::to_string(m_reader.groupsUnnamed())}}, {}});
    }
}

void RankRecording::tell(Notice::Severity severity, Message message)
{
    message.parameters["rank"] = std::to_string(globalRank());
    m_tell(Notice{.severity = severity, .globalRank = globalRank(), .message = std::move(message)});
}

} // namespace ringmaster
