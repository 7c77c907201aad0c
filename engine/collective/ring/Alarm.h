#pragma once

#include "engine/collective/ring/Segment.h"

namespace ringmaster::ring {

/// Says that a group is given up, and why, to all ranks of a host. What is waited for comes first:
/// an operation whose data is there completes, one that would have to wait fails.
class Alarm
{
public:
    explicit Alarm(const Segment& segment) : m_segment(&segment) {}

    bool isRaised() const;

    /// The first one holds. Wakes everybody on this host who waits in the segment.
    void raise(const AlarmRecord& record) const;

    AlarmRecord record() const; ///< Only when it is raised.

private:
    const Segment* m_segment;
};

AlarmRecord makeAlarm(int raisedBy, int culprit, const Error& error);

/// What an operation of this rank returns once the alarm is raised.
Error errorOf(const AlarmRecord& alarm, const std::string& operation);

} // namespace ringmaster::ring
