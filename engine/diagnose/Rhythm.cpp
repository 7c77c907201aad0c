#include "engine/diagnose/Rhythm.h"

#include "engine/diagnose/PauseFold.h"

#include <algorithm>
#include <optional>

namespace ringmaster::diagnose {

namespace {

/// An evaluation now and then, or a call that isn't made each time.
constexpr double LeastPart = 0.84;
/// The same, where evaluations are a phase of their own, between so many steps in a row.
constexpr double LeastPartInPhases = 0.6;
constexpr size_t LeastInARow = 8;
/// Of what the steps move. Half of a step, as the gathers of its forward pass are, moves more.
constexpr double MostBytesBetween = 0.4;
/// Micro-batches are passed on so many times between two steps of a pipeline.
constexpr size_t MostMicroBatches = 64;
/// Setting up, with operations of its own, comes before.
constexpr size_t MostSetup = 4;

/// What is before each call.
std::vector<RoundPause> pausesOf(std::span<const RhythmCall> calls)
{
    std::vector<RoundPause> pauses;
    std::int64_t busyUntil = calls.empty() ? 0 : calls.front().enqueuedNs;
    for (const RhythmCall& call : calls) {
        pauses.push_back({.ns = std::max<std::int64_t>(0, call.enqueuedNs - busyUntil),
                          .isInFlight = call.enqueuedNs < busyUntil});
        busyUntil = std::max({busyUntil, call.enqueuedNs, call.endedNs});
    }
    return pauses;
}

bool isSame(std::span<const RhythmCall> calls, size_t at, size_t other, size_t length)
{
    return at + length <= calls.size() && other + length <= calls.size() &&
           std::equal(
               calls.begin() + static_cast<std::ptrdiff_t>(at),
               calls.begin() + static_cast<std::ptrdiff_t>(at + length),
               calls.begin() + static_cast<std::ptrdiff_t>(other),
               [](const RhythmCall& a, const RhythmCall& b) { return a.signature == b.signature; });
}

bool oftenRepeatsAfter(std::span<const RhythmCall> calls, size_t length)
{
    const size_t first = calls.size() / MostSetup;
    size_t same = 0;
    for (size_t at = first + length; at < calls.size(); ++at)
        same += calls[at].signature == calls[at - length].signature ? 1U : 0U;
    return 3 * same >= 2 * (calls.size() - first - length);
}

std::vector<size_t> placesOf(std::span<const RhythmCall> calls, size_t step, size_t length)
{
    std::vector<size_t> places;
    for (size_t at = 0; at + length <= calls.size();) {
        const bool isHere = isSame(calls, at, step, length);
        if (isHere)
            places.push_back(at);
        at += isHere ? length : 1;
    }
    return places;
}

/// Where a step may begin: all beginnings of one that comes twice in a row, looked for at several
/// places, for there may be an evaluation at one.
std::vector<size_t> candidatesOf(std::span<const RhythmCall> calls, size_t length)
{
    constexpr size_t Places = 4;
    constexpr double Apart = 0.2137; // of all; no simple part, for phases may divide all evenly
    std::vector<size_t> candidates;
    for (size_t place = 0; place < Places; ++place) {
        auto at = static_cast<size_t>(static_cast<double>(calls.size()) *
                                      (1 - Apart * static_cast<double>(place)));
        at = at > length ? at - length : 0;
        while (at >= length && !isSame(calls, at, at - length, length))
            --at;
        for (size_t step = at >= length ? at - length : at; step < at; ++step)
            candidates.push_back(step);
    }
    return candidates;
}

std::int64_t pauseBefore(const std::vector<RoundPause>& pauses, const std::vector<size_t>& places)
{
    std::int64_t sum = 0;
    for (const size_t place : places)
        sum += std::min<std::int64_t>(pauses[place].ns, INT64_MAX / 2 - sum);
    return sum;
}

} // namespace

bool Rhythm::isMostOf(std::span<const RhythmCall> calls) const
{
    if (!*this || m_begins.front() > calls.size() / MostSetup || areMicroBatches(calls))
        return false;
    const double part = static_cast<double>(m_begins.size() * m_length) /
                        static_cast<double>(calls.size() - m_begins.front());
    return part >= LeastPart || (part >= LeastPartInPhases && isInPhases(calls));
}

bool Rhythm::followsAnother(size_t step) const
{
    return step > 0 && m_begins[step - 1] + m_length == m_begins[step];
}

/// They only pass on what a pipeline's stages make, and what all ranks do together comes between.
bool Rhythm::areMicroBatches(std::span<const RhythmCall> calls) const
{
    const auto isPassed = [](const RhythmCall& call) { return call.isPointToPoint; };
    if (!std::ranges::all_of(calls.subspan(m_begins.front(), m_length), isPassed))
        return false;
    size_t rows = 0;
    for (size_t step = 1; step < m_begins.size(); ++step) {
        const size_t end = m_begins[step - 1] + m_length;
        const bool isTogether =
            !std::ranges::all_of(calls.subspan(end, m_begins[step] - end), isPassed);
        rows += isTogether ? 1U : 0U;
    }
    return rows > 0 && m_begins.size() <= MostMicroBatches * (rows + 1);
}

/// Many steps in a row, then others that move little beside them.
bool Rhythm::isInPhases(std::span<const RhythmCall> calls) const
{
    size_t rows = 0;
    double ofSteps = 0;
    const auto bytesOf = [&](size_t from, size_t until) {
        double bytes = 0;
        for (const RhythmCall& call : calls.subspan(from, until - from))
            bytes += static_cast<double>(call.bytes);
        return bytes;
    };
    for (size_t step = 0; step < m_begins.size(); ++step) {
        rows += followsAnother(step) ? 0U : 1U;
        ofSteps += bytesOf(m_begins[step], m_begins[step] + m_length);
    }
    const double all = bytesOf(m_begins.front(), m_begins.back() + m_length);
    return m_begins.size() >= LeastInARow * rows && all - ofSteps <= MostBytesBetween * ofSteps;
}

std::pair<size_t, size_t> Rhythm::wholePhases() const
{
    std::vector<size_t> firsts;
    for (size_t step = 1; step < m_begins.size(); ++step) {
        if (!followsAnother(step))
            firsts.push_back(step);
    }
    const std::pair<size_t, size_t> all(0, m_begins.size() - 1);
    if (firsts.empty())
        return all;
    // The first may be what is left of one, or have more before it.
    const size_t usual = firsts.size() > 1 ? firsts[1] - firsts[0] : m_begins.size() - firsts[0];
    const size_t from = firsts[0] >= usual ? firsts[0] - usual : firsts[0];
    // Where the others come seldom, or by chance, they are hardly more than that.
    const bool areMost = 2 * (firsts.back() - from) >= m_begins.size();
    return areMost ? std::pair(from, firsts.back()) : all;
}

/// Takes the one of the steps' possible beginnings that most steps are found with, and among these
/// the one with the longest pause before it.
void Rhythm::repeatWithin(std::span<const RhythmCall> calls, size_t length)
{
    const std::vector<RoundPause> pauses = pausesOf(calls);
    m_begins.clear();
    m_length = length;
    std::int64_t longest = -1;
    for (const size_t step : candidatesOf(calls, length)) {
        std::vector<size_t> places = placesOf(calls, step, length);
        const std::int64_t pause = pauseBefore(pauses, places);
        // A step that is cut off at either end says nothing of where steps begin.
        const bool isMore = places.size() > m_begins.size() + 1;
        const bool isAsMany = places.size() + 1 >= m_begins.size();
        if (isMore || (isAsMany && pause > longest)) {
            m_begins = std::move(places);
            longest = pause;
        }
    }
}

/// Several equal rounds may be one step: as the buckets of a network whose parts are alike.
void Rhythm::joinBackToBack(std::span<const RhythmCall> calls)
{
    const std::vector<RoundPause> pauses = pausesOf(calls);
    std::vector<RoundPause> before;
    for (const size_t begin : m_begins)
        before.push_back(pauses[begin]);
    const std::optional<PauseFold> fold = foldOf(before, LeastSteps);
    if (!fold)
        return;
    std::vector<size_t> begins;
    for (size_t i = fold->first; i + fold->together <= m_begins.size(); i += fold->together)
        begins.push_back(m_begins[i]);
    m_length *= fold->together;
    m_begins = std::move(begins);
}

Rhythm Rhythm::of(std::span<const RhythmCall> calls)
{
    Rhythm rhythm;
    for (size_t length = 1; length * LeastSteps <= calls.size(); ++length) {
        if (!oftenRepeatsAfter(calls, length))
            continue;
        rhythm.repeatWithin(calls, length);
        if (!rhythm.isMostOf(calls))
            continue;
        rhythm.joinBackToBack(calls);
        if (rhythm)
            return rhythm;
    }
    return {};
}

} // namespace ringmaster::diagnose
