#include "engine/ledger/DurationHistogram.h"

#include <algorithm>
#include <bit>

namespace ringmaster {

namespace {

constexpr unsigned Quarters = 4;

/// The first nanosecond behind a step.
std::int64_t endOf(std::uint8_t step)
{
    const unsigned power = step / Quarters;
    const unsigned quarter = step % Quarters + 1;
    if (power < 2)
        return std::int64_t(1) << (power + 1U);
    if (power >= 61)
        return std::int64_t(1) << 62U;
    return (std::int64_t(1) << power) + (std::int64_t(quarter) << (power - 2U));
}

} // namespace

std::uint8_t DurationHistogram::stepOf(std::int64_t nanoseconds)
{
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 1));
    const auto power = static_cast<unsigned>(std::bit_width(value)) - 1;
    const auto quarter = power < 2 ? 0U : static_cast<unsigned>(value >> (power - 2U)) & 3U;
    return static_cast<std::uint8_t>(power * Quarters + quarter);
}

void DurationHistogram::addTo(std::uint8_t step, std::uint64_t times)
{
    const auto at = std::ranges::lower_bound(m_steps, step, {}, &Steps::value_type::first);
    if (at != m_steps.end() && at->first == step)
        at->second += times;
    else
        m_steps.insert(at, {step, times});
}

void DurationHistogram::add(const DurationHistogram& other)
{
    for (const auto& [step, times] : other.m_steps)
        addTo(step, times);
}

std::uint64_t DurationHistogram::count() const
{
    std::uint64_t count = 0;
    for (const auto& [step, times] : m_steps)
        count += times;
    return count;
}

std::int64_t DurationHistogram::quantile(double share) const
{
    const double wanted = share * static_cast<double>(count());
    std::uint64_t passed = 0;
    for (const auto& [step, times] : m_steps) {
        passed += times;
        if (static_cast<double>(passed) >= wanted)
            return endOf(step);
    }
    return 0;
}

} // namespace ringmaster
