#include "engine/node/ProcessWatch.h"

#include "engine/base/Files.h"
#include "engine/base/ProcessInfo.h"

namespace ringmaster {

namespace {

/// A waiting process still wakes up now and then.
constexpr double IdleShare = 0.03;

/// The third field of /proc/PID/stat, behind the name, which may hold anything; 0: no process.
char stateLetterOf(int pid)
{
    const auto text = readFile("/proc/" + std::to_string(pid) + "/stat", 4096);
    const size_t nameEnd = text ? text->rfind(')') : std::string::npos;
    return nameEnd != std::string::npos && nameEnd + 2 < text->size() ? (*text)[nameEnd + 2] : '\0';
}

} // namespace

diagnose::ProcessView ProcessWatch::look(int pid, std::int64_t nowNs)
{
    diagnose::ProcessView view{.pid = pid};
    if (pid <= 0)
        return view;
    if (pid != m_pid)
        *this = {};
    m_pid = pid;
    const char letter = stateLetterOf(pid);
    const auto usage = usageOf(pid);
    if (letter == '\0' || letter == 'Z' || letter == 'X' || !usage) {
        view.state = diagnose::ProcessView::State::Dead;
        return view;
    }
    const bool isStopped = letter == 'T' || letter == 't';
    view.state =
        isStopped ? diagnose::ProcessView::State::Stopped : diagnose::ProcessView::State::Alive;
    if (m_lookedNs == 0) {
        m_idleSinceNs = nowNs;
    } else if (nowNs > m_lookedNs) {
        m_share =
            static_cast<double>(usage->cpuNs - m_cpuNs) / static_cast<double>(nowNs - m_lookedNs);
        if (m_share > IdleShare)
            m_idleSinceNs = nowNs;
    }
    m_lookedNs = nowNs;
    m_cpuNs = usage->cpuNs;
    view.idleNs = nowNs - m_idleSinceNs;
    view.cpuShare = m_share;
    return view;
}

} // namespace ringmaster
