#include "app/model/NumberFeed.h"

#include "app/model/PassingError.h"

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

NumberFeed::NumberFeed(EngineBridge& bridge, const RunModel& run, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_run(run)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &NumberFeed::ask);
}

void NumberFeed::setWatch(Watch watch)
{
    if (std::exchange(m_watch, watch) == watch)
        return;
    if (watch == Watch::None)
        m_next.stop();
    else if (!m_isAsking && !isUpToDate())
        m_next.start(0ms);
}

void NumberFeed::setNames(std::vector<std::string> names)
{
    if (std::exchange(m_names, std::move(names)) == m_names)
        return;
    if (m_watch != Watch::None && !m_isAsking)
        m_next.start(0ms);
}

void NumberFeed::ask()
{
    if (m_isAsking || isUpToDate() || m_watch == Watch::None)
        return;
    m_isAsking = true;
    m_asked = m_names;
    m_bridge.ask(&Cluster::readNumbers, m_run.run(), m_asked)
        .then(this, [this, wasComplete = m_run.isComplete()](const Result<NumberSummary>& answer) {
            m_isAsking = false;
            take(answer, wasComplete);
        });
}

void NumberFeed::take(const Result<NumberSummary>& answer, bool wasComplete)
{
    if (answer)
        m_summary = *answer;
    m_isReadToTheEnd = wasComplete && (answer ? !answer->isMore : !isPassing(answer.error()));
    Q_EMIT changed();
    if (m_watch == Watch::None || isUpToDate())
        return;
    const bool isBehind = (answer && answer->isMore) || m_asked != m_names;
    m_next.start(isBehind ? 0ms : m_watch == Watch::Full ? 1000ms : 3000ms);
}

} // namespace ringmaster::app
