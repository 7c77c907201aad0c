#include "engine/worker/KeeperSweep.h"

#include "engine/base/ControlGroup.h"
#include "engine/base/ProcessSignal.h"
#include "engine/worker/Subreaper.h"

#include <algorithm>
#include <csignal>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds LongestPause = 100ms;
constexpr auto LongestSweep = 8s;

} // namespace

/// True where there is one. A process that ends has lost its environment before it is gone: it
/// isn't found again.
bool KeeperSweep::findByToken()
{
    const auto found = findByEnvironment("RINGMASTER_RUN", {m_run});
    for (const auto& [ignored, process] : found)
        m_found.insert(process);
    return !found.empty();
}

void KeeperSweep::begin()
{
    m_isUnderWay = true;
    m_limit = m_loop.callAfter(LongestSweep, [this] { tell(End::GivenUp); });
}

void KeeperSweep::sweep(pid_t keeper, bool isWarm, std::chrono::milliseconds pause)
{
    ControlGroup group = ControlGroup::ofKeeper(ControlGroup::place(), m_run, keeper);
    // Before the group is killed, which takes their environment. Whoever is found may have started
    // another behind the search.
    const bool isAnyFound = isWarm && findByToken();
    group.kill();
    for (const ProcessIdentity& process : m_found)
        (void)signalProcess(process, SIGKILL);
    std::erase_if(m_found, [](const ProcessIdentity& process) { return !isAlive(process); });
    const int left = sweepDescendants(m_otherChildren());
    if (left == 0 && m_found.empty() && !isAnyFound) {
        group.remove();
        // What is being ended by another can't be found any more, but still is there.
        if (group.processes().empty())
            return tell(End::AllGone);
    }
    m_again = m_loop.callAfter(pause, [this, keeper, isWarm, pause] {
        sweep(keeper, isWarm, std::min(2 * pause, LongestPause));
    });
}

void KeeperSweep::tell(End end)
{
    m_again.cancel();
    m_limit.cancel();
    const auto done = m_done;
    done(end);
}

void KeeperSweep::end()
{
    m_again.cancel();
    m_limit.cancel();
    m_isUnderWay = false;
    m_found.clear();
}

} // namespace ringmaster
