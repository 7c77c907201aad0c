#include "engine/node/LiveDiagnosis.h"

#include "engine/node/WirePromises.h"

#include <utility>

namespace ringmaster {

namespace {

constexpr std::int64_t IntervalNs = 500'000'000;

} // namespace

void LiveDiagnosis::start(int attempt)
{
    m_isOn = true;
    m_lookedNs = 0;
    m_processes.clear();
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
    if (!std::exchange(m_isOn, false))
        return {};
    return m_diagnosis.end(viewsOf(recordings, nowNs), nowNs);
}

std::vector<Verdict> LiveDiagnosis::look(const Recordings& recordings, std::int64_t nowNs)
{
    if (!m_isOn || nowNs - m_lookedNs < IntervalNs)
        return {};
    m_lookedNs = nowNs;
    const std::vector<diagnose::RankView> views = viewsOf(recordings, nowNs);
    std::vector<Verdict> verdicts = m_diagnosis.look(views, nowNs);
    wantStacks(views, nowNs);
    return verdicts;
}

void LiveDiagnosis::wantStacks(const std::vector<diagnose::RankView>& views, std::int64_t nowNs)
{
    std::vector<StackReader::Target> targets;
    for (const int rank : m_diagnosis.stacksWanted()) {
        const diagnose::RankView* view = viewOf(views, rank);
        if (view != nullptr && view->process.state != diagnose::ProcessView::State::Dead)
            targets.push_back({rank, view->process.pid,
                               view->process.state == diagnose::ProcessView::State::Stopped});
    }
    m_stacks.want(targets, nowNs);
}

} // namespace ringmaster
