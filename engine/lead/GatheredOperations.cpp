#include "engine/lead/GatheredOperations.h"

#include "engine/agent/Failure.h"
#include "engine/base/Clock.h"
#include "engine/event/ClockDrift.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/node/ExpectedBandwidth.h"
#include "engine/node/FoldRows.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ringmaster {

namespace {

constexpr std::int64_t BetweenLooksNs = 500'000'000;
/// After a failure: until an agent has written down what its ranks did last …
constexpr std::int64_t WrittenNs = 1'000'000'000;
/// … until those who fail because of others have done so …
constexpr std::int64_t FirstEndNs = 1'500'000'000;
/// … and for how long an agent that doesn't answer is waited for.
constexpr std::int64_t LastEndNs = 5'000'000'000;
constexpr std::int64_t OldNs = 3'000'000'000;
constexpr size_t MostEnded = 1024;
/// Two leads measure an agent's clock a little differently.
constexpr std::int64_t SameNs = 5'000'000;

} // namespace

GatheredOperations::GatheredOperations(RunFileWriter& writer, RankActivityCache& rankActivities,
                                       Tell tell)
    : m_writer(writer), m_rankActivities(rankActivities), m_tell(std::move(tell))
{
}

void GatheredOperations::begin(int attempt, int worldSize, std::int64_t nowNs)
{
    // What hasn't come of the attempt before is waited for no longer.
    if (m_failedNs != 0 && nowNs - m_failedNs >= FirstEndNs)
        end(nowNs);
    if (m_folder)
        appendFolds(m_writer, m_folder->takeAll());
    m_folder = std::make_unique<diagnose::OperationAggregator>();
    m_attempt = attempt;
    m_isOn = true;
    m_isEnding = false;
    m_failedNs = 0;
    m_ranks.clear();
    m_deaths.begin();
    m_diagnosis.begin(attempt, worldSize);
    m_diagnosis.promise(promisesOf(readCalibrations()));
}

void GatheredOperations::happened(const std::string& agent, const std::string& host,
                                  const EventBody& body, std::int64_t nowNs)
{
    if (const auto* attempt = std::get_if<AttemptStarted>(&body)) {
        if (attempt->attempt > m_attempt)
            begin(attempt->attempt, attempt->worldSize, nowNs);
        for (const WorkerAssignment& worker : attempt->workers) {
            if (attempt->attempt != m_attempt)
                continue;
            m_ranks[worker.globalRank].agent = agent;
            m_ranks[worker.globalRank].host = host;
        }
    }
    const auto* exit = std::get_if<WorkerExited>(&body);
    if (exit != nullptr && exit->attempt == m_attempt && m_ranks.contains(exit->globalRank))
        m_ranks[exit->globalRank].exit = *exit;
    if (exit != nullptr && exit->attempt == m_attempt && !exit->status.succeeded() && m_isOn &&
        m_failedNs == 0)
        m_failedNs = nowNs;
    const auto* state = std::get_if<RunStateChanged>(&body);
    if (state != nullptr && state->state == RunState::Stopping && m_failedNs == 0)
        m_failedNs = nowNs;
}

void GatheredOperations::measured(const ClockMeasured& clock, std::int64_t nowNs)
{
    AgentClock& known = m_clocks[clock.agent];
    const std::int64_t moved =
        known.measuredNs == 0 ? 0 : std::abs(clock.monotonicOffsetNs - known.offsetNs);
    known = {clock.monotonicOffsetNs, clock.boundNs, nowNs, moved};
}

std::int64_t GatheredOperations::errorOf(const std::string& agent, std::int64_t nowNs) const
{
    const auto found = m_clocks.find(agent);
    if (found == m_clocks.end())
        return 0;
    const AgentClock& clock = found->second;
    return clockErrorNs(clock.boundNs, clock.movedNs, nowNs - clock.measuredNs);
}

/// 0 before it was measured.
std::int64_t GatheredOperations::offsetOf(const std::string& agent) const
{
    const auto clock = m_clocks.find(agent);
    return clock == m_clocks.end() ? 0 : clock->second.offsetNs;
}

