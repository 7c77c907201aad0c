#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/ProcessInfo.h"
#include "engine/base/Spawn.h"
#include "engine/worker/WorkerContainer.h"

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include <sys/types.h>

namespace ringmaster {

/// Ends what a keeper that is gone has left, again and again until nothing is; then has podman
/// remove its containers. On the loop's thread.
class KeeperSweep
{
public:
    enum class End { AllGone, GivenUp };

    /// What is known of a keeper and of what it has left.
    struct Kept
    {
        pid_t keeper = -1;
        bool isWarm = false;                        ///< It descended from others.
        std::optional<WorkerContainer> container{}; ///< One of its workers', if they have any.
    };

    /// `done` is called once for each begin(), and calls end(); it may destroy this.
    KeeperSweep(EventLoop& loop, std::string run, std::function<void(End)> done)
        : m_loop(loop), m_run(std::move(run)), m_done(std::move(done))
    {
    }

    /// The time runs from now on, in which the keeper and its guard may still end by themselves.
    void begin();
    bool isUnderWay() const { return m_isUnderWay; }
    /// They have. What a warm keeper or docker's daemon started is found by the run's token.
    void sweep(Kept kept);
    /// By the token, and perhaps not gone yet; empty after end().
    const std::set<ProcessIdentity>& found() const { return m_found; }
    void end();

private:
    void sweepOnce(std::chrono::milliseconds pause);
    bool findByToken();
    void removeContainers();
    void removed();
    void tell(End end);

    EventLoop& m_loop;
    const std::string m_run;
    const std::function<void(End)> m_done;
    bool m_isUnderWay = false;
    bool m_hasRemoved = false; ///< podman was asked.
    Kept m_kept;
    std::set<ProcessIdentity> m_found{}; ///< Found by the token, and not gone yet.
    WatchedChild m_podman;
    EventLoop::Registration m_again;
    EventLoop::Registration m_limit;
    EventLoop::Registration m_removal;
};

} // namespace ringmaster
