#pragma once

#include "engine/worker/Descendants.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ringmaster::keeper {

/// Stops the sessions of workers in order: the worker first, the rest when it has ended. A worker
/// that saves what it has needs its data loaders for that. Lives in the keeper, whose children all
/// orphans become.
class SessionStop
{
public:
    /// `ended` is told once a stop that nothing of the session is left, the worker included.
    explicit SessionStop(std::function<void(std::int32_t localRank)> ended);

    /// Also after the worker has ended: then the rest is told. SIGKILL is for the worker, and
    /// what its shell ran, where it was stopped before: the rest hears what it was to hear. `rows`
    /// are this process's descendants; look() follows.
    void stop(std::int32_t localRank, pid_t leader, int number,
              const std::vector<ProcessRow>& rows);

    /// To be called when children have ended, too.
    void look();

    void forget() { m_stops.clear(); }

private:
    struct Stop
    {
        pid_t leader = 0;
        int restNumber = 0;
        std::vector<ProcessRow> told{}; ///< The rest waits until these have ended.
        bool isRestTold = false;
    };

    bool isOver(Stop& stop, const std::vector<ProcessRow>& rows) const;

    std::function<void(std::int32_t)> m_ended;
    std::map<std::int32_t, Stop> m_stops; ///< By local rank.
};

} // namespace ringmaster::keeper
