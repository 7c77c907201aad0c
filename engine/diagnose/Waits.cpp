#include "engine/diagnose/Waits.h"

#include "engine/diagnose/Codes.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

using ledger::OperationKind;

/// One wait an operation: for point-to-point, of one pair.
using WaitKey = std::tuple<GroupKey, std::uint64_t, OperationKind, int, int, int>;

/// The other side of a pair that hasn't come; -1: it has, or who it is isn't known.
int absentPeer(const std::vector<RankView>& ranks, const RankView& view, const GroupKey& group,
               const Operation& operation)
{
    const auto self = std::ranges::find(group.members, view.rank);
    const auto peer = static_cast<size_t>(operation.peer);
    if (operation.peer < 0 || peer >= group.members.size() || self == group.members.end())
        return -1;
    const RankView* other = viewOf(ranks, group.members[peer]);
    const int own = static_cast<int>(self - group.members.begin());
    const bool isSend = operation.kind == OperationKind::Send;
    const auto wanted = isSend ? OperationKind::Receive : OperationKind::Send;
    if (other == nullptr || !other->isRecorded ||
        other->track->pairs().size() > RankTrack::MostPairs)
        return -1;
    std::uint64_t entered = other->track->entered({group, wanted, own, operation.tag});
    if (isSend)
        entered += other->track->entered({group, OperationKind::ReceiveAny, -1, operation.tag});
    return entered < operation.number ? group.members[peer] : -1;
}

/// It hasn't come to an operation of the group. Of a rank on another node, or without a ledger,
/// nothing is known; but a ledger begins with init_process_group, and who has ended won't come.
bool isAbsent(const RankView& view, const GroupKey& group, const Operation& operation)
{
    if (view.isRecorded)
        return view.track->entered(group) < operation.number;
    if (view.process.state == ProcessView::State::Dead)
        return true;
    return operation.kind == OperationKind::InitProcessGroup &&
           view.process.state != ProcessView::State::Unknown &&
           !(view.process.stack && isInCall(*view.process.stack));
}

std::vector<int> absentFrom(const std::vector<RankView>& ranks, const RankView& view,
                            const GroupKey& group, const Operation& operation)
{
    std::vector<int> absent;
    if (ledger::isPointToPoint(operation.kind)) {
        if (const int peer = absentPeer(ranks, view, group, operation); peer >= 0)
            absent.push_back(peer);
        return absent;
    }
    for (const int member : group.members) {
        const RankView* other = viewOf(ranks, member);
        if (other != nullptr && isAbsent(*other, group, operation))
            absent.push_back(member);
    }
    return absent;
}

/// All members' entrances are known, and none is missing.
bool areAllInside(const std::vector<RankView>& ranks, const GroupKey& group,
                  const Operation& operation)
{
    return !group.members.empty() && !ledger::isPointToPoint(operation.kind) &&
           std::ranges::all_of(group.members, [&](int member) {
               const RankView* view = viewOf(ranks, member);
               return view != nullptr && view->isRecorded &&
                      view->track->entered(group) >= operation.number;
           });
}

/// When the last of them came; 0: that is forgotten.
std::int64_t lastEntry(const std::vector<RankView>& ranks, const GroupKey& group,
                       std::uint64_t number)
{
    std::int64_t last = 0;
    for (const int member : group.members) {
        const RankView* view = viewOf(ranks, member);
        if (const Operation* entered = view->track->find(group, number))
            last = std::max(last, view->here(entered->enqueuedNs));
    }
    return last;
}

/// nccl's operations last until the GPU says that they are over. Where it can't be asked (see
/// ledger/hook/NcclProfiler.cpp), the latest seems to run until the next one is called.
bool isEndKnown(const RankView& view, const Operation& operation)
{
    const auto& last = view.track->lastEnded();
    return operation.backend != ledger::Backend::Nccl || !last ||
           last->backend != ledger::Backend::Nccl || last->endedNs != 0;
}

/// In it the rank may stand: the earliest that those who are absent haven't called, where nobody
/// has said since when that was over.
const Operation& earliestOpen(const std::vector<RankView>& ranks, const RankView& view,
                              const GroupKey& group, const Operation& operation,
                              const std::vector<int>& absent)
{
    if (absent.empty() || ledger::isPointToPoint(operation.kind) || isEndKnown(view, operation))
        return operation;
    std::uint64_t entered = operation.number;
    for (const int rank : absent) {
        const RankView* other = viewOf(ranks, rank);
        entered = std::min(entered, other->isRecorded ? other->track->entered(group) : 0);
    }
    for (std::uint64_t number = entered + 1; number < operation.number; ++number) {
        const Operation* earlier = view.track->find(group, number);
        if (earlier != nullptr && earlier->backend == ledger::Backend::Nccl &&
            earlier->endedNs == 0 && earlier->enqueuedNs != 0)
            return *earlier;
    }
    return operation;
}

