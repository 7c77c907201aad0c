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
    /// For this collective: one that comes before what was given up may complete, since whoever
    /// gave up has done its part of it.
    bool isRaised(std::uint64_t sequence) const;

    /// Of several the one that gives up most holds, else the first. Wakes everybody on this host
    /// who waits in the segment.
    void raise(const AlarmRecord& record) const;

    AlarmRecord record() const; ///< Only when it is raised.

private:
    void write(const AlarmRecord& record) const;

    const Segment* m_segment;
};

/// `sequence`: as in the record.
AlarmRecord makeAlarm(int raisedBy, int culprit, const Error& error, std::uint64_t sequence);

/// What an operation of this rank returns when it needs a rank whose part has ended.
Error endedError(Ending ending, int rank, const std::string& operation);

/// What an operation of this rank returns once the alarm is raised.
Error errorOf(const AlarmRecord& alarm, const std::string& operation);

} // namespace ringmaster::ring
