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
    // Whoever was connected to it may have heard of it first.
    for (BrokenWait& broken : m_brokenWaits)
        if (broken.gone.empty() &&
            std::ranges::find(broken.wait.on, exit.globalRank) != broken.wait.on.end())
            broken.gone.push_back(exit.globalRank);
    m_calls.ended(exit.globalRank);
    if (rank.phase < RankState::Phase::Failed)
        rank.phase = RankState::Phase::Exited;
}

/// A restarted group begins from nothing.
void State::start(const AttemptStarted& attempt)
{
    const auto ranks =
        std::clamp<size_t>(static_cast<size_t>(std::max(attempt.worldSize, 0)), 0, MostWorkers);
    *this = State(std::move(m_collectivesBefore));
    m_attempt = attempt.attempt;
    m_ranks.resize(ranks);
    m_calls = Calls(static_cast<int>(ranks), m_collectivesBefore);
    m_wholeTensorRing = WholeTensorRing(static_cast<int>(ranks));
}

void State::apply(const LessonStep& step, size_t index)
{
    if (step.globalRank < 0 || step.globalRank >= rankCount() || step.attempt != m_attempt)
        return;
    RankState& rank = m_ranks[static_cast<size_t>(step.globalRank)];
    if (step.kind == LessonStep::Kind::Return && !step.text.empty())
        takeBrokenWait(step);
    m_calls.apply(step, index);
    m_wholeTensorRing.apply(step, index);
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
        // A request may be over while its rank is in another call.
        if (rank.phase != RankState::Phase::InCall || rank.call.id == step.call.id) {
            rank.phase = RankState::Phase::AtLine;
            rank.call = {};
        }
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
    for (const LessonValue& value : step.values)
        nameGroup(value);
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
    operation.arrivals.push_back({.chunk = step.chunk, .step = index});
    operation.followCorruption();
}

RingOperation& State::ringOperation(const LessonChunk& chunk)
{
    const auto found = std::ranges::find_if(
        m_ring, [&](const RingOperation& operation) { return operation.isOf(chunk); });
    if (found != m_ring.end())
        return *found;
    if (m_ring.size() >= MostRingOperations)
        m_ring.erase(m_ring.begin());
    return m_ring.emplace_back(RingOperation{.group = chunk.group,
                                             .sequence = chunk.sequence,
                                             .operation = chunk.operation,
                                             .algorithm = chunk.algorithm});
}

bool RingOperation::isOf(const LessonChunk& chunk) const
{
    return sequence == chunk.sequence && operation == chunk.operation && group == chunk.group;
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
        m_groups.push_back(
            {.name = call.group, .members = call.members, .madeAt = {index, step.file, step.line}});
}

/// A variable holds one group, and the first that holds it names it: `mine = even` doesn't.
void State::nameGroup(const LessonValue& value)
{
    if (value.type != "ProcessGroup" || value.elements.empty())
        return;
    std::vector<Group*> same;
    for (Group& group : m_groups) {
        std::string content = "ranks";
        for (const int member : group.members)
            content += (content == "ranks" ? " " : ", ") + std::to_string(member);
        if (content == value.elements.front())
            same.push_back(&group);
    }
    const auto isNamedSo = [&](const Group* group) { return group->variable == value.name; };
    const auto isNameless = [](const Group* group) { return group->variable.empty(); };
    if (std::ranges::any_of(same, isNamedSo))
        return;
    const auto found = std::ranges::find_if(same, isNameless);
    if (found != same.end())
        (*found)->variable = value.name;
}

int State::sizeOf(const std::string& group) const
{
    const auto found = std::ranges::find(m_groups, group, &Group::name);
    return found == m_groups.end() ? rankCount() : static_cast<int>(found->members.size());
}

bool State::isIn(const std::string& group, int rank) const
{
    const auto found = std::ranges::find(m_groups, group, &Group::name);
    return found == m_groups.end() ||
           std::ranges::find(found->members, rank) != found->members.end();
}

bool State::isGone(int rank) const
{
    const RankState& state = m_ranks[static_cast<size_t>(rank)];
    const bool isLeaving =
        state.phase == RankState::Phase::InCall && state.call.operation == "destroy_process_group";
    return state.phase >= RankState::Phase::Failed || isLeaving || m_calls.hasLeft(rank);
}

void State::takeBrokenWait(const LessonStep& step)
{
    const auto waits = m_calls.waits();
    const auto wait = std::ranges::find(waits, step.globalRank, &Wait::rank);
    if (wait == waits.end() || wait->on.empty() || m_brokenWaits.size() >= MostHazards)
        return;
    BrokenWait broken{.wait = *wait, .error = step.text};
    std::ranges::copy_if(wait->on, std::back_inserter(broken.gone),
                         [this](int rank) { return isGone(rank); });
    m_brokenWaits.push_back(std::move(broken));
}

} // namespace ringmaster::lesson
