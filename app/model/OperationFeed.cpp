#include "app/model/OperationFeed.h"

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

OperationFeed::OperationFeed(EngineBridge& bridge, const RunModel& run, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_run(run)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &OperationFeed::ask);
}

void OperationFeed::setWatched(bool isWatched)
{
    if (std::exchange(m_isWatched, isWatched) == isWatched)
        return;
    if (isWatched && !m_next.isActive())
        ask();
    if (!isWatched)
        m_next.stop();
}

void OperationFeed::ask()
{
    if (m_isAsking || m_isReadToTheEnd || !m_isWatched)
        return;
    m_isAsking = true;
    m_bridge.readOperations(
        m_run.run(), this,
        [this, wasComplete = m_run.isComplete()](const Result<OperationSummary>& answer) {
            m_isAsking = false;
            take(answer, wasComplete);
        });
}

void OperationFeed::take(const Result<OperationSummary>& answer, bool wasComplete)
{
    m_hasAnswer = true;
    if (answer) {
        m_summary = *answer;
        m_error.reset();
        m_isReadToTheEnd = wasComplete && !m_summary.isMore;
    } else {
        m_error = answer.error();
        m_isReadToTheEnd = wasComplete;
    }
    Q_EMIT changed();
    if (m_isWatched && !m_isReadToTheEnd)
        m_next.start(answer && m_summary.isMore ? 0ms : 1000ms);
}

} // namespace ringmaster::app
