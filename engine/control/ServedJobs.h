#pragma once

#include "engine/attach/JobsHere.h"
#include "engine/base/LoopThread.h"

#include <functional>

namespace ringmaster {

/// The jobs of this machine that something else started, for who sits at another one: on a thread
/// of its own ("rm-machine-jobs"), where answers come. Its end waits for what is under way, which
/// returns soon.
class ServedJobs
{
public:
    template <class T>
    using Answer = std::function<void(Result<T>)>;

    ~ServedJobs() { end(); }

    void find(Answer<std::vector<WatchedJob>> answer);
    void look(NamedJob job, Answer<JobFindings> answer);
    void endJob(NamedJob job, Answer<void> answer);
    /// Nothing more is answered.
    void end();

private:
    JobsHere m_jobs; ///< On the thread.
    LoopThread m_thread{"rm-machine-jobs"};
};

} // namespace ringmaster
