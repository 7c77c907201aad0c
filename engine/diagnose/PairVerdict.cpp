#include "engine/diagnose/PairVerdict.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <utility>

namespace ringmaster::diagnose {

namespace {

using ledger::OperationKind;
using PairKey = RankTrack::PairKey;

/// -1: it isn't in the group.
int placeIn(const GroupKey& group, int rank)
{
    const auto found = std::ranges::find(group.members, rank);
    return found == group.members.end() ? -1 : static_cast<int>(found - group.members.begin());
}

std::uint64_t receivedFrom(const RankTrack& track, const GroupKey& group, int peer, int tag)
{
    return track.entered(PairKey{group, OperationKind::Receive, peer, tag}) +
           track.entered(PairKey{group, OperationKind::ReceiveAny, -1, tag});
}

/// Its sends to the receiver that are more than this one's receives of them.
std::optional<UnmatchedSend> unmatchedOf(const RankView& sender, const RankView& receiver,
                                         const Wait& wait)
{
    const GroupKey& group = wait.group;
    const int to = placeIn(group, receiver.rank);
    const int from = placeIn(group, sender.rank);
    for (const auto& [pair, last] : sender.track->pairs()) {
        const bool isIt =
            pair.kind == OperationKind::Send && pair.peer == to && pair.group == group;
        if (!isIt || last.number <= receivedFrom(*receiver.track, group, from, pair.tag))
            continue;
        const int wanted = group.members[static_cast<size_t>(wait.operation.peer)];
        return UnmatchedSend{sender.rank, receiver.rank,      wanted,
                             pair.tag,    wait.operation.tag, last};
    }
    return std::nullopt;
}

/// How far it is from a sender to a receiver, round the group.
int distanceIn(const GroupKey& group, int sender, int receiver)
{
    const int size = static_cast<int>(group.members.size());
    return (receiver - sender + size) % size;
}

/// A rank's latest operation of one pair in the group.
struct PairUse
{
    int rank = 0;
    int self = 0; ///< Its place in the group.
    const PairKey& pair;
    const Operation& last;

