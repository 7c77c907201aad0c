#include "engine/node/LiveDiagnosis.h"

#include "engine/base/Clock.h"
#include "engine/base/ProcessSignal.h"
#include "engine/diagnose/ProcessEvidence.h"
#include "engine/node/ExpectedBandwidth.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace ringmaster {

namespace {

constexpr std::int64_t IntervalNs = 500'000'000;
constexpr std::int64_t LongestLookNs = 2'000'000'000;
/// A person sees a rank go from one operation to the next.
constexpr std::int64_t ShowIntervalNs = 150'000'000;

/// Of the stack of a rank's child among those of the ranks.
int childKey(int rank)
{
    return -1 - rank;
}

diagnose::ProcessView endedProcess(const RankRecording& recording)
{
    return {.state = diagnose::ProcessView::State::Dead,
            .hasSucceeded = recording.hasSucceeded(),
            .hasLostPeer = recording.hasLostPeer()};
}

/// Or its end, where nobody has told of that yet: a zombie's exit code is the last field of
/// /proc/PID/stat.
diagnose::ProcessView asLastSeen(const diagnose::ProcessView& seen)
{
    if (seen.pid <= 0)
        return seen;
    const std::string stat = statOf(seen.pid);
    if (stat.empty())
        return {.state = diagnose::ProcessView::State::Dead, .pid = seen.pid, .isEndUnknown = true};
    if (!isZombie(stat))
        return seen;
    const size_t last = stat.find_last_of(' ');
    return {.state = diagnose::ProcessView::State::Dead,
            .pid = seen.pid,
            .hasSucceeded = std::strtol(stat.c_str() + last, nullptr, 10) == 0};
}

/// A process of the rank's own program that it waits for, and that does nothing either; 0: none.
int stuckCopyOf(const diagnose::ProcessView& process)
{
    using Child = ProcessWait::Child;
    if (!process.wait)
        return 0;
    const auto& children = process.wait->children;
    const auto found = std::ranges::find_if(children, [](const Child& child) {
        return child.isCopy && !child.isAtWork && child.state == Child::State::Alive;
    });
    return found == children.end() ? 0 : found->pid;
}

} // namespace

void LiveDiagnosis::start(int attempt, int worldSize)
{
    m_isOn = true;
    m_lookedNs = 0;
    m_processes.clear();
    m_waits.clear();
    m_deaths.begin();
    m_quietNs.clear();
    m_seen.clear();
    m_diagnosis.begin(attempt, worldSize);
    m_diagnosis.promise(promisesOf(readCalibrations()));
    m_stacks.begin(attempt);
    m_ras.begin();
}

