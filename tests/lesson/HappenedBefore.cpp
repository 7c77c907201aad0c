#include "tests/lesson/HappenedBefore.h"

#include <algorithm>

namespace ringmaster::test {

namespace {

bool isAny(const std::string& operation, std::initializer_list<const char*> names)
{
    return std::ranges::any_of(names, [&](const char* name) { return operation == name; });
}

bool sends(const std::string& operation)
{
    return isAny(operation, {"send", "isend", "send_object_list"});
}

bool receives(const std::string& operation)
{
    return isAny(operation, {"recv", "irecv", "recv_object_list"});
}

/// What the ring backend counts, too.
bool isOfTheGroup(const LessonCall& call)
{
    const std::string& operation = call.operation;
    if (call.group == "not a member")
        return false;
    return !sends(operation) && !receives(operation) &&
           !isAny(operation, {"wait", "init_process_group", "new_group", "destroy_process_group"});
}

bool makesGroup(const std::string& operation)
{
    return isAny(operation, {"init_process_group", "new_group"});
}

/// In a binomial tree with the group's first rank at its top: whom a place hangs below.
int parentOf(int place)
{
    return place & (place - 1);
}

std::vector<int> childrenOf(int place, int size)
{
    std::vector<int> children;
    for (int reach = 1; reach < size && (place & reach) == 0; reach <<= 1)
        if (place + reach < size)
            children.push_back(place + reach);
    return children;
}

} // namespace

HappenedBefore::HappenedBefore(const lesson::Recording& recording) : m_recording(recording)
{
    learnMembers();
    for (m_index = 0; m_index < recording.size(); ++m_index)
        check(recording.step(m_index));
}

/// What an edge is between is known from the whole list; the order isn't taken from it.
void HappenedBefore::learnMembers()
{
    for (size_t index = 0; index < m_recording.size(); ++index) {
        const LessonStep& step = m_recording.step(index);
        const LessonCall& call = step.call;
        if (!call.group.empty() && !call.members.empty())
            m_members[call.group] = call.members;
        if (step.kind == LessonStep::Kind::Call && isOfTheGroup(call))
            ++m_allCollectives[{step.globalRank, call.group}];
        const LessonChunk& chunk = step.chunk;
        if (step.kind != LessonStep::Kind::Chunk)
            continue;
        auto& last = m_lastSequence[chunk.group];
        last = std::max(last, chunk.sequence);
        m_allArrivals[{chunk.group, chunk.operation, chunk.sequence}].emplace(
            chunk.to, chunk.step, chunk.chunk, chunk.from);
    }
}

void HappenedBefore::check(const LessonStep& step)
{
    if (step.attempt != m_attempt) {
        m_attempt = step.attempt;
        m_ranks.clear();
        m_sent.clear();
        m_taken.clear();
        m_arrivals.clear();
    }
    Rank& rank = m_ranks[step.globalRank];
    const bool isOfProgram =
        step.kind == LessonStep::Kind::Line || step.kind == LessonStep::Kind::Call;
    if (isOfProgram && rank.isOver)
        complain("rank " + std::to_string(step.globalRank) + " goes on after its end");
    switch (step.kind) {
    case LessonStep::Kind::Call: return called(step);
    case LessonStep::Kind::Return: return returned(step);
    case LessonStep::Kind::Chunk: return arrived(step);
    case LessonStep::Kind::Error:
    case LessonStep::Kind::Finish: rank.isOver = true; return;
    case LessonStep::Kind::Line:
    case LessonStep::Kind::Hazard:
    case LessonStep::Kind::Fault:
    case LessonStep::Kind::Limit: return;
    }
}

void HappenedBefore::called(const LessonStep& step)
{
    Rank& rank = m_ranks[step.globalRank];
    const LessonCall& call = step.call;
    if (call.id <= rank.lastCall)
        complain("a rank's calls are out of their order");
    rank.lastCall = call.id;
    if (call.operation == "wait") {
        if (!rank.open.contains(call.waitsFor))
            complain("wait() before what it waits for");
        return;
    }
    rank.entered[call.id] = call;
    rank.open.insert(call.id);
    if (sends(call.operation))
        ++m_sent[{call.group, step.globalRank, call.peer, call.tag}];
    else if (isOfTheGroup(call))
        rank.numbers[call.id] = ++rank.collectives[call.group];
    else if (makesGroup(call.operation))
        rank.numbers[call.id] = ++rank.collectives[call.operation];
}

void HappenedBefore::returned(const LessonStep& step)
{
    Rank& rank = m_ranks[step.globalRank];
    const LessonCall& call = step.call;
    if (call.isAsync)
        return;
    const std::uint64_t id = call.operation == "wait" ? call.waitsFor : call.id;
    const auto asked = rank.entered.find(id);
    if (asked == rank.entered.end() || rank.open.erase(id) == 0)
        return complain("back from a call that wasn't entered");
    if (!step.text.empty())
        return; // It failed: nobody need have come.
    if (receives(asked->second.operation))
        received(step.globalRank, asked->second, call.peer);
    else if (rank.numbers.contains(id))
        left(step.globalRank, asked->second, rank.numbers[id]);
}

void HappenedBefore::received(int rank, const LessonCall& asked, int from)
{
    ++m_received;
    const Channel channel{asked.group, from, rank, asked.tag};
    if (++m_taken[channel] > m_sent[channel])
        complain("received before it was sent");
}

/// By chunks, where the group's are told and its numbers are the program's own.
std::optional<std::set<int>> HappenedBefore::sendersTo(int rank, const std::string& group,
                                                       std::uint64_t number) const
{
    const auto last = m_lastSequence.find(group);
    const auto all = m_allCollectives.find({rank, group});
    if (last == m_lastSequence.end() || all == m_allCollectives.end() ||
        last->second != all->second)
        return std::nullopt;
    std::set<int> senders;
    for (const auto& [operation, arrivals] : m_allArrivals)
        if (std::get<0>(operation) == group && std::get<2>(operation) == number)
            for (const Arrival& arrival : arrivals)
                if (std::get<0>(arrival) == rank)
                    senders.insert(std::get<3>(arrival));
    return senders;
}

std::set<int> HappenedBefore::neededBy(int rank, const LessonCall& call, std::uint64_t number) const
{
    // In an uneven one, who sends a rank nothing needn't have come.
    if (isAny(call.operation, {"all_to_all", "all_to_all_single"}))
        if (auto senders = sendersTo(rank, call.group, number)) {
            senders->insert(rank);
            return *senders;
        }
    const bool isFromRoot = isAny(
        call.operation, {"broadcast", "scatter", "broadcast_object_list", "scatter_object_list"});
    const bool isToRoot = isAny(call.operation, {"reduce", "gather", "gather_object"});
    if (isFromRoot)
        return {rank, call.peer};
    if (isToRoot && call.peer != rank)
        return {rank};
    std::vector<int> members = call.members;
    if (members.empty())
        for (int other = 0; other < m_recording.latest().rankCount(); ++other)
            members.push_back(other);
    // Of a group that it isn't in, a rank needs nobody.
    if (std::ranges::find(members, rank) == members.end())
        return {rank};
    return {members.begin(), members.end()};
}

void HappenedBefore::left(int rank, const LessonCall& asked, std::uint64_t number)
{
    ++m_collectivesLeft;
    const std::string& counted = makesGroup(asked.operation) ? asked.operation : asked.group;
    for (const int other : neededBy(rank, asked, number))
        if (m_ranks[other].collectives[counted] < number)
            complain("rank " + std::to_string(rank) + " left " + asked.operation + " #" +
                     std::to_string(number) + " before rank " + std::to_string(other) + " came");
    // Nothing of it arrives afterwards.
    if (makesGroup(asked.operation) ||
        m_lastSequence[asked.group] != m_allCollectives[{rank, asked.group}])
        return;
    for (const auto& [operation, arrivals] : m_allArrivals) {
        const auto& [group, name, sequence] = operation;
        if (group != asked.group || sequence != number)
            continue;
        for (const Arrival& arrival : arrivals)
            if (std::get<0>(arrival) == rank && !m_arrivals[operation].contains(arrival))
                complain("rank " + std::to_string(rank) + " left " + asked.operation + " #" +
                         std::to_string(number) + " before its last chunk");
    }
}

/// Where the program's own calls are all that the ring has done in the group, its numbers are the
/// same.
bool HappenedBefore::hasEntered(int rank, const LessonChunk& chunk) const
{
    const auto all = m_allCollectives.find({rank, chunk.group});
    if (all == m_allCollectives.end() || all->second < m_lastSequence.at(chunk.group))
        return true;
    const auto known = m_ranks.find(rank);
    if (known == m_ranks.end())
        return false;
    const auto entered = known->second.collectives.find(chunk.group);
    return entered != known->second.collectives.end() && entered->second >= chunk.sequence;
}

void HappenedBefore::arrived(const LessonStep& step)
{
    ++m_chunks;
    const LessonChunk& chunk = step.chunk;
    const std::string text = chunk.operation + " #" + std::to_string(chunk.sequence) + ", step " +
                             std::to_string(chunk.step) + ", chunk " + std::to_string(chunk.chunk) +
                             ", " + std::to_string(chunk.from) + " to " + std::to_string(chunk.to);
    if (chunk.to != step.globalRank)
        complain("a chunk told by another rank: " + text);
    for (const int rank : {chunk.from, chunk.to})
        if (!hasEntered(rank, chunk))
            complain("a chunk before rank " + std::to_string(rank) + " came: " + text);
    auto& before = m_arrivals[{chunk.group, chunk.operation, chunk.sequence}];
    for (const Arrival& cause : causesOf(chunk))
        if (!before.contains(cause))
            complain("a chunk before the one that it was made of: " + text);
    before.emplace(chunk.to, chunk.step, chunk.chunk, chunk.from);
}

/// What had to arrive at the sender first.
std::vector<HappenedBefore::Arrival> HappenedBefore::causesOf(const LessonChunk& chunk) const
{
    const std::vector<int>& members = m_members.at(chunk.group);
    const int size = static_cast<int>(members.size());
    const auto placeOf = [&](int rank) {
        return static_cast<int>(std::ranges::find(members, rank) - members.begin());
    };
    std::vector<Arrival> causes;
    if (chunk.algorithm == "ring") {
        // In a reduce, whom the root sends nothing is the first to send.
        const int first = chunk.operation == "reduce" ? 1 : 0;
        const int left = members[static_cast<size_t>((placeOf(chunk.from) + size - 1) % size)];
        if (chunk.step > first)
            causes.emplace_back(chunk.from, chunk.step - 1, chunk.chunk, left);
        return causes;
    }
    if (chunk.algorithm != "tree" || chunk.operation != "all_reduce")
        return causes; // From everybody to everybody.
    const int from = placeOf(chunk.from);
    const bool isDown = from == parentOf(placeOf(chunk.to));
    const auto needs = [&](int place) {
        const auto& all = m_allArrivals.at({chunk.group, chunk.operation, chunk.sequence});
        const int sender = members[static_cast<size_t>(place)];
        const auto found = std::ranges::find_if(all, [&](const Arrival& arrival) {
            return std::get<0>(arrival) == chunk.from && std::get<2>(arrival) == chunk.chunk &&
                   std::get<3>(arrival) == sender;
        });
        causes.push_back(found != all.end() ? *found : Arrival{chunk.from, -1, 0, sender});
    };
    if (isDown && from != 0)
        needs(parentOf(from));
    else
        std::ranges::for_each(childrenOf(from, size), needs);
    return causes;
}

void HappenedBefore::complain(const std::string& what)
{
    constexpr size_t Shown = 20;
    if (++m_count <= Shown)
        m_violations += "step " + std::to_string(m_index) + ": " + what + "\n";
}

} // namespace ringmaster::test
