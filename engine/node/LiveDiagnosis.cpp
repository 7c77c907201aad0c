#include "engine/node/LiveDiagnosis.h"

#include "engine/node/ExpectedBandwidth.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ringmaster {

namespace {

constexpr std::int64_t IntervalNs = 500'000'000;
/// A person sees a rank go from one operation to the next.
constexpr std::int64_t ShowIntervalNs = 150'000'000;

} // namespace

void LiveDiagnosis::start(int attempt)
{
    m_isOn = true;
    m_lookedNs = 0;
    m_processes.clear();
    m_seen.clear();
    m_diagnosis.begin(attempt);
    m_diagnosis.promise(promisesOf(readCalibrations()));
    m_stacks.begin(attempt);
}

std::vector<diagnose::RankView> LiveDiagnosis::viewsOf(const Recordings& recordings,
                                                       std::int64_t nowNs)
{
    std::vector<diagnose::RankView> views;
    for (const auto& recording : recordings) {
        diagnose::RankView view{.rank = recording->globalRank(),
                                .isRecorded = recording->isWritten(),
                                .track = &recording->track()};
        if (recording->isFinished())
            view.process.state = diagnose::ProcessView::State::Dead;
        else
            view.process = m_processes[view.rank].look(recording->pid(), nowNs);
        view.process.threadsLeft = recording->threadsLeft();
        if (const StackReader::Reading* reading = m_stacks.find(view.rank)) {
            view.process.stack = reading->stack;
            view.process.noStack = reading->problem;
        }
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<Verdict> LiveDiagnosis::end(const Recordings& recordings, std::int64_t nowNs)
{
    if (!std::exchange(m_isOn, false) || m_isLed)
        return {};
    return m_diagnosis.end(viewsOf(recordings, nowNs), nowNs);
}

std::vector<Verdict> LiveDiagnosis::stop(const Recordings& recordings, std::int64_t nowNs)
{
    if (!std::exchange(m_isOn, false) || m_isLed)
        return {};
    return m_diagnosis.stop(viewsOf(recordings, nowNs), nowNs);
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
    m_seen.clear();
    for (const diagnose::RankView& view : views)
        m_seen.push_back(view.process);
    show(recordings, nowNs);
    std::vector<Verdict> verdicts;
    if (!m_isLed)
        verdicts = m_diagnosis.look(views, nowNs);
    wantStacks(views, nowNs);
    return verdicts;
}

void LiveDiagnosis::show(const Recordings& recordings, std::int64_t nowNs)
{
    if (!m_rankStates.isWanted() || m_seen.size() != recordings.size())
        return;
    m_shownNs = nowNs;
    std::vector<RankState> ranks;
    for (size_t i = 0; i < recordings.size(); ++i)
        ranks.push_back({.rank = recordings[i]->globalRank(),
                         .attempt = recordings[i]->attempt(),
                         .isRecorded = recordings[i]->isWritten(),
                         .process = m_seen[i],
                         .now = recordings[i]->now(),
                         .firstOperation = recordings[i]->firstOperation()});
    m_rankStates.show(std::move(ranks));
}

void LiveDiagnosis::wantStacks(const std::vector<diagnose::RankView>& views, std::int64_t nowNs)
{
    std::vector<StackReader::Target> targets;
    std::vector<int> wanted = m_diagnosis.stacksWanted();
    std::ranges::copy_if(m_rankStates.stacksWanted(), std::back_inserter(wanted),
                         [&](int rank) { return std::ranges::count(wanted, rank) == 0; });
    for (const int rank : wanted) {
        const diagnose::RankView* view = viewOf(views, rank);
        if (view != nullptr && view->process.state != diagnose::ProcessView::State::Dead)
            targets.push_back({rank, view->process.pid,
                               view->process.state == diagnose::ProcessView::State::Stopped});
    }
    m_stacks.want(targets, nowNs);
}

} // namespace ringmaster
