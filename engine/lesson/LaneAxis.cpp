#include "engine/lesson/LaneAxis.h"

#include <algorithm>
#include <array>

namespace ringmaster::lesson {

namespace {

using StretchKind = LaneAxis::Stretch::Kind;

/// How many are in each kind of stretch.
using StretchCounts = std::array<int, 4>;

struct StretchEnd
{
    std::int64_t ns = 0;
    StretchKind kind = StretchKind::Busy;
    int by = 0; ///< 0: a step.
};

int numberOf(const StretchCounts& counts, StretchKind kind)
{
    return counts[static_cast<size_t>(kind)];
}

bool isReaders(const StretchCounts& counts)
{
    if (numberOf(counts, StretchKind::Busy) > 0)
        return false;
    return numberOf(counts, StretchKind::Held) > 0 || (numberOf(counts, StretchKind::Unknown) > 0 &&
                                                       numberOf(counts, StretchKind::Waiting) == 0);
}

} // namespace

LaneAxis::LaneAxis(std::int64_t base, const std::vector<Stretch>& stretches,
                   const std::vector<std::int64_t>& times)
    : m_base(base)
{
    std::vector<StretchEnd> changes;
    changes.reserve(2 * stretches.size() + times.size());
    for (const Stretch& stretch : stretches) {
        changes.push_back({stretch.fromNs, stretch.kind, 1});
        changes.push_back({stretch.toNs, stretch.kind, -1});
    }
    for (const std::int64_t ns : times)
        if (ns > 0)
            changes.push_back({ns, StretchKind::Busy, 0});
    std::ranges::sort(changes, {}, &StretchEnd::ns);
    StretchCounts counts{};
    std::int64_t onAxis = base;
    for (const StretchEnd& change : changes) {
        if (m_points.empty() || change.ns > m_points.back().first) {
            if (!m_points.empty()) {
                const std::int64_t passed = change.ns - m_points.back().first;
                onAxis += isReaders(counts) ? std::min(passed, LongestCutNs) : passed;
            }
            m_points.emplace_back(change.ns, onAxis);
        }
        counts[static_cast<size_t>(change.kind)] += change.by;
    }
}

std::int64_t LaneAxis::at(std::int64_t ns) const
{
    const auto after =
        std::ranges::upper_bound(m_points, ns, {}, &decltype(m_points)::value_type::first);
    return after == m_points.begin() ? m_base : std::prev(after)->second;
}

} // namespace ringmaster::lesson
