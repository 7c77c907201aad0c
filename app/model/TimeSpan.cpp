#include "app/model/TimeSpan.h"

#include <QDateTime>

#include <algorithm>

namespace ringmaster::app {

TimeSpan::TimeSpan(const RunModel& run, QObject* parent) : QObject(parent), m_run(run) {}

std::int64_t TimeSpan::end() const
{
    const RunHistory& history = m_run.history();
    if (history.ended() || m_run.isComplete())
        return history.end().monotonicNs;
    const std::int64_t wallNow = QDateTime::currentMSecsSinceEpoch() * 1'000'000;
    return std::max(history.end().monotonicNs,
                    history.begin().monotonicNs + wallNow - history.begin().wallNs);
}

TimeSpan::Range TimeSpan::shown() const
{
    if (!m_showsAll)
        return m_range;
    const std::int64_t length = std::max(end() - begin(), Shortest);
    return {begin(), begin() + length + length / 50};
}

void TimeSpan::show(Range range)
{
    const std::int64_t length = std::max(range.length(), Shortest);
    const bool all = length >= end() - begin();
    const std::int64_t from = std::clamp(range.from, begin(), std::max(begin(), end() - length));
    m_range = {from, from + length};
    if (std::exchange(m_showsAll, all) != all)
        Q_EMIT showsAllChanged(all);
    Q_EMIT changed();
}

void TimeSpan::zoom(double factor, double atFraction)
{
    const Range now = shown();
    const auto length = static_cast<double>(now.length());
    const double wanted = std::max(length / factor, static_cast<double>(Shortest));
    const double from = static_cast<double>(now.from) + (length - wanted) * atFraction;
    show({static_cast<std::int64_t>(from), static_cast<std::int64_t>(from + wanted)});
}

void TimeSpan::pan(double fraction)
{
    if (m_showsAll)
        return;
    const auto by = static_cast<std::int64_t>(fraction * static_cast<double>(m_range.length()));
    show({m_range.from + by, m_range.to + by});
}

void TimeSpan::showAll()
{
    if (!std::exchange(m_showsAll, true))
        Q_EMIT showsAllChanged(true);
    Q_EMIT changed();
}

} // namespace ringmaster::app
