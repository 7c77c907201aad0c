#include "engine/diagnose/Steps.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

/// Everything that makes two calls the same, by FNV-1a.
std::uint64_t signatureOf(const Operation& operation)
{
    std::uint64_t value = 0xcbf2'9ce4'8422'2325ULL;
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(operation.kind), static_cast<std::uint64_t>(operation.type),
          static_cast<std::uint64_t>(operation.group),
          static_cast<std::uint64_t>(static_cast<std::uint32_t>(operation.peer)), operation.bytes,
          static_cast<std::uint64_t>(operation.site)})
        value = (value ^ part) * 0x100'0000'01b3ULL;
    return value;
}

} // namespace

void StepWatch::add(const Operation& operation)
{
    if (operation.enqueuedNs == 0 || ledger::makesGroup(operation.kind))
        return;
    // They are told when they end, which may be in another order; one that lasts is told twice.
    const auto at = std::ranges::lower_bound(m_calls, operation.id, {}, &RhythmCall::id);
    const RhythmCall call{.id = operation.id,
                          .signature = signatureOf(operation),
                          .bytes = operation.bytes,
                          .enqueuedNs = operation.enqueuedNs,
                          .endedNs = operation.endedNs,
                          .isPointToPoint = ledger::isPointToPoint(operation.kind)};
    if (at != m_calls.end() && at->id == operation.id)
        *at = call;
    else
        m_calls.insert(at, call);
    // Rarely, for all that stay are moved.
    if (m_calls.size() >= 2 * Remembered) {
        m_calls.erase(m_calls.begin(), m_calls.end() - Remembered);
        m_hasForgotten = true;
    }
}

namespace {

/// The first step may set up what the later ones have: then it says nothing of them.
size_t afterSetUp(const std::vector<size_t>& begins, std::span<const RhythmCall> calls)
{
    constexpr size_t LeastLeft = 8;
    constexpr std::int64_t Times = 3;
    if (begins.size() <= LeastLeft)
        return 0;
    const auto at = [&](size_t step) { return calls[begins[step]].enqueuedNs; };
    const auto others = static_cast<std::int64_t>(begins.size() - 2);
    const std::int64_t usual = (at(begins.size() - 1) - at(1)) / others;
    return at(1) - at(0) > Times * usual ? 1 : 0;
}

} // namespace

std::optional<StepRate> StepWatch::rate() const
{
    const std::span all(m_calls);
    const auto calls = all.last(std::min<size_t>(all.size(), Remembered));
    const Rhythm rhythm = Rhythm::of(calls);
    if (!rhythm)
        return std::nullopt;
    auto [from, until] = rhythm.wholePhases();
    const bool isInPhases = from > 0 || until + 1 < rhythm.begins().size();
    if (!m_hasForgotten && !isInPhases)
        from = afterSetUp(rhythm.begins(), calls);
    const RhythmCall& first = calls[rhythm.begins()[from]];
    const RhythmCall& last = calls[rhythm.begins()[until]];
    StepRate rate{.operations = rhythm.length(),
                  .steps = until - from,
                  .measuredNs = calls[rhythm.begins().back()].enqueuedNs};
    rate.periodNs = (last.enqueuedNs - first.enqueuedNs) / static_cast<std::int64_t>(rate.steps);
    for (const RhythmCall& call : calls.subspan(rhythm.begins().back(), rate.operations))
        rate.bytes += static_cast<double>(call.bytes);
    return rate;
}

} // namespace ringmaster::diagnose
