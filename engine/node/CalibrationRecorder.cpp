#include "engine/node/CalibrationRecorder.h"

#include "engine/job/Sweep.h"
#include "engine/node/Codes.h"
#include "engine/record/Calibration.h"

namespace ringmaster {

CalibrationRecorder::CalibrationRecorder(const JobSpec& spec)
{
    const auto request = sweepOf(spec);
    m_isCalibrating = request && request->isCalibration;
}

std::vector<Message> CalibrationRecorder::happened(const Event& event)
{
    std::vector<Message> problems;
    const bool isRow = std::holds_alternative<SweepRow>(event.body);
    if (!m_isCalibrating || (!isRow && !std::holds_alternative<SweepPlan>(event.body) &&
                             !std::holds_alternative<HostChanged>(event.body) &&
                             !std::holds_alternative<AttemptStarted>(event.body)))
        return problems;
    m_events.push_back(event);
    if (!isRow)
        return problems;
    for (const Calibration& calibration : calibrationsOf(m_events)) {
        const auto kept = keepCalibration(calibration);
        if (!kept)
            problems.push_back(
                {code::CalibrationNotKept,
                 {{"backend", calibration.backend}, {"reason", describe(kept.error())}},
                 {}});
    }
    return problems;
}

} // namespace ringmaster
