#include "engine/diagnose/WireWatch.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringmaster::diagnose {

namespace {

/// "1.42", of bytes a second.
std::string gigabytes(double bandwidth)
{
    const auto hundredths = static_cast<std::int64_t>(bandwidth / 1e7 + 0.5);
    const std::string cents = std::to_string(hundredths % 100);
    return std::to_string(hundredths / 100) + "." + (cents.size() < 2 ? "0" : "") + cents;
}

/// The smallest duration over the members; 0: not all have told theirs.
std::int64_t transferNs(const std::vector<const RankView*>& members, const GroupKey& group,
                        std::uint64_t number, const Operation*& any)
{
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (const RankView* view : members) {
        any = view->track->find(group, number);
        if (any == nullptr || any->outcome != Operation::Outcome::Done || any->endedNs == 0)
            return 0;
        const std::int64_t from = any->startedNs != 0 ? any->startedNs : any->enqueuedNs;
        shortest = std::min(shortest, any->endedNs - from);
    }
    return std::max<std::int64_t>(shortest, 0);
}

} // namespace

double promisedBandwidth(const std::vector<WirePromise>& promises, const Operation& operation,
                         int ranks)
{
    const std::uint64_t bytes = operation.bytes;
    const WirePromise* below = nullptr;
    const WirePromise* above = nullptr;
    for (const WirePromise& promise : promises) {
        if (promise.backend != operation.backend || promise.backend == ledger::Backend::Unknown ||
            promise.backend == ledger::Backend::Other || promise.kind != operation.kind ||
            promise.ranks != ranks || promise.busBandwidth <= 0 || promise.bytes == 0)
            continue;
        if (promise.bytes <= bytes && (below == nullptr || promise.bytes > below->bytes))
            below = &promise;
        if (promise.bytes >= bytes && (above == nullptr || promise.bytes < above->bytes))
            above = &promise;
    }
    if (below == nullptr || above == nullptr)
        return 0;
    if (below->bytes == above->bytes)
        return below->busBandwidth;
    const double part =
        std::log(static_cast<double>(bytes) / static_cast<double>(below->bytes)) /
        std::log(static_cast<double>(above->bytes) / static_cast<double>(below->bytes));
    return below->busBandwidth + part * (above->busBandwidth - below->busBandwidth);
}

void WireWatch::follow(Course& course, const GroupKey& group,
                       const std::vector<const RankView*>& members,
                       const std::vector<WirePromise>& promises) const
{
    std::uint64_t reached = std::numeric_limits<std::uint64_t>::max();
    for (const RankView* view : members)
        reached = std::min(reached, view->track->entered(group));
    if (reached > RankTrack::Remembered)
        course.looked = std::max(course.looked, reached - RankTrack::Remembered);
    const auto size = static_cast<int>(members.size());
    for (std::uint64_t number = course.looked + 1; number <= reached; ++number) {
        const Operation* call = nullptr;
        const std::int64_t ns = transferNs(members, group, number, call);
        if (call != nullptr && call->outcome == Operation::Outcome::Running)
            return;
        course.looked = number;
        if (ns == 0 || call == nullptr || call->bytes < m_limits.bytes ||
            !ledger::isSynchronising(call->kind))
            continue;
        const double promised = promisedBandwidth(promises, *call, size);
        if (promised <= 0)
            continue;
        const double bandwidth = static_cast<double>(call->bytes) * 1e9 / static_cast<double>(ns) *
                                 ledger::busFactor(call->kind, size);
        course.transfers.push_back(
            {bandwidth / promised, bandwidth, members[0]->here(call->endedNs), *call});
        if (course.transfers.size() > m_limits.window)
            course.transfers.pop_front();
    }
}

void WireWatch::judge(const Course& course, const GroupKey& group, std::vector<Found>& found) const
{
    if (course.transfers.size() < m_limits.operations ||
        course.transfers.back().endedNs - course.transfers.front().endedNs < m_limits.span.count())
        return;
    std::vector<const Transfer*> transfers;
    for (const Transfer& transfer : course.transfers)
        transfers.push_back(&transfer);
    const auto quick = transfers.begin() + static_cast<std::ptrdiff_t>(transfers.size() / 10);
    std::ranges::nth_element(transfers, quick, std::greater(), &Transfer::share);
    const Transfer& best = **quick;
    if (best.share >= m_limits.share)
        return;
    Parameters parameters = namesOf(best.operation, group);
    parameters["ranks"] = ranksText(group.members);
    parameters["rate"] = gigabytes(best.busBandwidth);
    parameters["percent"] = std::to_string(static_cast<int>(best.share * 100));
    parameters["ceiling"] = gigabytes(best.busBandwidth / best.share);
    found.push_back({"wire/" + group.name + "/" + ranksText(group.members),
                     {.kind = Verdict::Kind::SlowWire,
                      // Of a pair it is this wire; of more, one of theirs.
                      .isSure = group.members.size() == 2,
                      .statement = {code::SlowWire, std::move(parameters), {}},
                      .remedy = {code::RemedySlowWire, {}, {}}}});
}

std::vector<Found> WireWatch::look(const std::vector<RankView>& ranks,
                                   const std::vector<WirePromise>& promises)
{
    std::vector<Found> found;
    if (promises.empty())
        return found;
    for (const auto& [group, members] : wholeGroups(ranks)) {
        Course& course = m_courses[group];
        follow(course, group, members, promises);
        judge(course, group, found);
    }
    return found;
}

} // namespace ringmaster::diagnose
