#pragma once

#include "engine/attach/JobFindings.h"
#include "engine/attach/JobWatch.h"
#include "engine/base/Result.h"

#include <mutex>

namespace ringmaster {

class JobLook;

/// The jobs of this machine that something else started: found, looked at, asked to end. One
/// thread's, but for cancel().
class JobsHere
{
public:
    std::vector<WatchedJob> find() { return m_watch.look(); }
    /// Two looks, which takes seconds. An error: there is no such job any more.
    Result<JobFindings> look(const NamedJob& job);
    /// Only ever because a user has said so.
    Result<void> end(const NamedJob& job);
    /// Any thread: what is under way returns soon, what comes at once.
    void cancel();

private:
    JobWatch m_watch;
    std::mutex m_mutex; ///< Of what follows.
    JobLook* m_look = nullptr;
    bool m_isCancelled = false;
};

} // namespace ringmaster
