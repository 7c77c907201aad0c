#include "engine/diagnose/WaitWatch.h"

#include "engine/diagnose/Codes.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

std::string secondsText(std::int64_t nanoseconds)
{
    const std::int64_t tenths = nanoseconds / 100'000'000;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

Parameters namesOf(const Operation& operation, const GroupKey& group)
{
    return {{"operation", nameOf(operation)},
            {"number", std::to_string(operation.number)},
            {"group", group.shown()}};
}

const RankView* viewOf(const std::vector<RankView>& ranks, int rank)
{
    const auto found = std::ranges::find(ranks, rank, &RankView::rank);
    return found == ranks.end() ? nullptr : &*found;
}

Message withRank(Code code, int rank, Parameters more = {})
{
    more["rank"] = std::to_string(rank);
    return {code, std::move(more), {}};
}

/// Where an absent rank stands, by its ledger.
Message placeOf(const RankView& view, std::int64_t nowNs)
{
    if (!view.isRecorded)
        return withRank(code::AbsentNotRecorded, view.rank);
    const RankTrack& track = *view.track;
    if (!track.running().empty()) {
        const Operation& in = track.running().begin()->second;
        return withRank(code::AbsentElsewhere, view.rank, namesOf(in, track.keyOf(in.group)));
    }
    if (!track.lastEnded())
        return withRank(code::AbsentNeverEntered, view.rank);
    const Operation& last = *track.lastEnded();
    Parameters parameters = namesOf(last, track.keyOf(last.group));
    parameters["seconds"] = secondsText(std::max<std::int64_t>(0, nowNs - last.endedNs));
    return withRank(code::AbsentOutside, view.rank, std::move(parameters));
}

/// What the system says that it does; nothing where it doesn't say.
std::optional<Message> doingOf(const RankView& view)
{
    switch (view.process.state) {
    case ProcessView::State::Unknown: return std::nullopt;
    case ProcessView::State::Dead: return withRank(code::AbsentDead, view.rank);
    case ProcessView::State::Stopped: return withRank(code::AbsentStopped, view.rank);
    case ProcessView::State::Alive: break;
    }
    constexpr std::int64_t WorthSaying = 1'000'000'000;
    if (view.process.idleNs >= WorthSaying)
        return withRank(code::AbsentIdle, view.rank,
                        {{"seconds", secondsText(view.process.idleNs)}});
    return withRank(code::AbsentComputes, view.rank,
                    {{"percent", std::to_string(static_cast<int>(view.process.cpuShare * 100))},
                     {"seconds", "1"}});
}

std::vector<Message> evidenceOf(const Wait& wait, const std::vector<RankView>& ranks,
                                std::int64_t nowNs)
{
    constexpr size_t Most = 4; // of a thousand absent ranks, a few show what it is
    std::vector<Message> evidence;
    for (const int rank : wait.absent) {
        const RankView* view = viewOf(ranks, rank);
        if (view == nullptr || evidence.size() >= 2 * Most)
            continue;
        evidence.push_back(placeOf(*view, nowNs));
        if (auto doing = doingOf(*view))
            evidence.push_back(*std::move(doing));
    }
    return evidence;
}

Verdict waitingOf(const Wait& wait, const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    Parameters parameters = namesOf(wait.operation, wait.group);
    parameters["ranks"] = ranksText(wait.waiting);
    parameters["absent"] = ranksPhrase(wait.absent);
    parameters["what"] = dataText(wait.operation);
    parameters["seconds"] = secondsText(nowNs - wait.sinceNs);
    return {.kind = VerdictKind::Waiting,
            .guilty = wait.absent,
            .statement = {code::RanksWait, std::move(parameters), {}},
            .evidence = evidenceOf(wait, ranks, nowNs)};
}

Verdict cycleOf(const std::vector<int>& cycle, const std::vector<Wait>& waits)
{
    std::string text;
    for (size_t i = 0; i < cycle.size(); ++i) {
        const int next = cycle[(i + 1) % cycle.size()];
        const auto wait = std::ranges::find_if(waits, [&](const Wait& known) {
            return std::ranges::count(known.waiting, cycle[i]) != 0 &&
                   std::ranges::count(known.absent, next) != 0;
        });
        if (wait != waits.end())
            text += (text.empty() ? "" : "; ") + ("rank " + std::to_string(cycle[i])) + " in " +
                    nameOf(wait->operation) + " #" + std::to_string(wait->operation.number) +
                    " of group " + wait->group.shown() + " for rank " + std::to_string(next);
    }
    return {.kind = VerdictKind::Hang,
            .guilty = cycle,
            .statement = {code::HangCycle, {{"ranks", ranksText(cycle)}, {"waits", text}}, {}},
            .remedy = {code::RemedySameOrder, {}, {}}};
}

} // namespace

WaitWatch::Key WaitWatch::keyOf(const Wait& wait)
{
    const bool isPair = ledger::isPointToPoint(wait.operation.kind);
    return {wait.group, wait.operation.number,
            isPair ? wait.operation.kind : ledger::OperationKind::Other,
            isPair ? wait.waiting : std::vector<int>()};
}

/// Only with proof: a dead or a stopped rank can't come.
std::optional<Verdict> WaitWatch::hangOf(const Wait& wait, const std::vector<RankView>& ranks,
                                         std::int64_t nowNs) const
{
    for (const int rank : wait.absent) {
        const RankView* view = viewOf(ranks, rank);
        if (view == nullptr)
            continue;
        const bool isDead = view->process.state == ProcessView::State::Dead;
        if (!isDead && view->process.state != ProcessView::State::Stopped)
            continue;
        Parameters parameters = namesOf(wait.operation, wait.group);
        parameters["ranks"] = ranksText(wait.waiting);
        parameters["absent"] = std::to_string(rank);
        Verdict verdict{
            .kind = VerdictKind::Hang,
            .guilty = {rank},
            .statement = {isDead ? code::HangDead : code::HangStopped, std::move(parameters), {}},
            .evidence = {placeOf(*view, nowNs)}};
        if (!isDead)
            verdict.remedy = {code::RemedyResume, {{"pid", std::to_string(view->process.pid)}}, {}};
        return verdict;
    }
    return std::nullopt;
}

std::vector<Verdict> WaitWatch::look(const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    const std::vector<Wait> waits = findWaits(ranks, nowNs, m_limits.waiting);
    std::vector<Verdict> verdicts;
    std::set<Key> present;
    for (const Wait& wait : waits) {
        const Key key = keyOf(wait);
        present.insert(key);
        const auto [told, isNew] = m_told.try_emplace(key);
        told->second.wait = wait;
        if (isNew)
            verdicts.push_back(waitingOf(wait, ranks, nowNs));
        if (told->second.isHang)
            continue;
        if (auto hang = hangOf(wait, ranks, nowNs)) {
            told->second.isHang = true;
            verdicts.push_back(*std::move(hang));
        }
    }
    std::vector<int> cycle = findCycle(waits, ranks, m_limits.idle);
    if (!cycle.empty() && m_cyclesTold.insert(cycle).second)
        verdicts.push_back(cycleOf(cycle, waits));
    std::erase_if(m_told, [&](const auto& entry) {
        if (present.contains(entry.first))
            return false;
        const Wait& wait = entry.second.wait;
        Parameters parameters = namesOf(wait.operation, wait.group);
        parameters["seconds"] = secondsText(nowNs - wait.sinceNs);
        verdicts.push_back({.kind = VerdictKind::WaitOver,
                            .statement = {code::WaitOver, std::move(parameters), {}}});
        return true;
    });
    return verdicts;
}

} // namespace ringmaster::diagnose
