#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/ProcessInfo.h"

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// Ends what a keeper that is gone has left, again and again until nothing is. On the loop's
/// thread.
class KeeperSweep
{
public:
    enum class End { AllGone, GivenUp };

    /// `done` is called once for each begin(), and calls end(); it may destroy this.
    /// `otherChildren`: this process's that are no keeper's.
    KeeperSweep(EventLoop& loop, std::string run, std::function<std::vector<pid_t>()> otherChildren,
                std::function<void(End)> done)
        : m_loop(loop)
        , m_run(std::move(run))
        , m_otherChildren(std::move(otherChildren))
        , m_done(std::move(done))
    {
    }

    /// The time runs from now on, in which the keeper and its guard may still end by themselves.
    void begin();
    bool isUnderWay() const { return m_isUnderWay; }
    /// They have. What a warm keeper left descended from others, and is found by the run's token.
    void sweep(pid_t keeper, bool isWarm) { sweep(keeper, isWarm, std::chrono::milliseconds(1)); }
    void end();

private:
    void sweep(pid_t keeper, bool isWarm, std::chrono::milliseconds pause);
    bool findByToken();
    void tell(End end);

    EventLoop& m_loop;
    const std::string m_run;
    const std::function<std::vector<pid_t>()> m_otherChildren;
    const std::function<void(End)> m_done;
    bool m_isUnderWay = false;
    std::set<ProcessIdentity> m_found{}; ///< Found by the token, and not gone yet.
    EventLoop::Registration m_again;
    EventLoop::Registration m_limit;
};

} // namespace ringmaster
