#pragma once

#include "engine/control/OperationSummary.h"
#include "engine/record/Calibration.h"

#include <QString>

#include <optional>

namespace ringmaster::app {

/// What a calibration found that a bandwidth can be drawn against.
struct Ceiling
{
    QString name{};
    double bytesASecond = 0; ///< busbw

    bool operator==(const Ceiling&) const = default;
};

/// Of one backend on this machine; measured with as many ranks, where there is such a one. Nothing
/// that wasn't measured.
std::optional<Ceiling> ceilingOf(const std::vector<Calibration>& calibrations,
                                 const std::string& backend, const std::string& collective,
                                 int ranks, std::int64_t bytes);

/// For the operations of a job that take most of its time. Where the job doesn't say its backend,
/// it is torch's for the processor, and on a machine with calibrated GPUs it isn't known.
std::optional<Ceiling> ceilingOf(const std::vector<Calibration>& calibrations,
                                 const OperationSummary& summary, std::string backend);

} // namespace ringmaster::app
