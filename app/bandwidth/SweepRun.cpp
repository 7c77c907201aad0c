#include "app/bandwidth/SweepRun.h"

#include "app/bridge/Words.h"

#include <algorithm>

namespace ringmaster::app {

SweepRun::SweepRun(EngineBridge& bridge, std::string run, QObject* parent)
    : QObject(parent), m_run(std::move(run))
{
    RunFeed* feed = bridge.follow(m_run, 0, this);
    connect(feed, &RunFeed::eventsArrived, this, &SweepRun::apply);
    connect(feed, &RunFeed::ended, this, &SweepRun::setEnded);
}

void SweepRun::apply(const std::vector<Event>& events)
{
    bool isOther = false;
    for (const Event& event : events) {
        m_snapshot.apply(event);
        if (const auto* plan = std::get_if<SweepPlan>(&event.body)) {
            m_plan = *plan;
            m_rows.clear();
        } else if (const auto* row = std::get_if<SweepRow>(&event.body)) {
            take(*row);
        } else if (isSample(event.body)) {
            continue;
        }
        isOther = true;
    }
    if (isOther)
        Q_EMIT changed();
}

void SweepRun::take(const SweepRow& row)
{
    if (m_plan && row.attempt < m_plan->attempt)
        return;
    const auto at = std::ranges::lower_bound(m_rows, row.index, {}, &SweepRow::index);
    if (at != m_rows.end() && at->index == row.index)
        *at = row;
    else if (m_rows.size() < MostRows)
        m_rows.insert(at, row);
}

void SweepRun::setEnded(const std::optional<Error>& error)
{
    m_isComplete = true;
    m_error = error;
    Q_EMIT changed();
}

QString SweepRun::label() const
{
    return dateTimeText(startedAt());
}

} // namespace ringmaster::app
