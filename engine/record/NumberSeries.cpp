#include "engine/record/NumberSeries.h"

#include <algorithm>

namespace ringmaster {

void NumberSeries::add(Point point)
{
    // A clock that went back must not make a line that does.
    if (m_count > 0)
        point.ns = std::max(point.ns, m_last.ns);
    m_last = point;
    ++m_count;
    if (!m_buckets.empty() && m_inLast < m_perBucket) {
        widen(m_buckets.back(), {point, point});
        ++m_inLast;
        return;
    }
    if (m_buckets.size() >= MostPoints / 2)
        halve();
    if (m_inLast < m_perBucket && !m_buckets.empty()) {
        widen(m_buckets.back(), {point, point});
        ++m_inLast;
        return;
    }
    m_buckets.push_back({point, point});
    m_inLast = 1;
}

std::vector<NumberSeries::Point> NumberSeries::points() const
{
    std::vector<Point> points;
    for (const Bucket& bucket : m_buckets) {
        const bool risesFirst = bucket.least.ns <= bucket.greatest.ns;
        points.push_back(risesFirst ? bucket.least : bucket.greatest);
        if (bucket.least != bucket.greatest)
            points.push_back(risesFirst ? bucket.greatest : bucket.least);
    }
    if (!points.empty() && points.back() != m_last)
        points.push_back(m_last);
    return points;
}

void NumberSeries::widen(Bucket& bucket, const Bucket& other)
{
    if (other.least.value < bucket.least.value)
        bucket.least = other.least;
    if (other.greatest.value >= bucket.greatest.value)
        bucket.greatest = other.greatest;
}

void NumberSeries::halve()
{
    size_t kept = 0;
    for (size_t i = 0; i < m_buckets.size(); i += 2) {
        Bucket both = m_buckets[i];
        if (i + 1 < m_buckets.size())
            widen(both, m_buckets[i + 1]);
        m_buckets[kept++] = both;
    }
    if (m_buckets.size() % 2 == 0)
        m_inLast += m_perBucket;
    m_buckets.resize(kept);
    m_perBucket *= 2;
}

} // namespace ringmaster
