#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ringmaster {

/// How long operations took, in steps of a quarter of a power of two: any share of them is known to
/// a fifth.
class DurationHistogram
{
public:
    void add(std::int64_t nanoseconds) { addTo(stepOf(nanoseconds), 1); }
    void add(const DurationHistogram& other);
    /// As steps() gave them.
    void addTo(std::uint8_t step, std::uint64_t times);

    /// What that share of them doesn't exceed; 0: there are none.
    std::int64_t quantile(double share) const;
    std::uint64_t count() const;

    using Steps = std::vector<std::pair<std::uint8_t, std::uint64_t>>;
    const Steps& steps() const { return m_steps; }

    bool operator==(const DurationHistogram&) const = default;

private:
    static std::uint8_t stepOf(std::int64_t nanoseconds);

    Steps m_steps; ///< By step, those that aren't empty.
};

} // namespace ringmaster
