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

/// For the operations of a job that take most of its time, on the backend that carried them out;
/// `backend`: of a job whose record doesn't say so.
std::optional<Ceiling> ceilingOf(const std::vector<Calibration>& calibrations,
                                 const OperationSummary& summary, const std::string& backend);

} // namespace ringmaster::app
