#include "engine/node/LiveDiagnosis.h"

#include "engine/base/Codes.h"

#include <algorithm>
#include <utility>

namespace ringmaster {

namespace {

constexpr std::int64_t IntervalNs = 500'000'000;

Notice::Severity severityOf(diagnose::VerdictKind kind)
{
    switch (kind) {
    case diagnose::VerdictKind::WaitOver: return Notice::Severity::Info;
    case diagnose::VerdictKind::Waiting: return Notice::Severity::Warning;
    case diagnose::VerdictKind::Hang:
    case diagnose::VerdictKind::Mismatch:
    case diagnose::VerdictKind::Straggler: return Notice::Severity::Error;
    }
    return Notice::Severity::Warning;
}

void tell(std::vector<Notice>& notices, const diagnose::Verdict& verdict)
{
    const int rank = verdict.guilty.size() == 1 ? verdict.guilty.front() : -1;
    notices.push_back({severityOf(verdict.kind), rank, verdict.statement});
    for (const Message& message : verdict.evidence) {
        // A wait that is a hang at once has the same evidence.
        if (std::ranges::find(notices, message, &Notice::message) == notices.end())
            notices.push_back({Notice::Severity::Warning, rank, message});
    }
    if (verdict.remedy.code != code::None)
        notices.push_back({Notice::Severity::Warning, rank, verdict.remedy});
}

std::vector<diagnose::RankView> viewsOf(const Recordings& recordings)
{
    std::vector<diagnose::RankView> views;
    for (const auto& recording : recordings)
        views.push_back({.rank = recording->globalRank(),
                         .isRecorded = recording->isWritten(),
                         .track = &recording->track()});
    return views;
}

} // namespace

std::vector<Notice> LiveDiagnosis::end(const Recordings& recordings)
{
    std::vector<Notice> notices;
    if (!std::exchange(m_isOn, false))
        return notices;
    for (const diagnose::Verdict& verdict : m_mismatches.look(viewsOf(recordings)))
        tell(notices, verdict);
    return notices;
}

void LiveDiagnosis::start()
{
    *this = {};
    m_isOn = true;
}

std::vector<Notice> LiveDiagnosis::look(const Recordings& recordings, std::int64_t nowNs)
{
    if (!m_isOn || nowNs - m_lookedNs < IntervalNs)
        return {};
    m_lookedNs = nowNs;
    std::vector<diagnose::RankView> views = viewsOf(recordings);
    for (size_t i = 0; i < views.size(); ++i) {
        if (recordings[i]->isFinished())
            views[i].process.state = diagnose::ProcessView::State::Dead;
        else
            views[i].process = m_processes[views[i].rank].look(recordings[i]->pid(), nowNs);
    }
    std::vector<Notice> notices;
    for (const diagnose::Verdict& verdict : m_mismatches.look(views))
        tell(notices, verdict);
    for (const diagnose::Verdict& verdict : m_waits.look(views, nowNs))
        tell(notices, verdict);
    return notices;
}

} // namespace ringmaster
