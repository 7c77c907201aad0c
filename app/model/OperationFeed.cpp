#include "app/model/OperationFeed.h"

#include "app/model/PassingError.h"
#include "engine/base/Clock.h"

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

OperationFeed::OperationFeed(EngineBridge& bridge, const RunModel& run, TimeSpan& span,
                             AttemptChoice& attempts, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_run(run), m_span(span), m_attempts(attempts)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &OperationFeed::ask);
    m_look.setInterval(500ms); // as often as somebody can read it
    connect(&m_look, &QTimer::timeout, this, &OperationFeed::look);
    const auto askSoon = [this] {
        if (m_isWatched && !m_isAsking && wanted() != m_asked)
            m_next.start(50ms); // a drawing that is moved changes it every frame
    };
    connect(&span, &TimeSpan::changed, this, askSoon);
    connect(&attempts, &AttemptChoice::changed, this, askSoon);
}

std::optional<OperationFeed::TimeRange> OperationFeed::wanted() const
{
    const std::optional<TimeRange> attempt = m_attempts.time();
    if (m_span.showsAll())
        return attempt;
    const TimeSpan::Range shown = m_span.shown();
    TimeRange range{shown.from, shown.to};
    if (attempt)
        range = {std::max(range.fromNs, attempt->fromNs),
                 std::min(range.untilNs, attempt->untilNs)};
    range.untilNs = std::max(range.untilNs, range.fromNs + 1);
    return range;
}

void OperationFeed::setWatched(bool isWatched)
{
    if (std::exchange(m_isWatched, isWatched) == isWatched)
        return;
    if (isWatched && !m_next.isActive())
        ask();
    if (!isWatched)
        m_next.stop();
    if (isWatched)
        m_look.start();
    else
        m_look.stop();
}

void OperationFeed::look()
{
    if (m_isLooking || !m_run.isRunning())
        return;
    m_isLooking = true;
    m_bridge.ask(&Cluster::lookAtRanks, m_run.run())
        .then(this, [this](const Result<RankPlaces>& places) {
            m_isLooking = false;
            if (!m_isWatched)
                return; // an answer takes a frame: by then it may be hidden
            m_isLive = places && places->attempt >= 0;
            if (m_isLive)
                Q_EMIT placesChanged(*places);
        });
}

void OperationFeed::ask()
{
    if (m_isAsking || isUpToDate() || !m_isWatched)
        return;
    m_isAsking = true;
    m_asked = wanted();
    m_bridge.ask(&Cluster::readOperations, m_run.run(), m_asked)
        .then(this,
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
        m_answeredAt = SystemClock().now();
        m_error.reset();
        m_isReadToTheEnd = wasComplete && !m_summary.isMore;
    } else {
        m_error = answer.error();
        m_isReadToTheEnd = wasComplete && !isPassing(answer.error());
    }
    Q_EMIT changed();
    if (!m_isLive || !m_run.isRunning())
        Q_EMIT placesChanged({m_summary.attempt, m_summary.places});
    if (m_isWatched && !isUpToDate())
        m_next.start((answer && m_summary.isMore) || wanted() != m_asked ? 0ms : 1000ms);
}

} // namespace ringmaster::app
