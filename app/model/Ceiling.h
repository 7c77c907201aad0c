#pragma once

#include "engine/control/OperationSummary.h"
#include "engine/event/Snapshot.h"
#include "engine/record/Calibration.h"

#include <QString>

#include <optional>

namespace ringmaster::app {

/// What a calibration found that a bandwidth can be drawn against.
struct Ceiling
{
    QString name{};
    double bytesASecond = 0; ///< busbw
    std::string backend{};

    bool operator==(const Ceiling&) const = default;
};

/// Of one backend on this machine, or between two hosts; measured with as many ranks, where there
/// is such a one. Nothing that wasn't measured.
std::optional<Ceiling> ceilingOf(const std::vector<Calibration>& calibrations,
                                 const std::string& backend, const std::string& collective,
                                 int ranks, std::int64_t bytes,
                                 const std::vector<std::string>& hosts = {});

/// The hosts of these ranks, or of all where none are named, as calibrations name them; empty: this
/// machine.
std::vector<std::string> hostsOf(const RunSnapshot& run, const std::vector<int>& ranks = {});

/// For the operations of a job that take most of its time, on the backend that carried them out;
/// `backend`: of a job whose record doesn't say so.
std::optional<Ceiling> ceilingOf(const std::vector<Calibration>& calibrations,
                                 const OperationSummary& summary, const RunSnapshot& run,
                                 const std::string& backend);

} // namespace ringmaster::app
