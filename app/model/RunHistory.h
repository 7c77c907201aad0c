#pragma once

#include "engine/event/Health.h"

#include <deque>
#include <optional>
#include <vector>

namespace ringmaster::app {

/// A part of an attempt's way to its first collective, in their order.
enum class StartPhase {
    Preparing, ///< From the launch, or from the failure before, to the rendezvous.
    Rendezvous,
    Starting,
    Importing,
    InitProcessGroup,
    UserCode,
};

/// One worker in one health, from one moment to the next.
struct StateSpan
{
    int globalRank = 0;
    int attempt = 0;
    Health health = Health::Lost;
    WorkerState state = WorkerState::Unknown; ///< That its health comes of.
    Moment from{};
    Moment to{}; ///< While open: not yet known.
    bool isOpen = true;
    std::optional<ExitStatus> exit{};
    std::optional<StartPhase> phase{}; ///< Instead of a health; such a span is in no lane.
    std::string host{};                ///< Of a host, not a worker: its name …
    HostChanged::State hostState{};    ///< … and its state, which `health` is like.
    Message reason{};
};

/// A host's states, in their order.
struct HostLane
{
    std::string host{};
    std::deque<std::uint64_t> spans{};
};

/// An attempt's way to its first collective, as its last rank had it: measured, then told at once.
/// What it did in turns (importing, its own code) is one phase each.
struct StartMark
{
    int attempt = 0;
    int globalRank = 0;
    Moment from{};
    Moment to{};
    std::uint64_t firstSpan = 0; ///< The phases' spans follow each other; those of no time are left
    std::uint64_t endSpan = 0;   ///< out. Old ones may be gone.
};

/// One restart of the worker group, for whatever reason.
struct RestartMark
{
    int endedAttempt = 0;
    Moment at{};
    Message cause{};
    int budgetBefore = 0;
    int budgetAfter = 0;
    std::optional<Moment> resumedAt{}; ///< When the next attempt was started.

    bool isCharged() const { return budgetAfter < budgetBefore; }
};

/// What happened to the workers over time: the timeline, as values. Bounded: the oldest spans go
/// first, and `droppedSpans` says how many. Spans have numbers that stay theirs.
class RunHistory
{
public:
    using SpanId = std::uint64_t;

    static constexpr size_t MaxSpans = 20'000;
    static constexpr size_t MaxRestarts = 500;

    /// `health`: of the ranks after the event.
    void apply(const Event& event, const RankHealth& health);

    SpanId firstId() const { return m_firstId; }
    SpanId endId() const { return m_firstId + m_spans.size(); }
    const StateSpan* span(SpanId id) const;
    /// Oldest first; ids that are older than firstId() may be among them.
    const std::deque<SpanId>& lane(int globalRank) const;
    /// One more than the highest rank that was ever seen.
    int laneCount() const { return static_cast<int>(m_lanes.size()); }
    /// Of a job on several hosts, in the order in which they were named.
    const std::vector<HostLane>& hostLanes() const { return m_hostLanes; }
    const std::deque<RestartMark>& restarts() const { return m_restarts; }
    const std::deque<StartMark>& starts() const { return m_starts; }
    std::uint64_t droppedSpans() const { return m_firstId; }

    Moment begin() const { return m_begin; }
    /// Of the last event; `ended` when no more can come.
    Moment end() const { return m_end; }
    bool ended() const { return m_ended; }

    /// The spans that were changed, not appended, since the last call.
    std::vector<SpanId> takeChanged();

private:
    void open(const Event& event, int globalRank, int attempt, WorkerState state);
    void healthChanged(const Event& event);
    void close(int globalRank, Moment at);
    StateSpan* openSpan(int globalRank);
    void exited(const Event& event, const WorkerExited& body);
    void attemptStarted(const Event& event, const AttemptStarted& body);
    void noticed(const Event& event, const Message& message);
    void hostChanged(const Event& event, const HostChanged& body);
    void closeHost(const HostLane& lane, Moment at);
    void trim();

    RankHealth m_health;
    std::deque<StateSpan> m_spans;
    SpanId m_firstId = 0;
    std::vector<std::deque<SpanId>> m_lanes;
    std::vector<HostLane> m_hostLanes;
    std::deque<RestartMark> m_restarts;
    std::deque<StartMark> m_starts;
    std::vector<SpanId> m_changed;
    Moment m_begin{};
    Moment m_end{};
    bool m_ended = false;
};

} // namespace ringmaster::app
