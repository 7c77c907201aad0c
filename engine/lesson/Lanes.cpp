#include "engine/lesson/Lanes.h"

#include <algorithm>
#include <utility>

namespace ringmaster::lesson {

namespace {

using SpanKind = Lanes::Span::Kind;
using Phase = RankState::Phase;
using StepKind = LessonStep::Kind;
using StretchKind = LaneAxis::Stretch::Kind;

bool isAlive(const RankState& rank)
{
    return rank.phase == Phase::AtLine || rank.phase == Phase::InCall;
}

StretchKind stretchOf(SpanKind kind)
{
    switch (kind) {
    case SpanKind::Computing:
    case SpanKind::Calling: return StretchKind::Busy;
    case SpanKind::Waiting:
    case SpanKind::Stopped: return StretchKind::Waiting;
    case SpanKind::Held: return StretchKind::Held;
    case SpanKind::ComputingOrHeld: return StretchKind::Unknown;
    }
    return {};
}

SpanKind kindAtLine(const LessonStep& step)
{
    if (step.isHeld)
        return *step.isHeld ? SpanKind::Held : SpanKind::Computing;
    return step.isFree ? SpanKind::Computing : SpanKind::ComputingOrHeld;
}

bool isOfRank(const LessonStep& step)
{
    return step.kind != StepKind::Chunk && step.kind != StepKind::Fault &&
           step.kind != StepKind::Limit;
}

} // namespace

void Lanes::add(const LessonStep& step, const State& state)
{
    if (state.attempt() != m_attempt)
        begin(state);
    m_isDrawn = false;
    m_heldBefore.push_back(0);
    const bool isOfAttempt = step.attempt == m_attempt;
    if (isOfAttempt)
        note(step);
    m_stepTimes.push_back(m_now);
    if (!isOfAttempt || (!isOfRank(step) && step.kind != StepKind::Fault))
        return;
    // What one rank does lets others go on, or keeps them.
    for (int rank = 0; rank < state.rankCount(); ++rank)
        take(rank, state);
}

void Lanes::begin(const State& state)
{
    draw();
    m_base = m_length;
    m_past = m_lanes;
    for (std::vector<Span>& lane : m_past)
        if (!lane.empty() && lane.back().toNs < 0)
            lane.back().toNs = m_base;
    if (m_attempt >= 0)
        m_restarts.push_back(m_base);
    m_firstStep = m_times.size();
    m_attempt = state.attempt();
    m_now = 0;
    m_stepTimes.clear();
    m_measured.assign(static_cast<size_t>(state.rankCount()), {});
    m_standings.assign(static_cast<size_t>(state.rankCount()), {});
}

/// Ranks are told in an order of causes; where their clocks differ from it, time stands still.
void Lanes::note(const LessonStep& step)
{
    const auto isKnown = [this](int rank) {
        return rank >= 0 && static_cast<size_t>(rank) < m_standings.size();
    };
    for (const LessonLetGo& letGo : step.letGo)
        if (isKnown(letGo.globalRank))
            m_standings[static_cast<size_t>(letGo.globalRank)].letGoNs = letGo.atNs;
    if (step.kind == StepKind::Fault)
        m_now = std::max(m_now, step.atNs);
    if (!isOfRank(step))
        return;
    m_now = std::max(m_now, step.atNs);
    for (size_t rank = 0; rank < m_standings.size(); ++rank)
        letGo(static_cast<int>(rank), static_cast<int>(rank) == step.globalRank);
    if (!isKnown(step.globalRank))
        return;
    Standing& standing = m_standings[static_cast<size_t>(step.globalRank)];
    m_heldBefore.back() = std::exchange(standing.heldNs, 0);
    standing.kind = step.kind == StepKind::Line ? kindAtLine(step) : SpanKind::Computing;
    // One that had to wait all the same reads at once that it needn't.
    if (standing.kind != SpanKind::Held)
        standing.letGoNs = 0;
}

/// Ends the time in which the rank is held, where the gate let it go until now.
void Lanes::letGo(int rank, bool hasDoneAStep)
{
    Standing& standing = m_standings[static_cast<size_t>(rank)];
    std::vector<Span>& lane = m_measured[static_cast<size_t>(rank)];
    const bool isStopped = !lane.empty() && lane.back().kind == SpanKind::Stopped;
    if (isStopped && standing.letGoNs > 0 && standing.kind == SpanKind::Held) {
        // Once a signal lets it go on, it computes.
        standing.letGoNs = 0;
        standing.kind = SpanKind::Computing;
    }
    const bool isHeld = !lane.empty() && lane.back().toNs < 0 && lane.back().kind == SpanKind::Held;
    if (standing.letGoNs == 0 || !isHeld || (standing.letGoNs > m_now && !hasDoneAStep))
        return;
    Span& held = lane.back();
    held.toNs = std::clamp(std::exchange(standing.letGoNs, 0), held.fromNs, m_now);
    standing.heldNs = held.toNs - held.fromNs;
    standing.kind = SpanKind::Computing;
    lane.push_back({standing.kind, held.isOverlapped, held.toNs, -1});
}

void Lanes::take(int rank, const State& state)
{
    const RankState& known = state.rank(rank);
    std::vector<Span>& lane = m_measured[static_cast<size_t>(rank)];
    const bool isOpen = !lane.empty() && lane.back().toNs < 0;
    if (!isAlive(known)) {
        if (isOpen)
            lane.back().toNs = m_now;
        return;
    }
    const SpanKind kind = kindOf(rank, state);
    const bool isOverlapped =
        known.phase != Phase::InCall && !state.calls().requestsOf(rank).empty();
    if (isOpen && lane.back().kind == kind && lane.back().isOverlapped == isOverlapped)
        return;
    if (isOpen)
        lane.back().toNs = m_now;
    lane.push_back({kind, isOverlapped, m_now, -1});
}

SpanKind Lanes::kindOf(int rank, const State& state) const
{
    const RankState& known = state.rank(rank);
    if (known.isPaused)
        return SpanKind::Stopped;
    if (known.phase != Phase::InCall)
        return m_standings[static_cast<size_t>(rank)].kind;
    return state.calls().isBlocked(rank) ? SpanKind::Waiting : SpanKind::Calling;
}

void Lanes::draw() const
{
    if (std::exchange(m_isDrawn, true))
        return;
    std::vector<LaneAxis::Stretch> stretches;
    const auto endOf = [this](const Span& span) { return span.toNs < 0 ? m_now : span.toNs; };
    for (const std::vector<Span>& lane : m_measured)
        for (const Span& span : lane)
            stretches.push_back({stretchOf(span.kind), span.fromNs, endOf(span)});
    const LaneAxis axis(m_base, stretches, m_stepTimes);
    m_lanes = m_past;
    m_lanes.resize(std::max(m_past.size(), m_measured.size()));
    for (size_t rank = 0; rank < m_measured.size(); ++rank)
        for (Span span : m_measured[rank]) {
            span.lastedNs = endOf(span) - span.fromNs;
            span.fromNs = axis.at(span.fromNs);
            span.toNs = span.toNs < 0 ? -1 : axis.at(span.toNs);
            m_lanes[rank].push_back(span);
        }
    m_times.resize(m_firstStep);
    for (const std::int64_t time : m_stepTimes)
        m_times.push_back(axis.at(time));
    m_length = axis.at(m_now);
}

const std::vector<std::vector<Lanes::Span>>& Lanes::byRank() const
{
    draw();
    return m_lanes;
}

std::int64_t Lanes::timeOf(size_t step) const
{
    draw();
    return m_times[step];
}

std::int64_t Lanes::length() const
{
    draw();
    return m_length;
}

size_t Lanes::stepAt(std::int64_t ns) const
{
    draw();
    const auto after = std::ranges::upper_bound(m_times, ns);
    return after == m_times.begin() ? 0 : static_cast<size_t>(after - m_times.begin()) - 1;
}

} // namespace ringmaster::lesson
