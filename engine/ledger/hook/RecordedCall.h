#pragma once

#include "engine/ledger/LedgerWriter.h"

namespace ringmaster::ledger {

/// One call on its way into the ledger. Two tell of its end, in any order and from any thread: the
/// backend, when the operation is over, and the caller, when its call or its wait is. While the
/// caller waits both become one record; else the backend's end is told at once, and the caller's
/// when it comes. Torch-free; both interposers use it.
class RecordedCall
{
public:
    /// It is begun.
    RecordedCall(LedgerWriter& writer, const Call& call, std::int64_t enqueuedNs);

    std::uint64_t operation() const { return m_operation; }
    const Call& call() const { return m_call; }

    /// Its caller has got something to wait for: returned() or forgone() will be called. Before
    /// anything else.
    void setAwaited() { m_isAwaited = true; }
    /// The backend is done. What comes later than the first is nothing. `endedNs`: 0: unknown.
    void ended(std::int64_t endedNs, bool failed, std::int64_t startedNs = 0,
               Algorithm algorithm = Algorithm::Unknown);
    /// Nobody but the caller will say when it is over.
    void endByReturn();
    /// The caller waits from now on.
    void waits();
    /// The caller goes on. What comes later than the first is nothing.
    void returned(std::int64_t returnedNs, bool failed);
    /// Nobody will say when the caller goes on.
    void forgone();
    /// Nothing of it will be written any more.
    bool isOver();

private:
    void callerGone(std::int64_t returnedNs, bool failed);
    void write(bool isReturnToCome);

    LedgerWriter& m_writer;
    Call m_call;
    const std::int64_t m_enqueuedNs;
    const std::uint64_t m_operation;
    bool m_isAwaited = false;

    std::mutex m_mutex; ///< Of what follows.
    std::int64_t m_startedNs = 0;
    std::int64_t m_endedNs = 0;
    std::int64_t m_returnedNs = 0;
    bool m_hasReturnedWell = false; ///< A wait, and not by its timeout.
    bool m_hasFailed = false;
    bool m_hasEnded = false;
    bool m_isWaiting = false; ///< The caller.
    bool m_isGone = false;    ///< The caller.
    bool m_endsByReturn = false;
    bool m_isWritten = false;
};

} // namespace ringmaster::ledger
