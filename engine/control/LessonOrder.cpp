#include "engine/control/LessonOrder.h"

#include "engine/diagnose/Mismatch.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <set>
#include <tuple>

namespace ringmaster {

namespace {

using HappeningKind = lesson::RecordedJob::Happening::Kind;
using ledger::OperationKind;

bool goesOn(const Operation& operation)
{
    return operation.caller == ledger::Caller::GoesOn;
}

/// As the program calls it.
std::string calledName(const Operation& operation)
{
    if (operation.kind == OperationKind::Send)
        return goesOn(operation) ? "isend" : "send";
    if (ledger::isPointToPoint(operation.kind))
        return goesOn(operation) ? "irecv" : "recv";
    return operation.name.empty() ? std::string(ledger::nameOf(operation.kind)) : operation.name;
}

LessonCall callOf(const LessonOperation& one)
{
    const Operation& operation = one.operation;
    LessonCall call{.operation = calledName(operation),
                    .group = one.group,
                    .members = one.members,
                    .peer = one.peer,
                    .tag = operation.tag,
                    .isAsync = goesOn(operation)};
    for (const char c : ledger::nameOf(operation.reduction))
        call.reduction += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (operation.type == ledger::DataType::None)
        return call;
    LessonValue data{.kind = LessonValue::Kind::Tensor,
                     .type = std::string(ledger::nameOf(operation.type)),
                     .isPart = true};
    // Where each rank may have its own size, sizes say nothing.
    if (!diagnose::mayDiffer(operation.kind)) {
        data.bytes = operation.bytes;
        if (operation.elements > 0)
            data.shape = {static_cast<std::int64_t>(operation.elements)};
    }
    const bool isReceive =
        operation.kind == OperationKind::Receive || operation.kind == OperationKind::ReceiveAny;
    (isReceive ? call.outputs : call.inputs) = {std::move(data)};
    return call;
}

} // namespace

void LessonOrder::add(int rank, const LessonOperation& one)
{
    Part part{.rank = rank, .one = one, .enter = m_nodes.size()};
    Happening happening{.kind = HappeningKind::Calls, .rank = rank, .call = ++m_calls[rank]};
    happening.operation = callOf(one);
    happening.file = one.site.file;
    happening.function = one.site.function;
    happening.line = one.site.line > INT_MAX ? 0 : static_cast<int>(one.site.line);
    m_nodes.push_back({.happening = happening, .atNs = one.beganNs()});
    if (const std::int64_t ended = one.endedBy(m_untilNs); ended != 0) {
        const bool isAwaited = goesOn(one.operation) && one.operation.returnedNs != 0;
        part.leave = m_nodes.size();
        m_nodes.push_back(
            {.happening = {.kind = isAwaited ? HappeningKind::Waits : HappeningKind::Returns,
                           .rank = rank,
                           .call = happening.call,
                           .hasFailed = one.operation.outcome == Operation::Outcome::Failed},
             .atNs = ended});
    }
    m_parts.push_back(std::move(part));
}

void LessonOrder::add(int rank, ExitStatus exit, std::int64_t atNs)
{
    m_nodes.push_back(
        {.happening = {.kind = HappeningKind::Exits, .rank = rank, .exit = exit}, .atNs = atNs});
}

void LessonOrder::before(size_t one, size_t other)
{
    m_nodes[one].then.push_back(other);
    ++m_nodes[other].waitsFor;
}

/// A rank's own order is that of its times: one clock has told them.
void LessonOrder::linkRanks()
{
    std::map<int, std::vector<size_t>> ofRanks;
    for (size_t node = 0; node < m_nodes.size(); ++node)
        ofRanks[m_nodes[node].happening.rank].push_back(node);
    for (auto& [rank, nodes] : ofRanks) {
        std::ranges::stable_sort(nodes, {}, [this](size_t node) {
            const Node& known = m_nodes[node];
            return std::pair(known.happening.kind == HappeningKind::Exits, known.atNs);
        });
        for (size_t i = 1; i < nodes.size(); ++i)
            before(nodes[i - 1], nodes[i]);
    }
}

void LessonOrder::linkParts()
{
    using Key = std::tuple<std::string, std::uint64_t, int, int, int>;
    std::map<Key, std::vector<const Part*>> collectives;
    std::map<Key, std::pair<const Part*, const Part*>> messages;
    for (const Part& part : m_parts) {
        const Operation& operation = part.one.operation;
        if (!ledger::isPointToPoint(operation.kind)) {
            collectives[{part.one.group, operation.number, 0, 0, 0}].push_back(&part);
            continue;
        }
        const bool isSend = operation.kind == OperationKind::Send;
        auto& [send, receive] =
            messages[{part.one.group, operation.number, isSend ? part.rank : part.one.peer,
                      isSend ? part.one.peer : part.rank, operation.tag}];
        (isSend ? send : receive) = &part;
    }
    for (const auto& [key, parts] : collectives)
        linkCollective(parts);
    for (const auto& [key, ends] : messages) {
        const auto& [send, receive] = ends;
        if (send != nullptr && receive != nullptr && receive->leave)
            before(send->enter, *receive->leave);
    }
}

/// Who can't be back before others have come. One that failed may be.
void LessonOrder::linkCollective(const std::vector<const Part*>& parts)
{
    for (const Part* part : parts) {
        const Operation& operation = part->one.operation;
        if (!part->leave || operation.outcome != Operation::Outcome::Done)
            continue;
        const bool isRoot = part->rank == part->one.peer;
        for (const Part* other : parts) {
            const bool isOfRoot = other->rank == part->one.peer;
            const bool isFromRoot = operation.kind == OperationKind::Broadcast ||
                                    operation.kind == OperationKind::Scatter;
            const bool needs = ledger::hasRoot(operation.kind)
                                   ? (isFromRoot ? isOfRoot : isRoot)
                                   : ledger::isSynchronising(operation.kind);
            if (other != part && needs)
                before(other->enter, *part->leave);
        }
    }
}

std::vector<LessonOrder::Happening> LessonOrder::take()
{
    linkRanks();
    linkParts();
    using Turn = std::tuple<std::int64_t, int, size_t>;
    const auto turnOf = [this](size_t node) {
        return Turn(m_nodes[node].atNs, m_nodes[node].happening.rank, node);
    };
    std::set<Turn> free;
    std::set<Turn> kept;
    for (size_t node = 0; node < m_nodes.size(); ++node)
        (m_nodes[node].waitsFor == 0 ? free : kept).insert(turnOf(node));
    std::vector<Happening> happenings;
    std::int64_t first = 0;
    while (!free.empty() || !kept.empty()) {
        // Records that contradict each other go by their times.
        std::set<Turn>& from = free.empty() ? kept : free;
        const auto [atNs, rank, index] = *from.begin();
        from.erase(from.begin());
        Node& node = m_nodes[index];
        if (happenings.empty())
            first = atNs;
        node.happening.at =
            std::chrono::microseconds(std::max<std::int64_t>(0, atNs - first) / 1000);
        happenings.push_back(std::move(node.happening));
        for (const size_t next : node.then) {
            if (--m_nodes[next].waitsFor == 0 && kept.erase(turnOf(next)) > 0)
                free.insert(turnOf(next));
        }
    }
    return happenings;
}

} // namespace ringmaster