/// Processes start, and import, in their own time: those that have come say what is usual.
bool isLateForInit(const Wait& wait, std::int64_t nowNs, std::chrono::nanoseconds threshold)
{
    constexpr int TimesThreshold = 3;
    constexpr int TimesUsual = 3;
    return nowNs - wait.sinceNs >=
           std::max<std::int64_t>(TimesThreshold * threshold.count(),
                                  TimesUsual * (wait.lastNs - wait.sinceNs));
}

/// Who has ended waits for nothing. A caller goes on before the backend's thread says that its
/// operation is over; who ends at once ends that thread, too, and seems to be inside for ever.
bool isAnybodyLeft(const std::vector<RankView>& ranks, const Wait& wait)
{
    return std::ranges::any_of(wait.waiting, [&](int rank) {
        return viewOf(ranks, rank)->process.state != ProcessView::State::Dead;
    });
}

/// Another thread of it, that saves, say, is in a call of its own.
bool isElsewhereToo(const RankView& view, const GroupKey& group)
{
    return std::ranges::any_of(view.track->running(), [&](const auto& known) {
        const Operation& operation = known.second;
        return operation.caller == ledger::Caller::Waits && !ledger::makesGroup(operation.kind) &&
               view.track->keyOf(operation.group) != group;
    });
}

/// It stands in this operation, and nowhere else.
bool isStuckIn(const std::vector<RankView>& ranks, const RankView& view, const Wait& wait,
               std::chrono::nanoseconds idle)
{
    constexpr int TimesUnseen = 3; // until a stack can be here
    if (view.process.state != ProcessView::State::Alive || view.process.idleNs < idle.count())
        return false;
    const auto& running = view.track->running();
    const bool waitsInCall = std::ranges::any_of(running, [&](const auto& known) {
        const auto& [id, operation] = known;
        const bool isIt =
            operation.number == wait.operation.number
                ? operation.kind == wait.operation.kind
                : operation.number > wait.operation.number && !isEndKnown(view, operation);
        return isIt && operation.caller == ledger::Caller::Waits &&
               view.track->keyOf(operation.group) == wait.group;
    });
    const Stack* stack = freshStackOf(view);
    if (waitsInCall) {
        const Code problem = view.process.noStack.code;
        const bool isNeverRead = problem != code::None && problem != code::StackNoAnswer;
        const bool mayBeItsMain =
            stack != nullptr ? mayBeInCall(*stack)
                             : isNeverRead || view.process.idleNs >= TimesUnseen * idle.count();
        return mayBeItsMain && !isElsewhereToo(view, wait.group);
    }
    if (stack == nullptr || !isInCall(*stack))
        return false;
    // By its stack it waits for something: that is this, if nothing else misses somebody.
    const auto others = std::ranges::count_if(running, [&](const auto& known) {
        const GroupKey group = view.track->keyOf(known.second.group);
        return !absentFrom(ranks, view, group, known.second).empty();
    });
    return others == 1;
}

} // namespace

std::vector<Wait> findWaits(const std::vector<RankView>& ranks, std::int64_t nowNs,
                            std::chrono::nanoseconds threshold)
{
    std::map<WaitKey, Wait> found;
    for (const RankView& view : ranks) {
        for (const auto& [id, running] : view.track->running()) {
            const bool isFirst = running.kind == OperationKind::InitProcessGroup;
            if (running.enqueuedNs == 0 ||
                (!isFirst && nowNs - view.here(running.enqueuedNs) < threshold.count()))
                continue;
            const GroupKey group = view.track->keyOf(running.group);
            std::vector<int> absent = absentFrom(ranks, view, group, running);
            if (absent.empty() &&
                !(areAllInside(ranks, group, running) && isEndKnown(view, running)))
                continue;
            const Operation& operation = earliestOpen(ranks, view, group, running, absent);
            const std::int64_t since = view.here(operation.enqueuedNs);
            const bool isPair = ledger::isPointToPoint(operation.kind);
            Wait& wait = found[{
                group, operation.number, isPair ? operation.kind : OperationKind::Other,
                isPair ? view.rank : -1, isPair ? operation.peer : -1, isPair ? operation.tag : 0}];
            if (wait.waiting.empty() || since < wait.sinceNs) {
                wait.group = group;
                wait.operation = operation;
                wait.absent = std::move(absent);
                wait.sinceNs = since;
            }
            wait.waiting.push_back(view.rank);
            wait.lastNs = std::max(wait.lastNs, since);
        }
    }
    std::vector<Wait> waits;
    for (auto& [key, wait] : found) {
        // Who came a moment ago isn't among those who have waited for long.
        if (wait.absent.empty())
            wait.lastNs =
                std::max(wait.lastNs, lastEntry(ranks, wait.group, wait.operation.number));
        const bool isDue = wait.operation.kind != OperationKind::InitProcessGroup ||
                           isLateForInit(wait, nowNs, threshold);
        if (isDue && isAnybodyLeft(ranks, wait))
            waits.push_back(std::move(wait));
    }
    std::ranges::stable_sort(waits, {}, &Wait::sinceNs);
    return waits;
}

