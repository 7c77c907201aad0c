#include "engine/diagnose/Waits.h"

#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <set>

namespace ringmaster::diagnose {

namespace {

using ledger::OperationKind;

/// One wait an operation: for point-to-point, of one pair.
using WaitKey = std::tuple<GroupKey, std::uint64_t, OperationKind, int, int>;

const RankView* viewOf(const std::vector<RankView>& ranks, int rank)
{
    const auto found = std::ranges::find(ranks, rank, &RankView::rank);
    return found == ranks.end() ? nullptr : &*found;
}

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
    if (other == nullptr || !other->isRecorded)
        return -1;
    std::uint64_t entered = other->track->enteredWith(group, wanted, own);
    if (isSend)
        entered += other->track->enteredWith(group, OperationKind::ReceiveAny, -1);
    return entered < operation.number ? group.members[peer] : -1;
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
        // Of a rank on another node, or without a ledger, nothing is known here.
        if (other != nullptr && other->isRecorded &&
            other->track->entered(group) < operation.number)
            absent.push_back(member);
    }
    return absent;
}

} // namespace

std::vector<Wait> findWaits(const std::vector<RankView>& ranks, std::int64_t nowNs,
                            std::chrono::nanoseconds threshold)
{
    std::map<WaitKey, Wait> found;
    for (const RankView& view : ranks) {
        for (const auto& [id, operation] : view.track->running()) {
            const std::int64_t since = operation.enqueuedNs;
            if (since == 0 || nowNs - since < threshold.count())
                continue;
            const GroupKey group = view.track->keyOf(operation.group);
            std::vector<int> absent = absentFrom(ranks, view, group, operation);
            if (absent.empty())
                continue;
            const bool isPair = ledger::isPointToPoint(operation.kind);
            Wait& wait =
                found[{group, operation.number, isPair ? operation.kind : OperationKind::Other,
                       isPair ? view.rank : -1, isPair ? operation.peer : -1}];
            if (wait.waiting.empty() || since < wait.sinceNs) {
                wait.group = group;
                wait.operation = operation;
                wait.absent = std::move(absent);
                wait.sinceNs = since;
            }
            wait.waiting.push_back(view.rank);
        }
    }
    std::vector<Wait> waits;
    for (auto& [key, wait] : found)
        waits.push_back(std::move(wait));
    std::ranges::stable_sort(waits, {}, &Wait::sinceNs);
    return waits;
}

std::vector<int> findCycle(const std::vector<Wait>& waits, const std::vector<RankView>& ranks,
                           std::chrono::nanoseconds idle)
{
    std::map<int, std::set<int>> edges;
    for (const Wait& wait : waits) {
        for (const int rank : wait.waiting) {
            const RankView* view = viewOf(ranks, rank);
            if (view != nullptr && view->process.state == ProcessView::State::Alive &&
                view->process.idleNs >= idle.count())
                edges[rank].insert(wait.absent.begin(), wait.absent.end());
        }
    }
    std::set<int> finished;
    for (const auto& [start, ignored] : edges) {
        // Depth first, with the way that was taken.
        std::vector<std::pair<int, std::set<int>>> way{{start, edges[start]}};
        while (!way.empty()) {
            auto& [rank, left] = way.back();
            if (left.empty()) {
                finished.insert(rank);
                way.pop_back();
                continue;
            }
            const int next = *left.begin();
            left.erase(left.begin());
            const auto onTheWay =
                std::ranges::find(way, next, [](const auto& at) { return at.first; });
            if (onTheWay != way.end()) {
                std::vector<int> cycle;
                for (auto at = onTheWay; at != way.end(); ++at)
                    cycle.push_back(at->first);
                return cycle;
            }
            if (!finished.contains(next) && edges.contains(next))
                way.emplace_back(next, edges[next]);
        }
    }
    return {};
}

std::string nameOf(const Operation& operation)
{
    return operation.name.empty() ? std::string(ledger::nameOf(operation.kind)) : operation.name;
}

std::string dataText(const Operation& operation)
{
    if (operation.type == ledger::DataType::None && operation.elements == 0)
        return "no data";
    return std::string(ledger::nameOf(operation.type)) + ", " + std::to_string(operation.elements) +
           " elements";
}

} // namespace ringmaster::diagnose
