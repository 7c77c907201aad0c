#include "app/model/RunHistory.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace ringmaster::app {

namespace {

/// A file may name any rank; a lane is made for each up to the highest.
constexpr int MaxLanes = 65'536;

/// As many hosts as a file may name.
constexpr size_t MaxHosts = 10'000;

constexpr Code FirstCollective = codeOf("FirstCollective");
constexpr Code FirstCollectiveAgain = codeOf("FirstCollectiveAgain");
/// The parameters that have the phases' seconds, by StartPhase.
constexpr std::array<const char*, 6> PhaseNames{"stop",   "rendezvous", "start",
                                                "import", "init",       "user"};

std::string valueOf(const Message& message, const char* name)
{
    const auto found = message.parameters.find(name);
    return found == message.parameters.end() ? std::string() : found->second;
}

int numberOf(const std::string& text)
{
    int number = -1;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// -1: it isn't a time, or one that no run takes.
std::int64_t nanosecondsOf(const std::string& text)
{
    constexpr double Second = 1e9;
    constexpr double Longest = 1e8;
    char* end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    const bool isTime = end != text.c_str() && *end == '\0' && seconds >= 0 && seconds < Longest;
    return isTime ? std::llround(seconds * Second) : -1;
}

/// What is drawn alike.
Health likenessOf(HostChanged::State state)
{
    switch (state) {
    case HostChanged::State::Connecting:
    case HostChanged::State::StandingBy: return Health::Starting;
    case HostChanged::State::Connected: return Health::Running;
    case HostChanged::State::Reconnecting:
    case HostChanged::State::Lost: return Health::Slow;
    case HostChanged::State::Gone: return Health::Failed;
    case HostChanged::State::Finished: return Health::Finished;
    }
    return Health::Lost;
}

Moment earlier(const Moment& moment, std::int64_t by)
{
    return {moment.monotonicNs - by, moment.wallNs - by};
}

} // namespace

void RunHistory::apply(const Event& event, const RankHealth& health)
{
    m_health = health;
    if (m_begin == Moment{})
        m_begin = event.at;
    m_end = std::max(m_end, event.at);
    if (const auto* attempt = std::get_if<AttemptStarted>(&event.body)) {
        attemptStarted(event, *attempt);
    } else if (const auto* change = std::get_if<WorkerStateChanged>(&event.body)) {
        open(event, change->globalRank, change->attempt, change->state);
    } else if (const auto* exit = std::get_if<WorkerExited>(&event.body)) {
        exited(event, *exit);
    } else if (const auto* restart = std::get_if<GroupRestarting>(&event.body)) {
        healthChanged(event);
        m_restarts.push_back({restart->attempt, event.at, restart->cause, restart->budgetBefore,
                              restart->budgetAfter, std::nullopt});
        if (m_restarts.size() > MaxRestarts)
            m_restarts.pop_front();
    } else if (std::holds_alternative<Verdict>(event.body) ||
               std::holds_alternative<WorkerImporting>(event.body)) {
        healthChanged(event);
    } else if (const auto* host = std::get_if<HostChanged>(&event.body)) {
        hostChanged(event, *host);
    } else if (const auto* notice = std::get_if<Notice>(&event.body)) {
        noticed(event, notice->message);
    } else if (const auto* run = std::get_if<RunStateChanged>(&event.body)) {
        m_ended = isFinal(run->state);
        for (int rank = 0; m_ended && rank < laneCount(); ++rank)
            close(rank, event.at);
        for (const HostLane& lane : m_hostLanes)
            if (m_ended)
                closeHost(lane, event.at);
    }
    trim();
}

void RunHistory::hostChanged(const Event& event, const HostChanged& body)
{
    auto lane = std::ranges::find(m_hostLanes, body.host, &HostLane::host);
    if (lane == m_hostLanes.end()) {
        if (m_hostLanes.size() == MaxHosts)
            return;
        lane = m_hostLanes.insert(lane, {body.host, {}});
    }
    if (!lane->spans.empty() && lane->spans.back() >= m_firstId) {
        const StateSpan& last = m_spans[lane->spans.back() - m_firstId];
        if (last.isOpen && last.hostState == body.state)
            return;
    }
    closeHost(*lane, event.at);
    lane->spans.push_back(endId());
    m_spans.push_back({.globalRank = -1,
                       .attempt = -1,
                       .health = likenessOf(body.state),
                       .from = event.at,
                       .to = event.at,
                       .host = body.host,
                       .hostState = body.state,
                       .reason = body.reason});
}

void RunHistory::closeHost(const HostLane& lane, Moment at)
{
    if (lane.spans.empty() || lane.spans.back() < m_firstId)
        return;
    StateSpan& last = m_spans[lane.spans.back() - m_firstId];
    if (!last.isOpen)
        return;
    last.to = at;
    last.isOpen = false;
    m_changed.push_back(lane.spans.back());
}

/// A file may say anything; what doesn't add up isn't drawn.
void RunHistory::noticed(const Event& event, const Message& message)
{
    if (message.code != FirstCollective && message.code != FirstCollectiveAgain)
        return;
    StartMark mark{.attempt = numberOf(valueOf(message, "attempt")),
                   .globalRank = numberOf(valueOf(message, "rank")),
                   .to = event.at,
                   .firstSpan = endId()};
    std::array<std::int64_t, PhaseNames.size()> lengths{};
    std::int64_t total = 0;
    for (std::size_t phase = 0; phase < lengths.size(); ++phase) {
        lengths[phase] = nanosecondsOf(valueOf(message, PhaseNames[phase]));
        total += lengths[phase];
    }
    if (mark.attempt < 0 || mark.globalRank < 0 || mark.globalRank >= MaxLanes || total <= 0 ||
        std::ranges::any_of(lengths, [](std::int64_t length) { return length < 0; }))
        return;
    mark.from = earlier(event.at, total);
    for (std::size_t phase = 0; phase < lengths.size(); total -= lengths[phase++]) {
        if (lengths[phase] == 0)
            continue;
        const Moment from = earlier(event.at, total);
        m_spans.push_back({.globalRank = mark.globalRank,
                           .attempt = mark.attempt,
                           .health = Health::Starting,
                           .from = from,
                           .to = earlier(from, -lengths[phase]),
                           .isOpen = false,
                           .phase = static_cast<StartPhase>(phase)});
    }
    mark.endSpan = endId();
    m_starts.push_back(mark);
    if (m_starts.size() > MaxRestarts)
        m_starts.pop_front();
}

void RunHistory::attemptStarted(const Event& event, const AttemptStarted& body)
{
    if (!m_restarts.empty() && !m_restarts.back().resumedAt)
        m_restarts.back().resumedAt = event.at;
    for (int rank = body.worldSize; rank < laneCount(); ++rank)
        close(rank, event.at);
    for (const WorkerAssignment& worker : body.workers)
        open(event, worker.globalRank, body.attempt, WorkerState::Init);
}

void RunHistory::exited(const Event& event, const WorkerExited& body)
{
    const WorkerState state = body.status.succeeded() ? WorkerState::Succeeded
                              : body.endedByAgent     ? WorkerState::Stopped
                                                      : WorkerState::Failed;
    open(event, body.globalRank, body.attempt, state);
    if (StateSpan* span = openSpan(body.globalRank))
        span->exit = body.status;
}

/// A hang stays to be seen after it is over.
void RunHistory::healthChanged(const Event& event)
{
    for (int rank = 0; rank < laneCount(); ++rank) {
        const StateSpan* span = openSpan(rank);
        if (span != nullptr && !span->exit)
            open(event, rank, span->attempt, span->state);
    }
}

void RunHistory::open(const Event& event, int globalRank, int attempt, WorkerState state)
{
    if (globalRank < 0 || globalRank >= MaxLanes)
        return;
    const Health health = m_health.of(globalRank, state);
    if (StateSpan* current = openSpan(globalRank);
        current != nullptr && current->health == health && current->attempt == attempt) {
        current->state = state;
        return;
    }
    close(globalRank, event.at);
    const auto lane = static_cast<size_t>(globalRank);
    if (lane >= m_lanes.size())
        m_lanes.resize(lane + 1);
    m_lanes[lane].push_back(endId());
    m_spans.push_back({.globalRank = globalRank,
                       .attempt = attempt,
                       .health = health,
                       .state = state,
                       .from = event.at,
                       .to = event.at});
}

void RunHistory::close(int globalRank, Moment at)
{
    StateSpan* span = openSpan(globalRank);
    if (span == nullptr)
        return;
    span->to = at;
    span->isOpen = false;
    m_changed.push_back(m_lanes[static_cast<size_t>(globalRank)].back());
}

StateSpan* RunHistory::openSpan(int globalRank)
{
    if (globalRank < 0 || globalRank >= laneCount())
        return nullptr;
    const std::deque<SpanId>& ids = m_lanes[static_cast<size_t>(globalRank)];
    if (ids.empty() || ids.back() < m_firstId)
        return nullptr;
    StateSpan& last = m_spans[ids.back() - m_firstId];
    return last.isOpen ? &last : nullptr;
}

void RunHistory::trim()
{
    // A tenth at once, so that a full history isn't moved with every event.
    if (m_spans.size() <= MaxSpans)
        return;
    constexpr auto Count = static_cast<std::ptrdiff_t>(MaxSpans / 10);
    m_spans.erase(m_spans.begin(), m_spans.begin() + Count);
    m_firstId += static_cast<SpanId>(Count);
    for (std::deque<SpanId>& lane : m_lanes)
        lane.erase(lane.begin(), std::lower_bound(lane.begin(), lane.end(), m_firstId));
    for (HostLane& lane : m_hostLanes)
        lane.spans.erase(lane.spans.begin(),
                         std::lower_bound(lane.spans.begin(), lane.spans.end(), m_firstId));
}

const StateSpan* RunHistory::span(SpanId id) const
{
    return id < m_firstId || id >= endId() ? nullptr : &m_spans[id - m_firstId];
}

const std::deque<RunHistory::SpanId>& RunHistory::lane(int globalRank) const
{
    static const std::deque<SpanId> none;
    return globalRank < 0 || globalRank >= laneCount() ? none
                                                       : m_lanes[static_cast<size_t>(globalRank)];
}

std::vector<RunHistory::SpanId> RunHistory::takeChanged()
{
    return std::exchange(m_changed, {});
}

} // namespace ringmaster::app