void GatheredOperations::toLeadsClock(const std::string& agent, OperationBatch& batch) const
{
    const std::int64_t offset = offsetOf(agent);
    for (Operation& operation : batch.operations) {
        for (std::int64_t* ns : {&operation.enqueuedNs, &operation.startedNs, &operation.endedNs,
                                 &operation.returnedNs}) {
            if (*ns != 0)
                *ns -= offset;
        }
    }
}

void GatheredOperations::learn(Rank& rank, const OperationBatch& batch)
{
    for (const LedgerGroup& group : batch.groups)
        rank.track.described(group);
    for (const CallSite& site : batch.sites)
        rank.track.described(site);
    for (const Operation& operation : batch.operations) {
        if (operation.id < rank.firstOperation)
            continue;
        const bool isRunning = operation.outcome == Operation::Outcome::Running;
        // What is asked for now may be older than what has come from the file.
        if (isRunning && rank.ended.contains(operation.id))
            continue;
        if (!isRunning)
            rank.ended.insert(operation.id);
        if (rank.ended.size() > MostEnded)
            rank.ended.erase(rank.ended.begin());
        rank.track.seen(operation);
    }
}

void GatheredOperations::operationsCame(const std::string& agent, const OperationRow& row)
{
    auto batch = unpackOperations(row.block);
    if (!batch)
        return; // from an agent that is damaged itself
    toLeadsClock(agent, *batch);
    OperationRow kept{.attempt = row.attempt,
                      .globalRank = row.globalRank,
                      .count = row.count,
                      .wallNs = SystemClock().now().wallNs};
    for (const Operation& operation : batch->operations) {
        if (kept.firstNs == 0 || operation.enqueuedNs < kept.firstNs)
            kept.firstNs = operation.enqueuedNs;
        kept.lastNs = std::max({kept.lastNs, operation.enqueuedNs, operation.endedNs});
    }
    const auto recorded = m_recorded.find({row.attempt, row.globalRank});
    const bool isNew = recorded == m_recorded.end() || kept.lastNs > recorded->second + SameNs;
    if (isNew) {
        kept.block = packOperations(*batch);
        m_writer.appendOperations(std::move(kept));
    }
    const auto rank = m_ranks.find(row.globalRank);
    if (row.attempt != m_attempt || rank == m_ranks.end() || rank->second.agent != agent)
        return;
    if (isNew)
        m_folder->add(*batch);
    rank->second.isRecorded = true;
    learn(rank->second, *batch);
}

void GatheredOperations::ranksSeen(const std::string& agent, const std::vector<RankActivity>& ranks)
{
    const std::int64_t offset = offsetOf(agent);
    for (const RankActivity& state : ranks) {
        const auto found = m_ranks.find(state.rank);
        if (state.attempt != m_attempt || found == m_ranks.end() || found->second.agent != agent)
            continue;
        Rank& rank = found->second;
        rank.now = state;
        rank.seenNs = state.seenNs - offset;
        toLeadsClock(agent, rank.now.now);
        rank.process = state.process;
        m_deaths.seen(state.rank, rank.process.state, rank.seenNs);
        if (rank.process.stack) {
            rank.process.stack->takenNs -= offset;
            rank.process.stack->sameSinceNs -= offset;
        }
        rank.isRecorded |= state.isRecorded;
        if (std::exchange(rank.firstOperation, state.firstOperation) != state.firstOperation) {
            rank.track.restarted();
            rank.ended.clear();
        }
        learn(rank, rank.now.now);
        std::set<std::uint64_t> running;
        for (const Operation& operation : rank.now.now.operations) {
            if (operation.outcome == Operation::Outcome::Running)
                running.insert(operation.id);
        }
        rank.track.runsOnly(running);
    }
}

/// The process that it is now.
bool GatheredOperations::hasEnded(const Rank& rank)
{
    return rank.exit && (rank.process.pid == 0 || rank.process.pid == rank.exit->pid);
}