    bool isSend() const { return pair.kind == OperationKind::Send; }
    int distance(const GroupKey& group) const
    {
        return isSend() ? distanceIn(group, self, pair.peer) : distanceIn(group, pair.peer, self);
    }
};

template <class Use>
void forEachPair(const std::vector<RankView>& ranks, const GroupKey& group, const Use& use)
{
    for (const RankView& view : ranks) {
        const int self = placeIn(group, view.rank);
        for (const auto& [pair, last] : view.track->pairs())
            if (self >= 0 && pair.peer >= 0 && pair.group == group)
                use(PairUse{view.rank, self, pair, last});
    }
}

/// What other pairs than these two do, counted.
struct Habits
{
    std::map<int, int> tags{};
    std::map<int, int> distances{}; ///< From sender to receiver, round the group.
};

Habits habitsOf(const std::vector<RankView>& ranks, const GroupKey& group,
                const UnmatchedSend& unmatched)
{
    Habits habits;
    forEachPair(ranks, group, [&](const PairUse& use) {
        const bool isOfThem = use.rank == unmatched.sender || use.rank == unmatched.receiver;
        // What the two of them did before, and was answered, is a habit, too.
        const bool isAnswered = use.last.outcome == Operation::Outcome::Done &&
                                !(use.isSend() && use.pair.tag == unmatched.tag);
        if (!isOfThem || isAnswered)
            ++habits.tags[use.pair.tag];
        if (!isOfThem)
            ++habits.distances[use.distance(group)];
    });
    return habits;
}

/// All but the stray send itself and the receive that waits for another.
std::map<int, int> otherDistances(const std::vector<RankView>& ranks, const GroupKey& group,
                                  const StraySend& stray)
{
    std::map<int, int> distances;
    forEachPair(ranks, group, [&](const PairUse& use) {
        const bool isStray = use.isSend() && use.rank == stray.sender &&
                             use.pair.peer == placeIn(group, stray.receiver);
        const bool isAwaiting = !use.isSend() && use.rank == stray.awaiting &&
                                use.pair.peer == placeIn(group, stray.sender);
        if (!isStray && !isAwaiting)
            ++distances[use.distance(group)];
    });
    return distances;
}

int countOf(const std::map<int, int>& counts, int key)
{
    const auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
}

} // namespace

std::optional<UnmatchedSend> findUnmatchedSend(const std::vector<RankView>& ranks, const Wait& wait)
{
    const RankView* receiver = wait.waiting.empty() ? nullptr : viewOf(ranks, wait.waiting.front());
    if (wait.operation.kind != OperationKind::Receive || wait.absent.empty() || receiver == nullptr)
        return std::nullopt;
    const auto isKnown = [](const RankView& view) {
        return view.track->pairs().size() <= RankTrack::MostPairs;
    };
    const RankView* asked = viewOf(ranks, wait.absent.front());
    if (asked != nullptr && isKnown(*asked)) {
        if (auto found = unmatchedOf(*asked, *receiver, wait))
            return found;
    }
    for (const RankView& other : ranks) {
        if (other.rank == receiver->rank || &other == asked || !isKnown(other))
            continue;
        if (auto found = unmatchedOf(other, *receiver, wait))
            return found;
    }
    return std::nullopt;
}

std::optional<StraySend> findStraySend(const std::vector<RankView>& ranks, const Wait& wait)
{
    constexpr int Habit = 2; // one other may be wrong as well
    if (wait.operation.kind != OperationKind::Receive || wait.absent.empty() ||
        wait.waiting.empty())
        return std::nullopt;
    const GroupKey& group = wait.group;
    const RankView* sender = viewOf(ranks, wait.absent.front());
    if (sender == nullptr || sender->track->pairs().size() > RankTrack::MostPairs)
        return std::nullopt;
    const int from = placeIn(group, sender->rank);
    const int wanted = distanceIn(group, from, placeIn(group, wait.waiting.front()));
    for (const auto& [pair, last] : sender->track->pairs()) {
        const auto to = static_cast<size_t>(pair.peer);
        if (pair.kind != OperationKind::Send || pair.group != group || to >= group.members.size())
            continue;
        const RankView* receiver = viewOf(ranks, group.members[to]);
        if (receiver == nullptr || !receiver->isRecorded ||
            receiver->track->pairs().size() > RankTrack::MostPairs ||
            last.number <= receivedFrom(*receiver->track, group, from, pair.tag))
            continue;
        StraySend stray{sender->rank, receiver->rank, wait.waiting.front(), pair.tag, last};
        const std::map<int, int> distances = otherDistances(ranks, group, stray);
        if (countOf(distances, distanceIn(group, from, pair.peer)) == 0 &&
            countOf(distances, wanted) >= Habit)
            return stray;
    }
    return std::nullopt;
}

std::vector<SizesOfPair> findOtherSizes(const std::vector<RankView>& ranks)
{
    std::vector<SizesOfPair> found;
    for (const RankView& sender : ranks) {
        for (const auto& [pair, send] : sender.track->pairs()) {
            const int from = placeIn(pair.group, sender.rank);
            const auto to = static_cast<size_t>(pair.peer);
            if (pair.kind != OperationKind::Send || from < 0 || to >= pair.group.members.size())
                continue;
            const RankView* receiver = viewOf(ranks, pair.group.members[to]);
            const Operation* receive =
                receiver == nullptr
                    ? nullptr
                    : receiver->track->last({pair.group, OperationKind::Receive, from, pair.tag});
            if (receive == nullptr || receive->number != send.number)
                continue;
            const bool mayBeLarger = send.backend != ledger::Backend::Nccl;
            if (send.bytes > receive->bytes || (send.bytes < receive->bytes && !mayBeLarger))
                found.push_back({sender.rank, receiver->rank, &send, receive});
        }
    }
    return found;
}

namespace {

std::vector<int> deviatingRanks(const std::vector<RankView>& ranks, const GroupKey& group,
                                const UnmatchedSend& unmatched)
{
    const Habits habits = habitsOf(ranks, group, unmatched);
    int forSender = 0;
    int forReceiver = 0;
    if (unmatched.sender == unmatched.wanted) {
        forSender = countOf(habits.tags, unmatched.tag);
        forReceiver = countOf(habits.tags, unmatched.wantedTag);
    } else {
        const int to = placeIn(group, unmatched.receiver);
        const auto distanceFrom = [&](int rank) {
            return distanceIn(group, placeIn(group, rank), to);
        };
        forSender = countOf(habits.distances, distanceFrom(unmatched.sender));
        forReceiver = countOf(habits.distances, distanceFrom(unmatched.wanted));
    }
    if (forSender > forReceiver)
        return {unmatched.receiver};
    if (forReceiver > forSender)
        return {unmatched.sender};
    return {std::min(unmatched.sender, unmatched.receiver),
            std::max(unmatched.sender, unmatched.receiver)};
}

Message statementOf(const UnmatchedSend& unmatched)
{
    Parameters parameters{{"rank", std::to_string(unmatched.sender)},
                          {"other", std::to_string(unmatched.receiver)},
                          {"tag", std::to_string(unmatched.tag)}};
    if (unmatched.sender == unmatched.wanted) {
        parameters["wanted"] = std::to_string(unmatched.wantedTag);
        return {code::TagsDiffer, std::move(parameters), {}};
    }
    parameters["wanted"] = std::to_string(unmatched.wanted);
    return {code::SourceDiffers, std::move(parameters), {}};
}

Message statementOf(const StraySend& stray)
{
    return {code::DestinationDiffers,
            {{"rank", std::to_string(stray.sender)},
             {"other", std::to_string(stray.receiver)},
             {"tag", std::to_string(stray.tag)},
             {"awaiting", std::to_string(stray.awaiting)}},
            {}};
}

Verdict verdictOfPair(std::vector<int> guilty, Message statement, const Wait& wait,
                      std::vector<Message> evidence)
{
    return {.kind = Verdict::Kind::Mismatch,
            .guilty = std::move(guilty),
            .waiting = wait.waiting,
            .sinceNs = wait.sinceNs,
            .statement = std::move(statement),
            .evidence = std::move(evidence),
            .remedy = {code::RemedySamePair, {}, {}}};
}

} // namespace

Verdict verdictOf(const UnmatchedSend& unmatched, const Wait& wait,
                  const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    return verdictOfPair(deviatingRanks(ranks, wait.group, unmatched), statementOf(unmatched), wait,
                         evidenceOf({unmatched.sender, unmatched.receiver}, ranks, nowNs));
}

Verdict verdictOf(const StraySend& stray, const Wait& wait, const std::vector<RankView>& ranks,
                  std::int64_t nowNs)
{
    return verdictOfPair({stray.sender}, statementOf(stray), wait,
                         evidenceOf({stray.sender, stray.awaiting}, ranks, nowNs));
}

} // namespace ringmaster::diagnose
