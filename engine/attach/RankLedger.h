#pragma once

#include "engine/base/ProcessInfo.h"
#include "engine/diagnose/RankTrack.h"
#include "engine/ledger/LedgerReader.h"
#include "engine/ledger/OperationDecoder.h"

#include <memory>

namespace ringmaster {

/// What a rank that was started with RINGMASTER_HOOK=1 records of itself, read where it writes it:
/// in memory of its own, which goes with it. Of a long run only the latest of it is there. Nothing
/// that stands there is believed, and nothing is written to it. One thread's.
class RankLedger
{
public:
    /// Null: the process has none, or none that can be read.
    static std::unique_ptr<RankLedger> of(const ProcessIdentity& process);

    explicit RankLedger(LedgerSegment segment);

    /// What came since the last time.
    void read();
    const diagnose::RankTrack& track() const { return m_track; }
    /// As it says itself; -1: it doesn't.
    int rank() const { return m_segment.identity().rank; }

private:
    LedgerSegment m_segment;
    LedgerReader m_reader;
    OperationDecoder m_decoder;
    diagnose::RankTrack m_track;
};

} // namespace ringmaster