/// Its end is told at once, what it did before later: until that has come, others don't wait in
/// vain.
diagnose::ProcessView GatheredOperations::processOf(int number, const Rank& rank,
                                                    std::int64_t nowNs) const
{
    using State = diagnose::ProcessView::State;
    diagnose::ProcessView process = rank.process;
    const bool isOver = hasEnded(rank);
    if (isOver && m_isEnding)
        process.state = State::Dead;
    else
        process.deadNs = m_deaths.of(number, nowNs);
    if (isOver && process.state == State::Dead) {
        process.hasSucceeded = rank.exit->status.succeeded();
        process.hasLostPeer = isOfAnother(kindOf({.exit = *rank.exit}));
    }
    return process;
}

std::vector<diagnose::RankView> GatheredOperations::views(std::int64_t nowNs) const
{
    std::vector<diagnose::RankView> views;
    for (const auto& [number, rank] : m_ranks)
        views.push_back({.rank = number,
                         .isRecorded = rank.isRecorded,
                         .track = &rank.track,
                         .process = processOf(number, rank, nowNs),
                         .clock = {.errorNs = errorOf(rank.agent, nowNs), .host = rank.agent},
                         .machine = rank.host});
    return views;
}

void GatheredOperations::look(std::int64_t nowNs)
{
    if (nowNs - m_lookedNs < BetweenLooksNs)
        return;
    m_lookedNs = nowNs;
    if (m_folder)
        appendFolds(m_writer, m_folder->take(nowNs));
    show();
    if (m_failedNs != 0 && mayEnd(nowNs))
        end(nowNs);
    if (m_isOn && m_failedNs == 0 && isUpToDate(nowNs))
        tell(m_diagnosis.look(views(nowNs), nowNs));
}

/// What the ranks of a host did meanwhile, whose link is cut or whose agent gets no turn, isn't
/// known: until it is, what has been said stands, and nothing new is.
bool GatheredOperations::isUpToDate(std::int64_t nowNs) const
{
    return std::ranges::none_of(m_ranks, [nowNs](const auto& known) {
        const Rank& rank = known.second;
        return !hasEnded(rank) && rank.seenNs != 0 && nowNs - rank.seenNs > OldNs;
    });
}

/// What the ranks of a failed attempt did last has come from all hosts, or isn't waited for any
/// longer.
bool GatheredOperations::mayEnd(std::int64_t nowNs) const
{
    const std::int64_t passedNs = nowNs - m_failedNs;
    const bool haveAllCome = std::ranges::all_of(m_ranks, [this](const auto& known) {
        const auto asked = m_askedNs.find(known.second.agent);
        return asked != m_askedNs.end() && asked->second >= m_failedNs + WrittenNs;
    });
    return passedNs >= (haveAllCome ? FirstEndNs : LastEndNs);
}

/// For whoever looks at the lead's run.
void GatheredOperations::show()
{
    if (!m_rankActivities.isWanted())
        return;
    std::vector<RankActivity> ranks;
    for (const auto& [number, rank] : m_ranks) {
        if (rank.isRecorded)
            ranks.push_back(rank.now);
    }
    m_rankActivities.show(std::move(ranks));
}

void GatheredOperations::end(std::int64_t nowNs)
{
    m_isEnding = true;
    if (std::exchange(m_isOn, false))
        tell(m_diagnosis.end(views(nowNs), m_failedNs != 0 ? m_failedNs : nowNs));
    m_failedNs = 0;
}

void GatheredOperations::stopping(std::int64_t nowNs)
{
    if (std::exchange(m_isOn, false))
        tell(isUpToDate(nowNs) ? m_diagnosis.stop(views(nowNs), nowNs)
                               : m_diagnosis.end(views(nowNs), nowNs));
    m_failedNs = 0;
}

void GatheredOperations::finish(std::int64_t nowNs)
{
    if (m_failedNs != 0)
        end(nowNs);
    m_isOn = false;
    if (m_folder)
        appendFolds(m_writer, m_folder->takeAll());
    m_folder.reset();
}

void GatheredOperations::tell(const std::vector<Verdict>& verdicts)
{
    for (const Verdict& verdict : verdicts)
        m_tell(verdict);
}

} // namespace ringmaster
