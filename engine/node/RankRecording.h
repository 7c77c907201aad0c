#pragma once

#include "engine/diagnose/OperationAggregator.h"
#include "engine/event/Event.h"
#include "engine/ledger/LedgerReader.h"
#include "engine/ledger/OperationDecoder.h"
#include "engine/record/RunFileWriter.h"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace ringmaster {

/// One worker's ledger on its way into the run file. One thread.
class RankRecording
{
public:
    using Tell = std::function<void(const EventBody&)>;

    /// Each block goes into the folder, too.
    RankRecording(LedgerSegment segment, RunFileWriter& writer,
                  diagnose::OperationAggregator& folder, Tell tell);

    /// What came since the last time. Blocks are written when they are due.
    void read(LedgerReader::Clock::time_point now);
    /// The worker has ended: what is left, and what it was in.
    void finish();

    double fill() const { return m_reader.fill(); }
    int globalRank() const { return m_segment.identity().rank; }
    int attempt() const { return m_segment.identity().attempt; }
    bool isFinished() const { return m_isFinished; }
    /// As its agent has seen; what it has left may still have to be read.
    bool hasEnded() const { return m_hasEnded; }
    bool hasSucceeded() const { return m_hasSucceeded; }
    void ended(bool isSuccess)
    {
        m_hasEnded = true;
        m_hasSucceeded = isSuccess;
    }
    bool hasLostPeer() const { return m_hasLostPeer; }
    void lostPeer() { m_hasLostPeer = true; }
    /// Of the first operation that was done; 0: none yet.
    std::int64_t firstEndNs() const { return m_firstEndNs; }

    /// What it is in now, and the last that ended.
    OperationBatch now() const;
    /// As RankActivity has it.
    std::uint64_t firstOperation() const { return m_firstOperation; }
    const diagnose::RankTrack& track() const { return m_track; }
    bool isWritten() const { return m_reader.isWritten(); }
    /// Of the process that records, else of the one that was launched.
    int pid() const;
    void launched(int pid) { m_pid = pid; }
    /// What keeps it after its main program's end.
    const std::vector<Message>& threadsLeft() const { return m_threadsLeft; }
    void kept(Message thread) { m_threadsLeft.push_back(std::move(thread)); }
    /// Its threads that ended with an exception.
    const std::vector<Message>& threadsFailed() const { return m_threadsFailed; }
    void failed(Message thread) { m_threadsFailed.push_back(std::move(thread)); }

private:
    void take(const ledger::Record& record);
    void keep(const Operation& operation);
    void keepTold();
    void keepLasting(LedgerReader::Clock::time_point now);
    void write();
    void describe(OperationBatch& batch, const std::set<std::uint32_t>& groups,
                  const std::set<std::uint16_t>& sites) const;
    void tellAbout();
    void tell(Notice::Severity severity, Message message);

    LedgerSegment m_segment;
    LedgerReader m_reader;
    RunFileWriter& m_writer;
    diagnose::OperationAggregator& m_folder;
    Tell m_tell;
    OperationDecoder m_decoder;
    diagnose::RankTrack m_track;
    int m_pid = 0;
    std::vector<Message> m_threadsLeft;
    std::vector<Message> m_threadsFailed;
    std::uint64_t m_lastOperation = 0;
    std::uint64_t m_firstOperation = 0;
    std::map<std::uint32_t, LedgerGroup> m_groups;
    std::map<std::uint16_t, CallSite> m_sites;
    std::vector<ledger::Record> m_records;
    OperationBatch m_batch;
    std::set<std::uint64_t> m_lasting; ///< Running, and kept already.
    std::set<std::uint32_t> m_groupsOfBatch;
    std::set<std::uint16_t> m_sitesOfBatch;
    LedgerReader::Clock::time_point m_writtenAt = LedgerReader::Clock::now();
    std::uint64_t m_lostTold = 0;
    bool m_areGroupsTold = false;
    std::int64_t m_firstEndNs = 0;
    bool m_isFinished = false;
    bool m_hasEnded = false;
    bool m_hasSucceeded = false;
    bool m_hasLostPeer = false; ///< So its last error says.
};

using Recordings = std::vector<std::unique_ptr<RankRecording>>;

} // namespace ringmaster
