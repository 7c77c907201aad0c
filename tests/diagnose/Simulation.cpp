#include "Simulation.h"

#include "engine/diagnose/Mismatch.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

constexpr std::int64_t Begin = 1'000'000'000'000;

std::int64_t nanoseconds(double seconds)
{
    return static_cast<std::int64_t>(seconds * 1e9);
}

Operation& operationOf(Recording::Rank& rank, std::uint64_t id)
{
    return *std::ranges::lower_bound(rank.operations.operations, id, {}, &Operation::id);
}

} // namespace

Simulation::Simulation(int ranks, double seconds)
    : m_ranks(static_cast<size_t>(ranks)), m_transferSeconds(seconds)
{
    m_recording.beganNs = Begin;
    m_recording.ranks.resize(m_ranks.size());
    std::vector<int> all;
    for (int rank = 0; rank < ranks; ++rank) {
        m_recording.ranks[at(rank)].operations.rank = rank;
        m_recording.ranks[at(rank)].operations.sites = {{1, "/home/me/train.py", "step", 88}};
        m_ranks[at(rank)].nowNs = Begin;
        all.push_back(rank);
    }
    group(0, "0", all);
}

void Simulation::group(std::uint32_t number, const std::string& name,
                       const std::vector<int>& members)
{
    m_groups[number] = members;
    for (Recording::Rank& rank : m_recording.ranks)
        rank.operations.groups.push_back({number, name, members});
}

void Simulation::computes(int rank, double seconds)
{
    m_ranks[at(rank)].actions.push_back({.activity = Activity::Computing, .seconds = seconds});
}

void Simulation::sleeps(int rank, double seconds)
{
    m_ranks[at(rank)].actions.push_back({.activity = Activity::Sleeping, .seconds = seconds});
}

void Simulation::writes(int rank, double seconds)
{
    m_ranks[at(rank)].actions.push_back({.activity = Activity::Writing, .seconds = seconds});
}

void Simulation::waitsIn(int rank, double seconds, const ProcessWait& wait, const std::string& file)
{
    m_ranks[at(rank)].actions.push_back(
        {.activity = Activity::Sleeping, .seconds = seconds, .wait = wait, .file = file});
}

void Simulation::stops(int rank)
{
    m_ranks[at(rank)].actions.push_back({.kind = Action::Kind::End, .activity = Activity::Stopped});
}

void Simulation::dies(int rank)
{
    m_ranks[at(rank)].actions.push_back({.kind = Action::Kind::End, .activity = Activity::Dead});
}

void Simulation::calls(int rank, const Call& call)
{
    m_ranks[at(rank)].actions.push_back(
        {.kind = Action::Kind::Call, .call = call, .transferSeconds = m_transferSeconds});
}

void Simulation::begins(int rank, const Call& call)
{
    m_ranks[at(rank)].actions.push_back(
        {.kind = Action::Kind::Begin, .call = call, .transferSeconds = m_transferSeconds});
}

void Simulation::waits(int rank)
{
    m_ranks[at(rank)].actions.push_back({.kind = Action::Kind::Wait});
}

void Simulation::together(const Call& call)
{
    for (const int rank : m_groups.at(call.group))
        calls(rank, call);
}

void Simulation::spend(int rank, Interval interval, double seconds)
{
    Rank& self = m_ranks[at(rank)];
    interval.fromNs = self.nowNs;
    self.intervals.push_back(std::move(interval));
    self.nowNs += nanoseconds(seconds);
}

void Simulation::enter(int rank, const Action& action)
{
    const Call& call = action.call;
    Rank& self = m_ranks[at(rank)];
    const bool isPair = ledger::isPointToPoint(call.kind);
    const auto numbered = isPair ? call.kind : ledger::OperationKind::Other;
    const std::uint64_t number = ++self.numbers[{call.group, numbered, isPair ? call.peer : -1}];
    Operation operation{.id = ++m_lastId,
                        .kind = call.kind,
                        .type = call.type,
                        .reduction = call.reduction,
                        .caller = isPair                              ? ledger::Caller::Unknown
                                  : action.kind == Action::Kind::Call ? ledger::Caller::Waits
                                                                      : ledger::Caller::GoesOn,
                        .backend = ledger::Backend::Gloo,
                        .group = call.group,
                        .peer = call.peer,
                        .number = number,
                        .bytes = call.elements * ledger::sizeOf(call.type),
                        .elements = call.elements,
                        .site = 1,
                        .enqueuedNs = self.nowNs - m_recording.ranks[at(rank)].clock.offsetNs};
    m_recording.ranks[at(rank)].operations.operations.push_back(operation);
    self.pending.insert(operation.id);
    const auto& members = m_groups.at(call.group);
    CallKey key{call.group, number, -1, -1};
    if (isPair) {
        const int other = members.at(at(call.peer));
        const bool isSend = call.kind == ledger::OperationKind::Send;
        key = {call.group, number, isSend ? rank : other, isSend ? other : rank};
    }
    m_arrived[key].emplace_back(rank, operation.id);
    const size_t expected = isPair ? 2 : members.size();
    if (m_arrived[key].size() == expected)
        settle(key, action.transferSeconds);
}