std::vector<diagnose::RankView> LiveDiagnosis::viewsOf(const Recordings& recordings,
                                                       std::int64_t nowNs)
{
    std::vector<diagnose::RankView> views;
    ProcessTable processes;
    for (const auto& recording : recordings) {
        diagnose::RankView view{.rank = recording->globalRank(),
                                .isRecorded = recording->isWritten(),
                                .track = &recording->track()};
        if (recording->hasEnded())
            view.process = endedProcess(*recording);
        else
            view.process = m_processes[view.rank].look(recording->pid(), nowNs, processes);
        keepDeath(view, nowNs);
        view.process.threadsLeft = recording->threadsLeft();
        view.process.threadsFailed = recording->threadsFailed();
        if (const StackReader::Reading* reading = m_stacks.find(view.rank)) {
            view.process.stack = reading->stack;
            view.process.noStack = reading->problem;
        }
        view.process.nccl = m_ras.membersOf(view.process.pid);
        lookAtWait(view.process, *recording, nowNs);
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<diagnose::RankView> LiveDiagnosis::lastViewsOf(const Recordings& recordings,
                                                           std::int64_t nowNs)
{
    if (m_seen.size() != recordings.size())
        return viewsOf(recordings, nowNs);
    std::vector<diagnose::RankView> views;
    for (size_t i = 0; i < recordings.size(); ++i) {
        const RankRecording& recording = *recordings[i];
        diagnose::RankView view{.rank = recording.globalRank(),
                                .isRecorded = recording.isWritten(),
                                .track = &recording.track(),
                                .process = recording.hasEnded() ? endedProcess(recording)
                                                                : asLastSeen(m_seen[i])};
        keepDeath(view, nowNs);
        views.push_back(std::move(view));
    }
    return views;
}

void LiveDiagnosis::keepDeath(diagnose::RankView& view, std::int64_t nowNs)
{
    m_deaths.seen(view.rank, view.process.state, nowNs);
    view.process.deadNs = m_deaths.of(view.rank, nowNs);
}

/// Of a rank that does nothing outside all operations, before others have waited for long.
void LiveDiagnosis::lookAtWait(diagnose::ProcessView& process, const RankRecording& recording,
                               std::int64_t nowNs)
{
    constexpr std::int64_t IdleNs = 1'000'000'000;
    const int rank = recording.globalRank();
    const bool isIdle = process.idleNs >= IdleNs && recording.track().running().empty();
    const bool isWanted = std::ranges::count(m_diagnosis.stacksWanted(), rank) > 0 ||
                          std::ranges::count(m_rankActivities.stacksWanted(), rank) > 0;
    if (process.state == diagnose::ProcessView::State::Alive && (isIdle || isWanted))
        process.wait = m_waits[rank].look(process.pid, nowNs);
    else
        m_waits.erase(rank);
    const StackReader::Reading* child = m_stacks.find(childKey(rank));
    if (child != nullptr && process.wait)
        process.childStack = child->stack;
    // A loop of short sleeps looks like a pause now and then. Who polls a child sleeps so, too.
    constexpr std::int64_t ShortNs = 2'000'000'000;
    const bool isShort = process.wait && process.wait->kind == ProcessWait::Kind::Sleep &&
                         process.wait->sleepNs < ShortNs;
    if (isShort ? diagnose::isWorkedFor(process) : diagnose::isQuiet(process))
        m_quietNs[rank] = nowNs;
    if (const auto quiet = m_quietNs.find(rank); quiet != m_quietNs.end())
        process.quietAgoNs = nowNs - quiet->second;
}

/// False: there is nothing to judge here. A lead does that, and sees the ranks once more.
bool LiveDiagnosis::beginEnd(const Recordings& recordings, std::int64_t nowNs)
{
    if (!std::exchange(m_isOn, false))
        return false;
    if (m_isLed)
        show(recordings, nowNs);
    return !m_isLed;
}

std::vector<Verdict> LiveDiagnosis::end(const Recordings& recordings, std::int64_t nowNs)
{
    if (!beginEnd(recordings, nowNs))
        return {};
    return m_diagnosis.end(lastViewsOf(recordings, nowNs), nowNs);
}

std::vector<Verdict> LiveDiagnosis::stop(const Recordings& recordings, std::int64_t nowNs,
                                         const std::atomic<bool>& mayBeSignalled)
{
    if (!beginEnd(recordings, nowNs))
        return {};
    std::vector<diagnose::RankView> views = lastViewsOf(recordings, nowNs);
    if (mayBeSignalled) {
        if (m_seen.size() != recordings.size())
            return {};
        for (size_t i = 0; i < views.size(); ++i)
            views[i].process = m_seen[i];
    }
    return m_diagnosis.stop(views, nowNs);
}

std::vector<Verdict> LiveDiagnosis::look(const Recordings& recordings, std::int64_t nowNs)
{
    if (!m_isOn)
        return {};
    if (nowNs - m_lookedNs < IntervalNs) {
        if (nowNs - m_shownNs >= ShowIntervalNs)
            show(recordings, nowNs);
        return {};
    }
    m_lookedNs = nowNs;
    const std::vector<diagnose::RankView> views = viewsOf(recordings, nowNs);
    const std::int64_t seenNs = SystemClock().now().monotonicNs;
    for (auto& [rank, process] : m_processes)
        process.lookEnded(seenNs);
    // Who got no turn in between has seen the ranks at moments that are far apart.
    if (seenNs - nowNs > LongestLookNs)
        return {};
    m_seenNs = nowNs;
    m_seen.clear();
    for (const diagnose::RankView& view : views)
        m_seen.push_back(view.process);
    show(recordings, nowNs);
    std::vector<Verdict> verdicts;
    if (!m_isLed)
        verdicts = m_diagnosis.look(views, nowNs);
    wantStacks(views, nowNs);
    wantRas(views, nowNs);
    return verdicts;
}

void LiveDiagnosis::show(const Recordings& recordings, std::int64_t nowNs)
{
    if (!m_rankActivities.isWanted() || m_seen.size() != recordings.size())
        return;
    m_shownNs = nowNs;
    std::vector<RankActivity> ranks;
    for (size_t i = 0; i < recordings.size(); ++i)
        ranks.push_back({.rank = recordings[i]->globalRank(),
                         .attempt = recordings[i]->attempt(),
                         .isRecorded = recordings[i]->isWritten(),
                         .process = m_seen[i],
                         .now = recordings[i]->now(),
                         .firstOperation = recordings[i]->firstOperation(),
                         .seenNs = m_seenNs});
    m_rankActivities.show(std::move(ranks));
}

void LiveDiagnosis::wantStacks(const std::vector<diagnose::RankView>& views, std::int64_t nowNs)
{
    std::vector<StackReader::Target> targets;
    std::vector<int> wanted = m_diagnosis.stacksWanted();
    std::ranges::copy_if(m_rankActivities.stacksWanted(), std::back_inserter(wanted),
                         [&](int rank) { return std::ranges::count(wanted, rank) == 0; });
    for (const int rank : wanted) {
        const diagnose::RankView* view = viewOf(views, rank);
        if (view != nullptr && view->process.state != diagnose::ProcessView::State::Dead)
            targets.push_back({rank, view->process.pid,
                               view->process.state == diagnose::ProcessView::State::Stopped});
        if (const int copy = view == nullptr ? 0 : stuckCopyOf(view->process); copy != 0)
            targets.push_back({childKey(rank), copy, false});
    }
    m_stacks.want(targets, nowNs);
}

void LiveDiagnosis::wantRas(const std::vector<diagnose::RankView>& views, std::int64_t nowNs)
{
    constexpr std::int64_t LongNs = 3'000'000'000;
    const auto waits = [&](const diagnose::RankView& view) {
        return std::ranges::any_of(view.track->running(), [&](const auto& known) {
            return known.second.backend == ledger::Backend::Nccl &&
                   nowNs - known.second.enqueuedNs >= LongNs;
        });
    };
    if (std::ranges::none_of(views, waits))
        return;
    std::vector<int> pids;
    for (const diagnose::RankView& view : views) {
        if (view.process.state != diagnose::ProcessView::State::Dead && view.process.pid > 0)
            pids.push_back(view.process.pid);
    }
    m_ras.want(pids, nowNs);
}

} // namespace ringmaster
