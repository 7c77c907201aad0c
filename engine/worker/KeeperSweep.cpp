#include "engine/worker/KeeperSweep.h"

#include "engine/base/ControlGroup.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessSignal.h"
#include "engine/worker/Subreaper.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include <sys/wait.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds FirstPause = 1ms;
constexpr std::chrono::milliseconds LongestPause = 100ms;
constexpr auto LongestSweep = 8s;
constexpr auto LongestRemoval = 10s;

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

void KeeperSweep::sweep(Kept kept)
{
    m_kept = std::move(kept);
    sweepOnce(FirstPause);
}

void KeeperSweep::sweepOnce(std::chrono::milliseconds pause)
{
    ControlGroup group = ControlGroup::ofKeeper(ControlGroup::place(), m_run, m_kept.keeper);
    // Before the group is killed, which takes their environment. Whoever is found may have started
    // another behind the search.
    const bool isAnyFound = (m_kept.isWarm || m_kept.container) && findByToken();
    group.kill();
    for (const ProcessIdentity& process : m_found)
        (void)signalProcess(process, SIGKILL);
    std::erase_if(m_found, [](const ProcessIdentity& process) { return !isAlive(process); });
    const int left = sweepDescendants();
    if (left == 0 && m_found.empty() && !isAnyFound) {
        group.remove();
        // Who is ending can't be found any more, but still is there.
        if (!group.exists())
            return removeContainers();
    }
    m_again =
        m_loop.callAfter(pause, [this, pause] { sweepOnce(std::min(2 * pause, LongestPause)); });
}

/// Keeper and guard may both have been killed before they had podman do so.
void KeeperSweep::removeContainers()
{
    const std::vector<std::string> command =
        m_kept.container ? removalCommand(*m_kept.container) : std::vector<std::string>();
    if (command.empty() || std::exchange(m_hasRemoved, true))
        return tell(End::AllGone);
    auto podman = spawnWatched({.command = command,
                                .environment = m_kept.container->environment,
                                .descriptors = {-1, -1, -1}});
    if (!podman) {
        log::warning("worker", "containers may be left: " + describe(podman.error()));
        return tell(End::AllGone);
    }
    m_podman = *std::move(podman);
    m_removal = m_loop.watchReadable(m_podman.pidfd.get(), [this] { removed(); });
    // removed() follows, unless it waits in the kernel.
    m_limit = m_loop.callAfter(LongestRemoval, [this] {
        (void)signalPidfd(m_podman.pidfd.get(), SIGKILL);
        m_limit = m_loop.callAfter(LongestSweep, [this] { tell(End::GivenUp); });
    });
}

/// podman itself may have left something.
void KeeperSweep::removed()
{
    m_removal.cancel();
    m_podman.pidfd.close();
    (void)::waitpid(m_podman.pid, nullptr, WNOHANG);
    m_limit = m_loop.callAfter(LongestSweep, [this] { tell(End::GivenUp); });
    sweepOnce(FirstPause);
}

void KeeperSweep::tell(End end)
{
    m_again.cancel();
    m_limit.cancel();
    m_removal.cancel();
    const auto done = m_done;
    done(end);
}

void KeeperSweep::end()
{
    m_again.cancel();
    m_limit.cancel();
    m_removal.cancel();
    m_isUnderWay = false;
    m_hasRemoved = false;
    m_kept = {};
    m_found.clear();
}

} // namespace ringmaster
