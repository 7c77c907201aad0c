#include "engine/diagnose/Evidence.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/ProcessEvidence.h"
#include "engine/event/Verdict.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <iterator>

namespace ringmaster::diagnose {

namespace {

Message withRank(Code code, int rank, Parameters more = {}, std::string detail = {})
{
    more["rank"] = std::to_string(rank);
    return {code, std::move(more), std::move(detail)};
}

constexpr std::int64_t WorthSaying = 1'000'000'000;

bool isStarved(const ProcessView& process)
{
    constexpr double Starved = 0.3;
    return process.processorWait >= std::max(Starved, process.cpuShare) &&
           process.idleNs < 2 * WorthSaying;
}

/// What the system says that it does; nothing where it doesn't say.
std::optional<Message> doingOf(const RankView& view, std::int64_t nowNs)
{
    switch (view.process.state) {
    case ProcessView::State::Unknown: return std::nullopt;
    case ProcessView::State::Dead: return withRank(code::AbsentDead, view.rank);
    case ProcessView::State::Stopped: return withRank(code::AbsentStopped, view.rank);
    case ProcessView::State::Alive: break;
    }
    if (view.process.idleNs >= WorthSaying) {
        if (isStarved(view.process))
            return std::nullopt;
        return withRank(code::AbsentIdle, view.rank, since(nowNs - view.process.idleNs, nowNs));
    }
    // What serves a call isn't the program's own work.
    constexpr double Busy = 0.5;
    const bool isInCall = std::ranges::any_of(view.track->running(), [](const auto& known) {
        return known.second.caller == ledger::Caller::Waits;
    });
    if (isInCall && view.process.cpuShare < Busy)
        return std::nullopt;
    return withRank(code::AbsentComputes, view.rank,
                    {{"percent", std::to_string(static_cast<int>(view.process.cpuShare * 100))},
                     {"seconds", "1"}});
}

std::optional<Message> processorWaitOf(const RankView& view)
{
    if (view.process.state != ProcessView::State::Alive || !isStarved(view.process))
        return std::nullopt;
    return withRank(
        code::AbsentStarved, view.rank,
        {{"percent", std::to_string(static_cast<int>(view.process.processorWait * 100))}});
}

std::optional<Message> stackOf(const RankView& view)
{
    if (!view.process.stack) {
        if (view.process.noStack.code == code::None)
            return std::nullopt;
        return withRank(view.process.noStack.code, view.rank, view.process.noStack.parameters);
    }
    const Stack& stack = *view.process.stack;
    if (isAtExit(stack))
        return withRank(code::StandsAtExit, view.rank, {}, stack.text);
    const Stack::Frame* frame = userFrame(stack);
    if (frame == nullptr)
        return withRank(code::StandsOutsidePython, view.rank, {}, stack.text);
    Parameters parameters{{"function", frame->function},
                          {"file", frame->file},
                          {"line", std::to_string(frame->line)}};
    if (stack.code.empty())
        return withRank(code::Stands, view.rank, std::move(parameters), stack.text);
    parameters["code"] = stack.code;
    return withRank(code::StandsInLine, view.rank, std::move(parameters), stack.text);
}

} // namespace

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

Parameters since(std::int64_t sinceNs, std::int64_t nowNs)
{
    return {{"since", std::to_string(sinceNs)}, {"seconds", secondsPassed(nowNs - sinceNs)}};
}

Parameters namesOf(const Operation& operation, const GroupKey& group)
{
    // The program's first group, its second …: its name says it.
    const size_t space = group.name.rfind(' ');
    const bool isMaking = ledger::makesGroup(operation.kind) && space != std::string::npos;
    return {{"operation", nameOf(operation)},
            {"number", isMaking ? group.name.substr(space + 1) : std::to_string(operation.number)},
            {"group", group.shown()}};
}

namespace {

void addSite(Parameters& parameters, const CallSite& site)
{
    parameters["function"] = site.function;
    parameters["file"] = site.file;
    parameters["line"] = std::to_string(site.line);
}

/// What it is in, else was last.
const Operation* latestOf(const RankTrack& track)
{
    if (!track.running().empty())
        return &track.running().begin()->second;
    return track.lastEnded() ? &*track.lastEnded() : nullptr;
}

/// Where it called that; its last known place where nobody can say where it stands.
std::optional<Message> calledAt(const RankView& view)
{
    const Operation* latest = view.isRecorded ? latestOf(*view.track) : nullptr;
    const CallSite* site = latest == nullptr ? nullptr : view.track->siteOf(*latest);
    if (site == nullptr)
        return std::nullopt;
    Parameters parameters = namesOf(*latest, view.track->keyOf(latest->group));
    addSite(parameters, *site);
    return withRank(view.process.stack ? code::CalledAt : code::LastKnownPlace, view.rank,
                    std::move(parameters));
}

/// The rank's own call that `like` is, or is the other side's of.
const Operation* callLike(const RankTrack& track, const GroupKey& group, const Operation& like)
{
    if (!ledger::isPointToPoint(like.kind))
        return track.find(group, like.number);
    const Operation* last = track.last({group, like.kind, like.peer, like.tag});
    return last != nullptr && last->number == like.number ? last : nullptr;
}

} // namespace

std::vector<Message> callsOf(const std::vector<int>& of, const std::vector<RankView>& ranks,
                             const GroupKey& group, const Operation& like)
{
    constexpr size_t Most = 3; // places, of which one is the rule
    std::vector<std::pair<CallSite, std::vector<int>>> places;
    for (const int rank : of) {
        const RankView* view = viewOf(ranks, rank);
        const Operation* call = view == nullptr ? nullptr : callLike(*view->track, group, like);
        const CallSite* site = call == nullptr ? nullptr : view->track->siteOf(*call);
        if (site == nullptr)
            continue;
        CallSite place = *site;
        place.site = 0; // each rank numbers its own
        const auto known = std::ranges::find(places, place, &decltype(places)::value_type::first);
        if (known != places.end())
            known->second.push_back(rank);
        else if (places.size() < Most)
            places.emplace_back(std::move(place), std::vector{rank});
    }
    std::vector<Message> calls;
    for (const auto& [place, there] : places) {
        Parameters parameters = namesOf(like, group);
        addSite(parameters, place);
        parameters["ranks"] = rankList(there);
        calls.push_back({code::EnteredAt, std::move(parameters), {}});
    }
    return calls;
}

Message placeOf(const RankView& view, std::int64_t nowNs)
{
    if (!view.isRecorded)
        return withRank(view.process.state == ProcessView::State::Unknown
                            ? code::AbsentNotRecorded
                            : code::AbsentNeverEntered,
                        view.rank);
    const RankTrack& track = *view.track;
    if (!track.running().empty()) {
        const Operation& in = track.running().begin()->second;
        return withRank(code::AbsentElsewhere, view.rank, namesOf(in, track.keyOf(in.group)));
    }
    if (!track.lastEnded())
        return withRank(code::AbsentNeverEntered, view.rank);
    const Operation& last = *track.lastEnded();
    Parameters parameters = namesOf(last, track.keyOf(last.group));
    if (last.endedNs == 0) // not known, of what something else recorded
        return withRank(code::AbsentAfter, view.rank, std::move(parameters));
    parameters.merge(since(view.here(last.endedNs), nowNs));
    return withRank(code::AbsentOutside, view.rank, std::move(parameters));
}

Message operationOf(const RankTrack& track, std::int64_t nowNs)
{
    const bool isInside = !track.running().empty();
    if (!isInside && !track.lastEnded())
        return {code::BeforeOperations, {}, {}};
    const Operation& operation = isInside ? track.running().begin()->second : *track.lastEnded();
    Parameters parameters = namesOf(operation, track.keyOf(operation.group));
    parameters["seconds"] =
        secondsPassed(isInside ? waitedNs(track, nowNs) : nowNs - operation.endedNs);
    if (isInside)
        parameters["what"] = dataText(operation);
    return {isInside ? code::InOperationFor : code::AfterOperation, std::move(parameters), {}};
}

std::int64_t waitedNs(const RankTrack& track, std::int64_t nowNs)
{
    const bool isInside = !track.running().empty();
    const auto& last = track.lastEnded();
    if (!isInside && (!last || last->outcome != Operation::Outcome::Failed))
        return 0;
    const Operation& operation = isInside ? track.running().begin()->second : *last;
    return operation.enqueuedNs == 0
               ? 0
               : (isInside ? nowNs : operation.endedNs) - operation.enqueuedNs;
}

Message lastPlaceOf(const RankTrack& track, int rank)
{
    if (!track.running().empty()) {
        const Operation& in = track.running().begin()->second;
        Parameters parameters = namesOf(in, track.keyOf(in.group));
        parameters["what"] = dataText(in);
        const CallSite* site = track.siteOf(in);
        if (site != nullptr)
            addSite(parameters, *site);
        return withRank(site != nullptr ? code::EndedInsideAt : code::EndedInside, rank,
                        std::move(parameters));
    }
    if (!track.lastEnded())
        return withRank(code::EndedBefore, rank);
    const Operation& last = *track.lastEnded();
    Parameters parameters = namesOf(last, track.keyOf(last.group));
    const CallSite* site = track.siteOf(last);
    if (site != nullptr)
        addSite(parameters, *site);
    if (last.outcome == Operation::Outcome::Failed)
        return withRank(site != nullptr ? code::EndedByErrorAt : code::EndedByError, rank,
                        std::move(parameters));
    return withRank(site != nullptr ? code::EndedOutsideAt : code::EndedOutside, rank,
                    std::move(parameters));
}

std::vector<Message> evidenceOf(const std::vector<int>& of, const std::vector<RankView>& ranks,
                                std::int64_t nowNs)
{
    constexpr size_t Most = 4; // of a thousand absent ranks, a few show what it is
    std::vector<Message> evidence;
    size_t shown = 0;
    for (const int rank : of) {
        const RankView* view = viewOf(ranks, rank);
        if (view == nullptr || shown++ >= Most)
            continue;
        evidence.push_back(placeOf(*view, nowNs));
        if (auto called = calledAt(*view))
            evidence.push_back(*std::move(called));
        if (auto doing = doingOf(*view, nowNs))
            evidence.push_back(*std::move(doing));
        if (auto wait = processorWaitOf(*view))
            evidence.push_back(*std::move(wait));
        std::ranges::move(waitEvidence(*view), std::back_inserter(evidence));
        std::ranges::copy(view->process.threadsFailed, std::back_inserter(evidence));
        evidence.insert(evidence.end(), view->process.threadsLeft.begin(),
                        view->process.threadsLeft.end());
        if (auto stack = stackOf(*view))
            evidence.push_back(*std::move(stack));
        std::ranges::move(stackEvidence(*view), std::back_inserter(evidence));
    }
    return evidence;
}

} // namespace ringmaster::diagnose
