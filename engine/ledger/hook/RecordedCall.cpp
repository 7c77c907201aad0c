#include "engine/ledger/hook/RecordedCall.h"

namespace ringmaster::ledger {

RecordedCall::RecordedCall(LedgerWriter& writer, const Call& call, std::int64_t enqueuedNs)
    : m_writer(writer)
    , m_call(call)
    , m_enqueuedNs(enqueuedNs)
    , m_operation(writer.begin(call, enqueuedNs))
    , m_isWaiting(call.caller == Caller::Waits)
{
}

void RecordedCall::ended(std::int64_t endedNs, bool failed, std::int64_t startedNs,
                         Algorithm algorithm)
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    if (m_hasEnded)
        return;
    m_hasEnded = true;
    // Who waited may be told before the recorder is: it was over when the wait was.
    const bool wasOver = m_hasReturnedWell && !failed && endedNs > m_returnedNs;
    m_endedNs = wasOver ? m_returnedNs : endedNs;
    m_hasFailed = failed;
    m_startedNs = startedNs;
    m_call.algorithm = algorithm;
    const bool isReturnToCome = m_isAwaited && !m_isGone;
    if (!isReturnToCome || !m_isWaiting)
        write(isReturnToCome);
}

void RecordedCall::endByReturn()
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    m_endsByReturn = true;
}

void RecordedCall::waits()
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    m_isWaiting = true;
}

void RecordedCall::returned(std::int64_t returnedNs, bool failed)
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    callerGone(returnedNs, failed);
}

void RecordedCall::forgone()
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    callerGone(0, false);
}

bool RecordedCall::isOver()
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    return m_isWritten && (m_isGone || !m_isAwaited);
}

void RecordedCall::callerGone(std::int64_t returnedNs, bool failed)
{
    if (m_isGone)
        return;
    m_isGone = true;
    m_returnedNs = returnedNs;
    m_hasReturnedWell = returnedNs > 0 && !failed;
    if (m_isWritten)
        return m_writer.returned(m_operation, m_call, returnedNs);
    if (m_endsByReturn && !m_hasEnded) {
        m_hasEnded = true;
        m_endedNs = returnedNs;
        m_hasFailed = failed;
    }
    if (m_hasEnded)
        write(false);
}

void RecordedCall::write(bool isReturnToCome)
{
    m_isWritten = true;
    m_writer.end(m_operation, m_call, m_enqueuedNs, m_startedNs, m_endedNs, m_hasFailed,
                 {m_returnedNs, isReturnToCome});
}

} // namespace ringmaster::ledger
