#include "engine/lesson/Calls.h"

#include <algorithm>
#include <numeric>

namespace ringmaster::lesson {

namespace {

constexpr size_t MostMessages = 256;
constexpr size_t MostCollectives = 64;

/// What the tracer calls a group that the rank isn't in, and one that only its members make.
const std::string NoMember = "not a member";
const std::string LocalGroup = "local ";

/// Groups before there are any, and calls that every rank of the job makes.
std::string groupOf(const LessonCall& call)
{
    if (call.operation == "init_process_group")
        return call.operation;
    // Of use_local_synchronization, the tracer says that only the members call it.
    if (call.operation == "new_group" && !call.group.starts_with(LocalGroup))
        return call.operation;
    return call.group;
}

bool fits(const PeerMessage& message, int from, int to, const LessonCall& call)
{
    const bool sameSender = message.from == from || message.from < 0 || from < 0;
    return sameSender && message.to == to && message.tag == call.tag && message.group == call.group;
}

template <class Get>
bool differs(const std::map<int, Collective::Part>& parts, const Get& get)
{
    return std::ranges::any_of(parts, [&](const auto& part) {
        return get(part.second.call) != get(parts.begin()->second.call);
    });
}

std::string typeOf(const LessonCall& call)
{
    const auto& values = !call.inputs.empty() ? call.inputs : call.outputs;
    return values.empty() ? "" : values.front().type;
}

/// As torch has them: in their order.
std::vector<int> membersOf(const LessonCall& call)
{
    std::vector<int> members = call.members;
    std::ranges::sort(members);
    return members;
}

/// Bytes of a tensor of which every member must have as much.
std::uint64_t sizeOf(const LessonCall& call)
{
    if (call.operation == "scatter" && !call.outputs.empty())
        return call.outputs.front().bytes;
    return call.inputs.empty() ? 0 : call.inputs.front().bytes;
}

} // namespace

bool isSend(const std::string& operation)
{
    return operation == "send" || operation == "isend" || operation == "send_object_list";
}

bool isReceive(const std::string& operation)
{
    return operation == "recv" || operation == "irecv" || operation == "recv_object_list";
}

bool isCollective(const std::string& operation)
{
    return !isSend(operation) && !isReceive(operation) && operation != "wait" &&
           operation != "destroy_process_group" && !operation.empty();
}

std::vector<int> Collective::missing() const
{
    std::vector<int> ranks;
    std::ranges::copy_if(members, std::back_inserter(ranks),
                         [&](int rank) { return !parts.contains(rank); });
    return ranks;
}

std::string Collective::disagreement() const
{
    if (parts.size() < 2)
        return {};
    if (differs(parts, [](const LessonCall& call) { return call.operation; }))
        return "operation";
    const std::string& operation = parts.begin()->second.call.operation;
    if (operation == "new_group")
        return differs(parts, membersOf) ? "members" : "";
    if (operation == "init_process_group" || operation.ends_with("object"))
        return {};
    if (operation != "scatter" && differs(parts, typeOf))
        return "type";
    // Of all_to_all each pair has its own.
    if (!operation.starts_with("all_to_all") && differs(parts, sizeOf))
        return "size";
    if (differs(parts, [](const LessonCall& call) { return call.reduction; }))
        return "reduction";
    if (differs(parts, [](const LessonCall& call) { return call.peer; }))
        return "root";
    return {};
}

bool Collective::isOver() const
{
    return missing().empty() &&
           std::ranges::all_of(parts, [](const auto& part) { return part.second.isBack; });
}

void Calls::apply(const LessonStep& step, size_t index)
{
    const Place at{index, step.file, step.line};
    if (step.kind == LessonStep::Kind::Call)
        entered(step, at);
    else if (step.kind == LessonStep::Kind::Return)
        returned(step, at);
    else if (step.kind == LessonStep::Kind::Finish)
        ended(step.globalRank);
}

void Calls::entered(const LessonStep& step, const Place& at)
{
    const LessonCall& call = step.call;
    Rank& rank = m_byRank[step.globalRank];
    rank.in = Open{call, at};
    const bool isOfAll = call.group.empty() || call.group == "default";
    if (call.operation == "destroy_process_group" && isOfAll)
        rank.hasLeft = true;
    else if (call.operation == "init_process_group")
        rank.hasLeft = false;
    if (call.group == NoMember) {
        if (m_outsiders.size() < MostCollectives && isCollective(call.operation))
            m_outsiders.push_back({step.globalRank, call, at});
        return;
    }
    if (isSend(call.operation))
        send(step.globalRank, call, at);
    else if (isReceive(call.operation))
        receive(step.globalRank, call, at);
    else if (isCollective(call.operation))
        joinCollective(step.globalRank, call, at);
}

void Calls::returned(const LessonStep& step, const Place& at)
{
    Rank& rank = m_byRank[step.globalRank];
    const LessonCall& call = step.call;
    // A request may be over while its rank is in another call.
    if (rank.in && rank.in->call.id == call.id)
        rank.in.reset();
    if (call.isAsync) {
        rank.requests[call.id] = {call, at};
        return;
    }
    const std::uint64_t done = call.operation == "wait" ? call.waitsFor : call.id;
    rank.requests.erase(done);
    if (step.text.empty())
        finishPart(step.globalRank, done, call, at);
}

/// A call is over: of a collective this rank's part, of a message the receive.
void Calls::finishPart(int rank, std::uint64_t call, const LessonCall& returned, const Place& at)
{
    for (Collective& collective : m_collectives) {
        const auto part = collective.parts.find(rank);
        if (part == collective.parts.end() || part->second.call.id != call)
            continue;
        part->second.isBack = true;
        part->second.call.outputs = returned.outputs;
    }
    arrived(rank, call, returned.peer, at);
    forgetOld();
}

void Calls::send(int rank, const LessonCall& call, const Place& at)
{
    if (!call.inputs.empty())
        m_byRank[rank].bytesSent += call.inputs.front().bytes;
    auto taken = std::ranges::find_if(m_messages, [&](const PeerMessage& message) {
        return message.phase == PeerMessage::Phase::Awaited && message.from >= 0 &&
               fits(message, rank, call.peer, call);
    });
    if (taken == m_messages.end())
        taken = m_messages.insert(m_messages.end(),
                                  {.to = call.peer, .tag = call.tag, .group = call.group});
    else
        taken->phase = PeerMessage::Phase::InFlight;
    taken->from = rank;
    taken->sendCall = call.id;
    taken->sentAt = at;
    if (!call.inputs.empty())
        taken->data = call.inputs.front();
    compareSizes(*taken);
}

void Calls::compareSizes(const PeerMessage& message)
{
    const bool isBoth = message.phase == PeerMessage::Phase::InFlight && message.data.bytes > 0 &&
                        message.room.bytes > 0;
    if (isBoth && message.data.bytes != message.room.bytes && m_otherSizes.size() < MostMessages)
        m_otherSizes.push_back(message);
}

void Calls::receive(int rank, const LessonCall& call, const Place& at)
{
    auto taken = m_messages.end();
    if (call.peer >= 0)
        taken = std::ranges::find_if(m_messages, [&](const PeerMessage& message) {
            return message.phase == PeerMessage::Phase::Offered &&
                   fits(message, call.peer, rank, call);
        });
    if (taken == m_messages.end())
        taken = m_messages.insert(m_messages.end(), {.phase = PeerMessage::Phase::Awaited,
                                                     .from = call.peer,
                                                     .to = rank,
                                                     .tag = call.tag,
                                                     .group = call.group});
    else
        taken->phase = PeerMessage::Phase::InFlight;
    taken->receiveCall = call.id;
    taken->receivedAt = at;
    if (!call.outputs.empty())
        taken->room = call.outputs.front();
    compareSizes(*taken);
}

void Calls::arrived(int rank, std::uint64_t call, int from, const Place& at)
{
    const auto received = std::ranges::find_if(m_messages, [&](const PeerMessage& message) {
        return message.to == rank && message.receiveCall == call && call != 0;
    });
    if (received == m_messages.end() || received->phase == PeerMessage::Phase::Delivered)
        return;
    if (received->phase == PeerMessage::Phase::Awaited && received->from < 0) {
        // Only now it is known whose it was.
        const auto sent = std::ranges::find_if(m_messages, [&](const PeerMessage& message) {
            return message.phase == PeerMessage::Phase::Offered && message.from == from &&
                   message.to == rank && message.tag == received->tag &&
                   message.group == received->group;
        });
        if (sent != m_messages.end()) {
            sent->receiveCall = call;
            sent->receivedAt = received->receivedAt;
            sent->room = received->room;
            sent->phase = PeerMessage::Phase::Delivered;
            sent->arrivedAt = at.step;
            m_messages.erase(received);
            return;
        }
        received->from = from;
    }
    received->phase = PeerMessage::Phase::Delivered;
    received->arrivedAt = at.step;
}

void Calls::joinCollective(int rank, const LessonCall& call, const Place& at)
{
    const std::string group = groupOf(call);
    const auto before = m_before.find(group);
    auto& entered = m_byRank[rank].collectives;
    const std::uint64_t number =
        ++entered.try_emplace(group, before == m_before.end() ? 0 : before->second).first->second;
    const auto isIt = [&](const Collective& collective) {
        return collective.group == group && collective.number == number;
    };
    auto found = std::ranges::find_if(m_collectives, isIt);
    if (found == m_collectives.end()) {
        Collective collective{.group = group, .number = number, .members = call.members};
        const bool isOfAll = group != call.group || call.members.empty();
        if (isOfAll || group == "init_process_group") {
            collective.members.resize(static_cast<size_t>(m_ranks));
            std::iota(collective.members.begin(), collective.members.end(), 0);
        }
        found = m_collectives.insert(m_collectives.end(), std::move(collective));
    }
    found->parts[rank] = {call, at, false};
    const auto told = std::ranges::find_if(m_disagreements, isIt);
    if (told != m_disagreements.end())
        told->parts = found->parts; // who comes later is a part of it, too
    else if (!found->disagreement().empty() && m_disagreements.size() < MostCollectives)
        m_disagreements.push_back(*found);
}

/// What is over long ago is in the recording; here it would only be copied about.
void Calls::forgetOld()
{
    if (m_messages.size() > MostMessages) {
        const auto old = std::ranges::find_if(m_messages, [](const PeerMessage& message) {
            return message.phase == PeerMessage::Phase::Delivered;
        });
        if (old != m_messages.end())
            m_messages.erase(old);
    }
    if (m_collectives.size() > MostCollectives) {
        const auto old = std::ranges::find_if(m_collectives, &Collective::isOver);
        if (old != m_collectives.end())
            m_collectives.erase(old);
    }
}

std::vector<Collective> Calls::skippedGroups() const
{
    std::vector<Collective> skipped;
    for (const Collective& collective : m_collectives) {
        const std::vector<int> missing = collective.missing();
        const auto hasEnded = [this](int rank) { return m_ended.contains(rank); };
        if (collective.group == "new_group" && std::ranges::any_of(missing, hasEnded))
            skipped.push_back(collective);
    }
    return skipped;
}

bool Calls::hasLeft(int rank) const
{
    const auto found = m_byRank.find(rank);
    return found != m_byRank.end() && found->second.hasLeft;
}

const LessonCall* Calls::callOf(int rank) const
{
    const auto found = m_byRank.find(rank);
    return found != m_byRank.end() && found->second.in ? &found->second.in->call : nullptr;
}

std::vector<LessonCall> Calls::requestsOf(int rank) const
{
    std::vector<LessonCall> calls;
    const auto found = m_byRank.find(rank);
    if (found == m_byRank.end())
        return calls;
    for (const auto& [id, request] : found->second.requests)
        calls.push_back(request.call);
    return calls;
}

std::uint64_t Calls::bytesSentBy(int rank) const
{
    const auto found = m_byRank.find(rank);
    return found == m_byRank.end() ? 0 : found->second.bytesSent;
}

CallWaits Calls::conclusions() const
{
    CallWaits::Facts facts{.ranks = m_ranks, .messages = m_messages, .collectives = m_collectives};
    for (const auto& [rank, known] : m_byRank)
        if (known.in)
            facts.calls.emplace(rank, &*known.in);
    for (const auto& [rank, hasEnded] : m_ended)
        if (hasEnded)
            facts.ended.insert(rank);
    return CallWaits(std::move(facts));
}

} // namespace ringmaster::lesson
