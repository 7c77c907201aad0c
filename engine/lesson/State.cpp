#include "engine/lesson/State.h"

#include "engine/lesson/Faults.h"

#include <algorithm>
#include <set>

namespace ringmaster::lesson {

namespace {

constexpr size_t MostWorkers = 1024;
constexpr size_t MostFrames = 64;
constexpr size_t MostHazards = 256;
constexpr size_t MostRingOperations = 32;
constexpr size_t MostGroups = 64;

void put(Frame& frame, const LessonValue& value, size_t index)
{
    const auto known = std::ranges::find(frame.cells, value.name,
                                         [](const Cell& cell) { return cell.value.name; });
    if (value.kind == LessonValue::Kind::Gone) {
        if (known != frame.cells.end())
            frame.cells.erase(known);
    } else if (known != frame.cells.end()) {
        *known = {value, index};
    } else {
        frame.cells.push_back({value, index});
    }
}

} // namespace

const Cell* RankState::find(const std::string& name) const
{
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        const auto cell = std::ranges::find(frame->cells, name,
                                            [](const Cell& known) { return known.value.name; });
        if (cell != frame->cells.end())
            return &*cell;
    }
    return nullptr;
}

void State::apply(const Event& event, size_t index)
{
    if (const auto* attempt = std::get_if<AttemptStarted>(&event.body))
        return start(*attempt);
    if (const auto* step = std::get_if<LessonStep>(&event.body))
        return apply(*step, index);
    if (const auto* worker = std::get_if<WorkerStateChanged>(&event.body)) {
        if (worker->attempt == m_attempt && worker->globalRank < rankCount() &&
            worker->globalRank >= 0 && worker->pid > 0)
            m_ranks[static_cast<size_t>(worker->globalRank)].pid = worker->pid;
    }
    if (const auto* exit = std::get_if<WorkerExited>(&event.body))
        exited(*exit);
}

/// Whoever the agent has ended did nothing of its own: what it was in still holds.
void State::exited(const WorkerExited& exit)
{
    if (exit.attempt != m_attempt || exit.globalRank < 0 || exit.globalRank >= rankCount())
        return;
    RankState& rank = m_ranks[static_cast<size_t>(exit.globalRank)];
    rank.isPaused = false;
    rank.isEndedByAgent = exit.endedByAgent;
    if (exit.endedByAgent)
        return;
    m_calls.ended(exit.globalRank);
    if (rank.phase < RankState::Phase::Failed)
        rank.phase = RankState::Phase::Exited;
}

/// A restarted group begins from nothing.
void State::start(const AttemptStarted& attempt)
{
    const auto ranks =
        std::clamp<size_t>(static_cast<size_t>(std::max(attempt.worldSize, 0)), 0, MostWorkers);
    *this = State();
    m_attempt = attempt.attempt;
    m_ranks.resize(ranks);
    m_calls = Calls(static_cast<int>(ranks));
}

void State::apply(const LessonStep& step, size_t index)
{
    if (step.globalRank < 0 || step.globalRank >= rankCount() || step.attempt != m_attempt)
        return;
    RankState& rank = m_ranks[static_cast<size_t>(step.globalRank)];
    m_calls.apply(step, index);
    lookForDeadlock(step);
    switch (step.kind) {
    case LessonStep::Kind::Line:
        rank.phase = RankState::Phase::AtLine;
        ++rank.lines;
        break;
    case LessonStep::Kind::Call:
        rank.phase = RankState::Phase::InCall;
        rank.call = step.call;
        break;
    case LessonStep::Kind::Return:
        rank.phase = RankState::Phase::AtLine;
        rank.call = {};
        if (step.call.isAsync)
            m_requests[{step.globalRank, step.call.id}] = {step.call,
                                                           {index, step.file, step.line}};
        takeGroup(step, index);
        break;
    case LessonStep::Kind::Error:
        rank.phase = RankState::Phase::Failed;
        rank.error = step.text;
        m_calls.ended(step.globalRank);
        break;
    case LessonStep::Kind::Hazard: takeHazard(step, index); return;
    case LessonStep::Kind::Chunk: takeChunk(step, index); return;
    case LessonStep::Kind::Finish: rank.phase = RankState::Phase::Finished; break;
    case LessonStep::Kind::Fault: takeFault(step); return;
    case LessonStep::Kind::Limit: return;
    }
    if (step.line > 0) {
        rank.file = step.file;
        rank.line = step.line;
    }
    takeValues(rank, step, index);
}