/// All have come: who waits for it goes on.
void Simulation::settle(const CallKey& key, double transferSeconds)
{
    const auto& came = m_arrived[key];
    const bool isPair = std::get<2>(key) >= 0;
    const Operation& first = operationOf(m_recording.ranks[at(came[0].first)], came[0].second);
    std::int64_t lastNs = 0;
    for (const auto& [rank, id] : came) {
        const Operation& one = operationOf(m_recording.ranks[at(rank)], id);
        if (!isPair && !fit(first, one))
            return;
        lastNs = std::max(lastNs, one.enqueuedNs + m_recording.ranks[at(rank)].clock.offsetNs);
    }
    const std::int64_t endNs = lastNs + nanoseconds(transferSeconds);
    for (const auto& [rank, id] : came) {
        Operation& one = operationOf(m_recording.ranks[at(rank)], id);
        one.outcome = Operation::Outcome::Done;
        one.endedNs = endNs - m_recording.ranks[at(rank)].clock.offsetNs;
        Rank& waiting = m_ranks[at(rank)];
        waiting.pending.erase(id);
        waiting.awaited.erase(id);
        waiting.overNs = std::max(waiting.overNs, endNs);
    }
}

/// False: it has nothing to do, or can't go on.
bool Simulation::step(int rank)
{
    Rank& self = m_ranks[at(rank)];
    if (!self.awaited.empty())
        return false;
    if (std::exchange(self.isBlocked, false))
        self.nowNs = std::max(self.nowNs, self.overNs);
    if (self.isOver || self.actions.empty())
        return false;
    const Action action = self.actions.front();
    self.actions.pop_front();
    switch (action.kind) {
    case Action::Kind::Spend: {
        Interval interval{.activity = action.activity, .wait = action.wait};
        if (!action.file.empty())
            interval.file = action.file;
        spend(rank, std::move(interval), action.seconds);
        break;
    }
    case Action::Kind::End:
        spend(rank, {.activity = action.activity}, 0);
        self.isOver = true;
        break;
    case Action::Kind::Begin: enter(rank, action); break;
    case Action::Kind::Call:
        self.isBlocked = true;
        spend(rank, {.activity = Activity::Blocked}, 0);
        self.awaited.insert(m_lastId + 1);
        enter(rank, action);
        break;
    case Action::Kind::Wait:
        self.isBlocked = true;
        spend(rank, {.activity = Activity::Blocked}, 0);
        self.awaited = self.pending;
        break;
    }
    return true;
}

Recording Simulation::run(double seconds)
{
    for (bool isGoingOn = true; isGoingOn;) {
        isGoingOn = false;
        for (int rank = 0; rank < ranks(); ++rank) {
            while (step(rank))
                isGoingOn = true;
        }
    }
    m_recording.endedNs = Begin + nanoseconds(seconds);
    for (size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (!m_ranks[rank].isOver && !m_ranks[rank].isBlocked)
            spend(static_cast<int>(rank), {.activity = Activity::Computing}, 0); // what comes after
        for (std::int64_t ns = Begin; ns < m_recording.endedNs; ns += 500'000'000)
            m_recording.ranks[rank].looks.push_back({ns, processAt(m_ranks[rank], ns)});
        for (Recording::Look& look : m_recording.ranks[rank].looks)
            look.process.pid = pidOf(static_cast<int>(rank));
    }
    return m_recording;
}

ProcessView Simulation::processAt(const Rank& rank, std::int64_t ns) const
{
    ProcessView view{.state = ProcessView::State::Alive};
    auto behind = std::ranges::upper_bound(rank.intervals, ns, {}, &Interval::fromNs);
    if (behind == rank.intervals.begin())
        return view;
    const Activity now = (behind - 1)->activity;
    const std::int64_t sinceNs = (behind - 1)->fromNs;
    const std::string file = (behind - 1)->file;
    view.wait = (behind - 1)->wait;
    std::int64_t idleSinceNs = ns;
    while (behind != rank.intervals.begin()) {
        --behind;
        if (behind->activity == Activity::Computing || behind->activity == Activity::Writing)
            break;
        idleSinceNs = behind->fromNs;
    }
    view.idleNs = ns - idleSinceNs;
    view.frozenNs = now == Activity::Computing ? 0 : ns - sinceNs;
    view.cpuShare = now == Activity::Computing ? 1 : 0;
    if (now == Activity::Stopped)
        view.state = ProcessView::State::Stopped;
    if (now == Activity::Dead)
        view.state = ProcessView::State::Dead;
    const bool isInCall = now == Activity::Blocked;
    view.stack = Stack{.source = "torch",
                       .frames = {isInCall ? Stack::Frame{"all_reduce",
                                                          "/venv/lib/python3.11/site-packages/"
                                                          "torch/distributed/distributed_c10d.py",
                                                          2800}
                                           : Stack::Frame{"load", file, 7}},
                       .takenNs = ns,
                       .sameSinceNs = sinceNs};
    return view;
}

} // namespace ringmaster::diagnose
