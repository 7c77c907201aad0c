#include "engine/record/NumberProgress.h"

#include <algorithm>
#include <cmath>

namespace ringmaster {

namespace {

constexpr size_t MostSamples = 128;
/// A counter that stands still for so much longer than before has no end that could be told.
constexpr std::int64_t LongPauses = 5;
constexpr std::int64_t ShortestPauseNs = 10'000'000'000;
constexpr double NsPerSecond = 1e9;

} // namespace

void NumberProgress::add(std::int64_t ns, double value, std::optional<double> total)
{
    m_total = total ? total : m_total;
    m_hasFractions = m_hasFractions || value != std::floor(value);
    if (!m_isSeen) {
        m_isSeen = true;
        m_last = {ns, 0};
        m_samples.push_back(m_last);
        m_atNs = ns;
        m_value = value;
        m_firstValue = value;
        return;
    }
    ns = std::max(ns, m_atNs);
    if (value != m_value) {
        m_hasRestarted = m_hasRestarted || value < m_value;
        m_done += value > m_value ? value - m_value : value;
        m_longestPauseNs = std::max(m_longestPauseNs, ns - m_last.ns);
        m_last = {ns, m_done};
        if (m_samples.size() >= MostSamples) {
            for (size_t i = 0; i < MostSamples / 2; ++i)
                m_samples[i] = m_samples[2 * i];
            m_samples.resize(MostSamples / 2);
        }
        m_samples.push_back(m_last);
    }
    m_value = value;
    m_atNs = ns;
}

std::optional<double> NumberProgress::perSecond() const
{
    if (m_samples.empty())
        return std::nullopt;
    const std::int64_t middle = m_samples.front().ns + (m_last.ns - m_samples.front().ns) / 2;
    const Sample* from = &m_samples.front();
    for (const Sample& sample : m_samples) {
        if (sample.ns <= middle)
            from = &sample;
    }
    const std::int64_t lasted = m_last.ns - from->ns;
    const double done = m_last.done - from->done;
    if (lasted <= 0 || done <= 0)
        return std::nullopt;
    return done * NsPerSecond / static_cast<double>(lasted);
}

std::optional<std::int64_t> NumberProgress::reachesTotalNs(std::optional<std::int64_t> nowNs) const
{
    if (!m_total || m_value >= *m_total)
        return std::nullopt;
    return reachesNs(*m_total - m_value, nowNs);
}

std::optional<std::int64_t> NumberProgress::reachesNs(double units,
                                                      std::optional<std::int64_t> nowNs) const
{
    const auto rate = perSecond();
    if (!rate || !nowNs)
        return std::nullopt;
    if (*nowNs - m_last.ns > std::max(ShortestPauseNs, LongPauses * m_longestPauseNs))
        return std::nullopt;
    const double seconds = units / *rate;
    constexpr double LongestSeconds = 10.0 * 365 * 24 * 3600;
    if (seconds > LongestSeconds)
        return std::nullopt;
    return m_last.ns + static_cast<std::int64_t>(seconds * NsPerSecond);
}

} // namespace ringmaster