void State::takeValues(RankState& rank, const LessonStep& step, size_t index)
{
    const bool isFrames =
        step.kind == LessonStep::Kind::Line || step.kind == LessonStep::Kind::Finish;
    if (isFrames) {
        const size_t depth =
            std::clamp<size_t>(static_cast<size_t>(std::max(step.depth, 0)), 0, MostFrames - 1);
        rank.frames.resize(depth + 1);
        if (rank.frames.back().function != step.function)
            rank.frames.back() = {.function = step.function};
        for (const LessonValue& value : step.values)
            put(rank.frames.back(), value, index);
    }
    // What a call has received is there before the program's next line.
    if (step.kind != LessonStep::Kind::Return || step.call.isAsync)
        return;
    for (const LessonValue& value : step.call.outputs) {
        for (Frame& frame : rank.frames)
            for (Cell& cell : frame.cells)
                if (cell.value.name == value.name && cell.value.kind == value.kind &&
                    cell.value.elements != value.elements)
                    cell = {value, index};
    }
}

void State::takeHazard(const LessonStep& step, size_t index)
{
    if (m_hazards.size() >= MostHazards)
        return;
    Hazard hazard{.rank = step.globalRank,
                  .tensor = step.call.inputs.empty() ? "" : step.call.inputs.front().name,
                  .isWrite = step.text == "written",
                  .call = step.call,
                  .touchedAt = {index, step.file, step.line}};
    if (const auto request = m_requests.find({step.globalRank, step.call.id});
        request != m_requests.end())
        std::tie(hazard.call, hazard.startedAt) = request->second;
    m_hazards.push_back(std::move(hazard));
}

void State::takeChunk(const LessonStep& step, size_t index)
{
    RingOperation& operation = ringOperation(step.chunk);
    const auto place =
        std::ranges::upper_bound(operation.arrivals, step.atNs, {}, &RingOperation::Arrival::atNs);
    operation.arrivals.insert(place, {step.chunk, index, step.atNs});
    operation.followCorruption();
}

RingOperation& State::ringOperation(const LessonChunk& chunk)
{
    const auto found = std::ranges::find_if(m_ring, [&](const RingOperation& operation) {
        return operation.sequence == chunk.sequence && operation.operation == chunk.operation &&
               operation.group == chunk.group;
    });
    if (found != m_ring.end())
        return *found;
    if (m_ring.size() >= MostRingOperations)
        m_ring.erase(m_ring.begin());
    return m_ring.emplace_back(RingOperation{.group = chunk.group,
                                             .sequence = chunk.sequence,
                                             .operation = chunk.operation,
                                             .algorithm = chunk.algorithm});
}

void RingOperation::followCorruption()
{
    if (!corrupted)
        return;
    std::set<std::pair<int, std::uint64_t>> tainted; // rank and chunk
    for (Arrival& arrival : arrivals) {
        const LessonChunk& chunk = arrival.chunk;
        const bool isOrigin = chunk.chunk == corrupted->chunk && chunk.to == corrupted->to &&
                              chunk.step == corrupted->step;
        arrival.isTainted = isOrigin || tainted.contains({chunk.from, chunk.chunk});
        if (arrival.isTainted)
            tainted.emplace(chunk.to, chunk.chunk);
        else
            tainted.erase({chunk.to, chunk.chunk});
    }
}

void State::takeFault(const LessonStep& step)
{
    const auto kind = faultNamed(step.text);
    RankState& rank = m_ranks[static_cast<size_t>(step.globalRank)];
    if (kind == InjectFault::Kind::Pause || kind == InjectFault::Kind::Resume)
        rank.isPaused = kind == InjectFault::Kind::Pause;
    if (step.chunk == LessonChunk{})
        return;
    RingOperation& operation = ringOperation(step.chunk);
    operation.corrupted = step.chunk;
    operation.followCorruption();
}

/// Looked for when ranks enter calls or go; a rank that failed keeps others waiting, but not in a
/// deadlock. Backends may take a message before anybody receives it: then the sender comes back.
void State::lookForDeadlock(const LessonStep& step)
{
    using Kind = LessonStep::Kind;
    const auto isIn = [&](const Wait& wait) { return wait.rank == step.globalRank; };
    const bool isBack = step.kind == Kind::Return && step.text.empty();
    if (m_deadlock && isBack && std::ranges::any_of(m_deadlock->waits, isIn))
        m_deadlock.reset();
    const bool hasFailed = std::ranges::any_of(m_ranks, [](const RankState& rank) {
        return rank.phase == RankState::Phase::Failed || rank.phase == RankState::Phase::Exited;
    });
    if ((step.kind == Kind::Call || step.kind == Kind::Finish || isBack) && !hasFailed) {
        // More ranks may have come into it.
        if (auto found = m_calls.deadlock())
            m_deadlock = std::move(found);
    }
}

void State::takeGroup(const LessonStep& step, size_t index)
{
    const LessonCall& call = step.call;
    if (call.operation != "new_group" || call.group.empty() || m_groups.size() >= MostGroups)
        return;
    if (std::ranges::find(m_groups, call.group, &Group::name) == m_groups.end())
        m_groups.push_back({call.group, call.members, {index, step.file, step.line}});
}

} // namespace ringmaster::lesson
