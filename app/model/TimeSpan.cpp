#include "app/model/TimeSpan.h"

#include <QDateTime>

#include <algorithm>
#include <cstdlib>
#include <utility>

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

void TimeSpan::keep(bool isAdjustment)
{
    constexpr size_t MostKept = 50;
    if (!(isAdjustment && m_isAdjusting))
        m_before.push_back(m_showsAll ? std::nullopt : std::optional(m_range));
    if (m_before.size() > MostKept)
        m_before.erase(m_before.begin());
    m_isAdjusting = isAdjustment;
}

void TimeSpan::setShowsAll(bool showsAll)
{
    if (std::exchange(m_showsAll, showsAll) != showsAll)
        Q_EMIT showsAllChanged(showsAll);
    Q_EMIT changed();
}

void TimeSpan::set(Range range)
{
    const std::int64_t length = std::max(range.length(), Shortest);
    const std::int64_t from = std::clamp(range.from, begin(), std::max(begin(), end() - length));
    m_range = {from, from + length};
    setShowsAll(length >= end() - begin());
}

void TimeSpan::show(Range range)
{
    keep(false);
    set(range);
}

void TimeSpan::zoom(double factor, double atFraction)
{
    if (m_showsAll && factor < 1)
        return;
    keep(true);
    const Range now = shown();
    const auto length = static_cast<double>(now.length());
    const double wanted = std::max(length / factor, static_cast<double>(Shortest));
    const double from = static_cast<double>(now.from) + (length - wanted) * atFraction;
    set({static_cast<std::int64_t>(from), static_cast<std::int64_t>(from + wanted)});
}

void TimeSpan::pan(double fraction)
{
    if (m_showsAll)
        return;
    keep(true);
    const auto by = static_cast<std::int64_t>(fraction * static_cast<double>(m_range.length()));
    set({m_range.from + by, m_range.to + by});
}

void TimeSpan::showAll()
{
    m_before.clear();
    m_isAdjusting = false;
    setShowsAll(true);
}

void TimeSpan::grow()
{
    constexpr std::int64_t Visible = 2000; // parts of the whole: about a pixel of a wide screen
    const std::int64_t length = end() - begin();
    if (!m_showsAll || std::abs(length - m_grownTo) < length / Visible)
        return;
    m_grownTo = length;
    Q_EMIT changed();
}

bool TimeSpan::goBack()
{
    m_isAdjusting = false;
    if (m_before.empty())
        return false;
    const std::optional<Range> range = m_before.back();
    m_before.pop_back();
    if (range)
        set(*range);
    else
        setShowsAll(true);
    return true;
}

} // namespace ringmaster::app
