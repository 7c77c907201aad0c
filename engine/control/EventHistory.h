#pragma once

#include "engine/event/Event.h"

#include <deque>
#include <memory>
#include <vector>

namespace ringmaster {

/// The latest events of a run, by run sequence and without a gap; older ones are in the run file.
class EventHistory
{
public:
    explicit EventHistory(size_t limit) : m_limit(limit) {}

    /// Events that don't follow the last one are refused: a gap must not be passed on.
    bool append(Event event);

    /// True if whatever comes after `sequence` is still here.
    bool reachesBackTo(std::uint64_t sequence) const;

    /// At most `limit` events after `sequence`, from the oldest that is still here.
    std::vector<std::shared_ptr<const Event>> after(std::uint64_t sequence, size_t limit) const;

    std::uint64_t lastSequence() const;

private:
    size_t m_limit;
    std::deque<std::shared_ptr<const Event>> m_events;
};

} // namespace ringmaster
