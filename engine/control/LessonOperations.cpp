#include "engine/control/LessonOperations.h"

#include "engine/control/Codes.h"
#include "engine/control/LessonOrder.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ringmaster {

namespace {

constexpr size_t MostKept = 4'096; ///< Of a rank.

/// What the same operation has on all ranks that come to it.
using Key = std::tuple<std::string, std::uint64_t, int, int, int>;

Key keyOf(int rank, const LessonOperation& one)
{
    const Operation& operation = one.operation;
    if (!ledger::isPointToPoint(operation.kind))
        return {one.group, operation.number, -1, -1, -1};
    const bool isSend = operation.kind == ledger::OperationKind::Send;
    return {one.group, operation.number, isSend ? rank : one.peer, isSend ? one.peer : rank,
            operation.tag};
}

/// As all members know it, and as Calls does.
std::string groupName(const Operation& operation, const LedgerGroup* group)
{
    if (operation.kind == ledger::OperationKind::InitProcessGroup)
        return "init_process_group";
    const std::string name = group == nullptr ? std::string() : group->name;
    if (operation.kind == ledger::OperationKind::NewGroup)
        return "local " + name;
    return name.empty() || name == "0" ? "default" : name;
}

} // namespace

std::int64_t LessonOperation::beganNs() const
{
    return operation.enqueuedNs != 0 ? operation.enqueuedNs : operation.startedNs;
}

std::int64_t LessonOperation::endedBy(std::int64_t ns) const
{
    const bool isOver = operation.outcome == Operation::Outcome::Done ||
                        operation.outcome == Operation::Outcome::Failed;
    const std::int64_t ended = operation.returnedNs != 0 ? operation.returnedNs : operation.endedNs;
    return isOver && ended <= ns ? std::max(ended, beganNs()) : 0;
}

bool LessonOperations::isShown(int rank) const
{
    return std::ranges::find(m_choice.ranks, rank) != m_choice.ranks.end();
}

void LessonOperations::add(const OperationBatch& batch)
{
    if (batch.attempt != m_choice.attempt || !isShown(batch.rank))
        return;
    auto& known = m_byRank[batch.rank];
    for (const Operation& operation : batch.operations) {
        LessonOperation one{.operation = operation, .peer = operation.peer};
        const auto group = std::ranges::find(batch.groups, operation.group, &LedgerGroup::group);
        one.group = groupName(operation, group == batch.groups.end() ? nullptr : &*group);
        const std::vector<int> members =
            group == batch.groups.end() ? std::vector<int>() : group->members;
        if (one.peer >= 0 && static_cast<size_t>(one.peer) < members.size())
            one.peer = members[static_cast<size_t>(one.peer)];
        std::ranges::copy_if(members.empty() ? m_choice.ranks : members,
                             std::back_inserter(one.members),
                             [this](int rank) { return isShown(rank); });
        const auto site = std::ranges::find(batch.sites, operation.site, &CallSite::site);
        if (site != batch.sites.end())
            one.site = *site;
        // Whoever isn't shown can't be waited for.
        const bool isPair = ledger::isPointToPoint(operation.kind);
        if (one.beganNs() == 0 || one.beganNs() > m_choice.untilNs ||
            (isPair && one.peer >= 0 && !isShown(one.peer)))
            continue;
        known.insert_or_assign(operation.id, std::move(one));
        if (known.size() > MostKept)
            known.erase(known.begin());
    }
}

void LessonOperations::add(const Exit& exit)
{
    if (isShown(exit.rank) && exit.atNs <= m_choice.untilNs)
        m_exits.push_back(exit);
}

LessonOperations::Cut LessonOperations::cut() const
{
    Cut all;
    Cut cut;
    for (const auto& [rank, operations] : m_byRank) {
        std::vector<LessonOperation>& list = all[rank];
        for (const auto& [id, operation] : operations)
            list.push_back(operation);
        std::ranges::stable_sort(list, {}, &LessonOperation::beganNs);
        const size_t count = std::min(list.size(), m_choice.ofEach);
        cut[rank].assign(list.end() - static_cast<std::ptrdiff_t>(count), list.end());
    }
    narrow(cut, all);
    return cut;
}

/// Leaves out, with all before it, what another rank came to before its own first one.
void LessonOperations::narrow(Cut& cut, const Cut& all)
{
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        std::set<Key> outside;
        for (const auto& [rank, operations] : all) {
            const size_t count = operations.size() - cut[rank].size();
            for (size_t i = 0; i < count; ++i)
                outside.insert(keyOf(rank, operations[i]));
        }
        for (auto& [rank, operations] : cut) {
            const auto last = std::find_if(operations.rbegin(), operations.rend(),
                                           [&, rank = rank](const LessonOperation& one) {
                                               return outside.contains(keyOf(rank, one));
                                           });
            isChanged = isChanged || last != operations.rend();
            operations.erase(operations.begin(), last.base());
        }
    }
}

/// Numbers that are missing would make the ranks meet in others than they did.
Result<std::map<std::string, std::uint64_t>> LessonOperations::countBefore(const Cut& cut)
{
    std::map<std::string, std::map<int, std::vector<std::uint64_t>>> numbers;
    for (const auto& [rank, operations] : cut) {
        for (const LessonOperation& one : operations) {
            if (!ledger::isPointToPoint(one.operation.kind))
                numbers[one.group][rank].push_back(one.operation.number);
        }
    }
    std::map<std::string, std::uint64_t> before;
    for (auto& [group, ofRanks] : numbers) {
        std::uint64_t first = UINT64_MAX;
        for (auto& [rank, list] : ofRanks) {
            std::ranges::sort(list);
            first = std::min(first, list.front());
        }
        for (const auto& [rank, list] : ofRanks) {
            if (list.front() != first || list.back() - list.front() + 1 != list.size())
                return fail(code::RunOperationsMissing, {{"rank", std::to_string(rank)}});
        }
        if (first > 1)
            before[group] = first - 1;
    }
    return before;
}

Result<LessonOperations::Told> LessonOperations::tell() const
{
    const Cut chosen = cut();
    Told told;
    told.before = RM_TRY(countBefore(chosen));
    LessonOrder order(m_choice.untilNs);
    for (const auto& [rank, operations] : chosen) {
        for (const LessonOperation& one : operations) {
            order.add(rank, one);
            if (one.operation.backend != ledger::Backend::Unknown)
                told.backend = ledger::nameOf(one.operation.backend);
        }
        if (!operations.empty() && operations.back().site.line != 0)
            told.lastSites.push_back(operations.back().site);
    }
    for (const Exit& exit : m_exits)
        order.add(exit.rank, exit.status, exit.atNs);
    told.happenings = order.take();
    return told;
}

} // namespace ringmaster
