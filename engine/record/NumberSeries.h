#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ringmaster {

/// One number over time, in bounded space: when it is full, neighbours are put together, of which
/// the least and the greatest stay. Pure.
class NumberSeries
{
public:
    static constexpr size_t MostPoints = 1024;

    struct Point
    {
        std::int64_t ns = 0; ///< Of the chunk's clock, CLOCK_MONOTONIC.
        double value = 0;
        bool operator==(const Point&) const = default;
    };

    void add(Point point);

    /// By time, the latest among them.
    std::vector<Point> points() const;
    std::uint64_t count() const { return m_count; } ///< Of all that was added.

private:
    /// Points that lie beside each other.
    struct Bucket
    {
        Point least{};
        Point greatest{};
    };

    static void widen(Bucket& bucket, const Bucket& other);
    void halve();

    std::vector<Bucket> m_buckets;
    std::uint64_t m_perBucket = 1;
    std::uint64_t m_inLast = 0; ///< Points in the last bucket.
    std::uint64_t m_count = 0;
    Point m_last{};
};

} // namespace ringmaster
