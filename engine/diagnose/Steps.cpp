#include "engine/diagnose/Steps.h"

#include <algorithm>
#include <vector>

namespace ringmaster::diagnose {

namespace {

constexpr double Alike = 0.95;

/// Everything that makes two calls the same, by FNV-1a.
std::uint64_t signatureOf(const Operation& operation)
{
    std::uint64_t value = 0xcbf2'9ce4'8422'2325ULL;
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(operation.kind), static_cast<std::uint64_t>(operation.type),
          static_cast<std::uint64_t>(operation.group),
          static_cast<std::uint64_t>(static_cast<std::uint32_t>(operation.peer)), operation.bytes})
        value = (value ^ part) * 0x100'0000'01b3ULL;
    return value;
}

} // namespace

void StepWatch::add(const Operation& operation)
{
    if (operation.enqueuedNs == 0 || ledger::makesGroup(operation.kind))
        return;
    // They are told when they end, which may be in another order.
    const auto at = std::ranges::upper_bound(m_calls, operation.id, {}, &Call::id);
    m_calls.insert(at,
                   {operation.id, signatureOf(operation), operation.bytes, operation.enqueuedNs});
    if (m_calls.size() > Remembered)
        m_calls.pop_front();
}

std::optional<StepRate> StepWatch::rate() const
{
    const size_t count = m_calls.size();
    const auto repeatsAfter = [&](size_t lag, size_t first) {
        size_t same = 0;
        for (size_t i = first + lag; i < count; ++i)
            same += m_calls[i].signature == m_calls[i - lag].signature ? 1U : 0U;
        return lag * LeastSteps < count - first &&
               static_cast<double>(same) >= Alike * static_cast<double>(count - first - lag);
    };
    // Before the first step a program sets up, with operations of its own.
    const size_t behindSetup = count / 4;
    for (size_t lag = 1; lag * LeastSteps < count; ++lag) {
        const size_t first = repeatsAfter(lag, 0) ? 0 : behindSetup;
        if (first != 0 && !repeatsAfter(lag, first))
            continue;
        StepRate rate{.operations = lag, .steps = (count - first - 1) / lag};
        std::vector<std::int64_t> periods;
        for (size_t i = first + lag; i < count; ++i)
            periods.push_back(m_calls[i].enqueuedNs - m_calls[i - lag].enqueuedNs);
        const auto middle = periods.begin() + static_cast<std::ptrdiff_t>(periods.size() / 2);
        std::ranges::nth_element(periods, middle);
        rate.periodNs = *middle;
        for (size_t i = count - lag; i < count; ++i)
            rate.bytes += static_cast<double>(m_calls[i].bytes);
        rate.measuredNs = m_calls.back().enqueuedNs;
        return rate;
    }
    return std::nullopt;
}

} // namespace ringmaster::diagnose
