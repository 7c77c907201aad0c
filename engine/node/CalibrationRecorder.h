#pragma once

#include "engine/event/Event.h"
#include "engine/job/JobSpec.h"

#include <filesystem>
#include <vector>

namespace ringmaster {

/// Keeps what a calibrating sweep found, as soon as its last row is there: of one machine or, at a
/// lead, of a pair of hosts. Does nothing in any other run.
class CalibrationRecorder
{
public:
    explicit CalibrationRecorder(const JobSpec& spec);

    /// What could not be kept, and why.
    std::vector<Message> happened(const Event& event);

private:
    bool m_isCalibrating = false;
    std::vector<Event> m_events; ///< Those that matter.
};

} // namespace ringmaster
