#include "engine/node/ProcessWatch.h"

#include "engine/base/Files.h"
#include "engine/base/ProcessInfo.h"
#include "engine/base/ProcessSignal.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace ringmaster {

namespace {

/// A waiting process still wakes up now and then.
constexpr double IdleShare = 0.03;
constexpr double FrozenShare = 0.2; ///< While its main thread doesn't run at all.
/// Between two looks; waking up costs a few, by event descriptors.
constexpr std::uint64_t IdleBytes = 4096;
constexpr double RecentNs = 5e9; ///< What was before that hardly counts.
/// Longer than this nobody is seen idle between two looks.
constexpr std::int64_t LongestSpanNs = 1'000'000'000;
/// Before that it doesn't matter whether somebody is idle.
constexpr std::int64_t SettledNs = 1'000'000'000;

/// In nanoseconds; 0: the system doesn't say.
struct ThreadTimes
{
    std::uint64_t ran = 0;
    std::uint64_t waited = 0; ///< Ready to run, without a processor.
};

ThreadTimes mainThreadOf(int pid)
{
    const std::string id = std::to_string(pid);
    const auto text = readFile("/proc/" + id + "/task/" + id + "/schedstat", 4096);
    ThreadTimes times;
    if (text) {
        char* end = nullptr;
        times.ran = std::strtoull(text->c_str(), &end, 10);
        times.waited = std::strtoull(end, nullptr, 10);
    }
    return times;
}

std::uint64_t bytesMovedBy(int pid)
{
    const auto text = readFile("/proc/" + std::to_string(pid) + "/io", 4096);
    std::uint64_t bytes = 0;
    for (const std::string_view name : {"rchar: ", "wchar: "}) {
        const size_t at = text ? text->find(name) : std::string::npos;
        if (at != std::string::npos)
            bytes += std::strtoull(text->c_str() + at + name.size(), nullptr, 10);
    }
    return bytes;
}

std::int64_t cpuOf(const std::vector<ProcessRow>& processes)
{
    std::int64_t sum = 0;
    for (const ProcessRow& row : processes) {
        if (const auto usage = usageOf(row.pid))
            sum += usage->cpuNs;
    }
    return sum;
}

} // namespace

/// Whoever waits for its data loader, a child or a disk isn't idle while these are busy, nor is who
/// waits for a processor.
ProcessWatch::Doing ProcessWatch::doingOf(double mostNs, double mostBelowNs, std::int64_t cpuNs,
                                          std::int64_t nowNs, ProcessTable& processes)
{
    if (static_cast<double>(cpuNs - m_cpuNs) > mostNs)
        return Doing::Works;
    const std::vector<ProcessRow> below = processes.descendantsOf(m_pid);
    const std::uint64_t bytes = bytesMovedBy(m_pid);
    const std::int64_t childrenNs = cpuOf(below);
    const bool isQuiet = bytes - m_bytes <= IdleBytes &&
                         static_cast<double>(childrenNs - m_childrenNs) <= mostBelowNs;
    m_bytes = bytes;
    m_childrenNs = childrenNs;
    if (!isQuiet || nowNs - m_idleSinceNs < SettledNs) {
        m_starvation = {};
        return isQuiet ? Doing::Nothing : Doing::Works;
    }
    std::vector<int> pids{m_pid};
    for (const ProcessRow& row : below)
        pids.push_back(row.pid);
    return m_starvation.look(pids, nowNs) ? Doing::GetsNoProcessor : Doing::Nothing;
}

void ProcessWatch::compare(std::int64_t nowNs, std::int64_t cpuNs, bool isReady,
                           ProcessTable& processes)
{
    const auto [ran, waited] = mainThreadOf(m_pid);
    if (m_lookedNs == 0) {
        m_idleSinceNs = m_frozenSinceNs = nowNs;
    } else if (nowNs > m_lookedNs) {
        const std::int64_t passedNs =
            std::max<std::int64_t>(nowNs - std::max(m_lookedNs, m_endedNs), 0);
        const auto spanNs = static_cast<double>(nowNs - m_lookedNs);
        m_share = static_cast<double>(cpuNs - m_cpuNs) / spanNs;
        // Its wait isn't told while it lasts.
        const bool hasNoTurn =
            isReady && ran != 0 && ran == m_mainThreadRan && waited == m_mainThreadWaited;
        const std::uint64_t waitedNs = waited - std::min(waited, m_mainThreadWaited);
        const double wait = hasNoTurn ? 1 : std::min(1.0, static_cast<double>(waitedNs) / spanNs);
        m_processorWait += (wait - m_processorWait) * std::min(1.0, spanNs / RecentNs);
        // Where nobody has looked for longer, all may have been stopped with who looks.
        const std::int64_t judgedNs = std::min(passedNs, LongestSpanNs);
        m_idleSinceNs += passedNs - judgedNs;
        m_frozenSinceNs += passedNs - judgedNs;
        // A thread that only tells where the others stand is no work.
        const bool isFrozen = ran != 0 && ran == m_mainThreadRan;
        const auto judged = static_cast<double>(judgedNs);
        switch (doingOf((isFrozen ? FrozenShare : IdleShare) * judged, IdleShare * judged, cpuNs,
                        nowNs, processes)) {
        case Doing::Works: m_idleSinceNs = nowNs; break;
        case Doing::GetsNoProcessor: m_idleSinceNs += judgedNs; break;
        case Doing::Nothing: break;
        }
        if (!isFrozen)
            m_frozenSinceNs = nowNs;
    }
    m_lookedNs = nowNs;
    m_cpuNs = cpuNs;
    m_mainThreadRan = ran;
    m_mainThreadWaited = waited;
}

void ProcessWatch::lookEnded(std::int64_t ns)
{
    m_endedNs = ns;
    for (std::int64_t* since : {&m_idleSinceNs, &m_frozenSinceNs}) {
        if (*since == m_lookedNs)
            *since = std::max(*since, ns);
    }
}

diagnose::ProcessView ProcessWatch::look(int pid, std::int64_t nowNs, ProcessTable& processes)
{
    diagnose::ProcessView view{.pid = pid};
    if (pid <= 0)
        return view;
    if (pid != m_pid)
        *this = {};
    m_pid = pid;
    const char letter = stateOf(pid);
    const auto usage = usageOf(pid);
    if (letter == '\0' || letter == 'Z' || letter == 'X' || !usage) {
        if (std::exchange(m_isGone, true))
            view.state = diagnose::ProcessView::State::Dead;
        return view;
    }
    m_isGone = false;
    const bool isStopped = letter == 'T' || letter == 't';
    const bool wasStopped = std::exchange(m_isStopped, isStopped);
    view.state = isStopped && wasStopped ? diagnose::ProcessView::State::Stopped
                                         : diagnose::ProcessView::State::Alive;
    compare(nowNs, usage->cpuNs, letter == 'R', processes);
    view.idleNs = std::max<std::int64_t>(nowNs - m_idleSinceNs, 0);
    view.frozenNs = std::max<std::int64_t>(nowNs - m_frozenSinceNs, 0);
    view.cpuShare = m_share;
    view.processorWait = std::clamp(m_processorWait, 0.0, 1.0);
    return view;
}

} // namespace ringmaster