namespace {

using Edges = std::map<int, std::map<int, const Wait*>>;

Edges edgesOf(const std::vector<Wait>& waits, const std::vector<RankView>& ranks,
              std::chrono::nanoseconds idle, const std::set<const Wait*>& without)
{
    Edges edges;
    for (const Wait& wait : waits) {
        if (without.contains(&wait))
            continue;
        for (const int rank : wait.waiting) {
            const RankView* view = viewOf(ranks, rank);
            if (view == nullptr || !isStuckIn(ranks, *view, wait, idle))
                continue;
            for (const int absent : wait.absent)
                edges[rank].emplace(absent, &wait);
        }
    }
    return edges;
}

/// The shortest circle among those who are in one: which is found first depends on who has been
/// seen to wait first.
std::vector<int> shortestOf(const std::vector<int>& circle, const Edges& edges)
{
    std::vector<int> shortest = circle;
    for (const int start : circle) {
        std::map<int, int> before; // on the shortest way from `start`
        std::vector<int> reached{start};
        for (size_t i = 0; i < reached.size() && !before.contains(start); ++i) {
            for (const auto& [next, wait] : edges.at(reached[i])) {
                if (std::ranges::count(circle, next) > 0 && before.emplace(next, reached[i]).second)
                    reached.push_back(next);
            }
        }
        std::vector<int> way{start};
        for (int at = before.at(start); at != start; at = before.at(at))
            way.push_back(at);
        std::reverse(way.begin() + 1, way.end());
        if (way.size() < shortest.size())
            shortest = std::move(way);
    }
    return shortest;
}

/// Empty: one of the ranks doesn't wait for the next.
std::vector<WaitEdge> edgesAlong(const std::vector<int>& circle, const Edges& edges)
{
    std::vector<WaitEdge> along;
    for (size_t i = 0; i < circle.size(); ++i) {
        const int to = circle[(i + 1) % circle.size()];
        const auto from = edges.find(circle[i]);
        if (from == edges.end() || !from->second.contains(to))
            return {};
        along.push_back({circle[i], to, from->second.at(to)});
    }
    return along;
}

} // namespace

std::vector<WaitEdge> findCycle(const std::vector<Wait>& waits, const std::vector<RankView>& ranks,
                                std::chrono::nanoseconds idle, const std::set<const Wait*>& without,
                                const std::vector<int>& told)
{
    Edges edges = edgesOf(waits, ranks, idle, without);
    if (std::vector<WaitEdge> cycle = edgesAlong(told, edges); !cycle.empty())
        return cycle;
    std::set<int> finished;
    for (const auto& [start, ignored] : edges) {
        // Depth first, with the way that was taken and what is left to take.
        std::vector<std::pair<int, std::map<int, const Wait*>>> way{{start, edges[start]}};
        while (!way.empty()) {
            auto& [rank, left] = way.back();
            if (left.empty()) {
                finished.insert(rank);
                way.pop_back();
                continue;
            }
            const int next = left.begin()->first;
            left.erase(left.begin());
            const auto onTheWay =
                std::ranges::find(way, next, [](const auto& at) { return at.first; });
            if (onTheWay != way.end()) {
                std::vector<int> circle;
                for (auto at = onTheWay; at != way.end(); ++at)
                    circle.push_back(at->first);
                return edgesAlong(shortestOf(circle, edges), edges);
            }
            if (!finished.contains(next) && edges.contains(next))
                way.emplace_back(next, edges[next]);
        }
    }
    return {};
}

bool waitsFor(int rank, int other, const std::vector<Wait>& waits,
              const std::vector<RankView>& ranks, std::chrono::nanoseconds idle)
{
    const Edges edges = edgesOf(waits, ranks, idle, {});
    std::vector<int> reached{rank};
    for (size_t i = 0; i < reached.size(); ++i) {
        const auto from = edges.find(reached[i]);
        if (from == edges.end())
            continue;
        if (from->second.contains(other))
            return true;
        for (const auto& [next, wait] : from->second)
            if (std::ranges::count(reached, next) == 0)
                reached.push_back(next);
    }
    return false;
}

bool isOf(const Wait& wait, const RankView& view, const Operation& operation)
{
    return operation.kind == wait.operation.kind && operation.number == wait.operation.number &&
           view.track->keyOf(operation.group) == wait.group;
}

const Operation* endOf(const Wait& wait, const RankView& view)
{
    if (const auto& last = view.track->lastEnded(); last && isOf(wait, view, *last))
        return &*last;
    if (ledger::isPointToPoint(wait.operation.kind))
        return nullptr;
    const Operation* known = view.track->find(wait.group, wait.operation.number);
    const bool isEnd = known != nullptr && known->outcome != Operation::Outcome::Running &&
                       isOf(wait, view, *known);
    return isEnd ? known : nullptr;
}

bool isOver(const Wait& wait, const std::vector<RankView>& ranks)
{
    return !wait.waiting.empty() && std::ranges::all_of(wait.waiting, [&](int rank) {
        const RankView* view = viewOf(ranks, rank);
        const Operation* end = view == nullptr ? nullptr : endOf(wait, *view);
        return end != nullptr && end->outcome == Operation::Outcome::Done && end->endedNs != 0;
    });
}

} // namespace ringmaster::diagnose
