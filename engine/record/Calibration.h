#pragma once

#include "engine/base/Result.h"
#include "engine/event/Event.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// What a backend reached between certain hosts when nothing else was asked of them: the ceiling
/// that a job's bandwidth is drawn against, and what a slow wire is slow against.
struct Calibration
{
    struct Point
    {
        std::string collective{};
        std::int64_t bytes = 0;
        double busBandwidth = 0; ///< Bytes a second.
        bool operator==(const Point&) const = default;
    };

    std::string backend{};
    std::string device{};             ///< "cpu", "cuda"
    std::vector<std::string> hosts{}; ///< By name, sorted; one: between processes of this machine.
    std::string machine{};            ///< machineIdentity() where it was asked for.
    int ranks = 0;                    ///< On all of the hosts together.
    std::string type{};
    std::int64_t measuredAtNs = 0; ///< Since 1970.
    std::string run{};
    std::vector<Point> points{}; ///< By collective, then size.

    /// The best that was reached with tensors up to this size; for a collective that wasn't
    /// measured, or a smaller one than any, nothing.
    std::optional<double> ceiling(const std::string& collective, std::int64_t bytes) const;
    bool isOfPair() const { return hosts.size() == 2; }
    bool operator==(const Calibration&) const = default;
};

/// What a calibration depends on: name, processor, processors. Another one's doesn't count.
std::string machineIdentity();

/// `$XDG_STATE_HOME/ringmaster/calibration`
std::filesystem::path calibrationFolder();

/// One for each backend of a calibrating sweep that has measured all of its rows; `events` are its
/// run's, in order.
std::vector<Calibration> calibrationsOf(const std::vector<Event>& events);

/// As JSON, which is what a file of it holds.
std::string calibrationText(const Calibration& calibration);

/// Replaces that of the same backend, hosts and ranks that this machine has kept; another's stays,
/// where several share the folder.
Result<void> keepCalibration(const Calibration& calibration,
                             const std::filesystem::path& folder = calibrationFolder());

/// Newest first, one of each backend, hosts and ranks. Files that aren't calibrations, or are
/// damaged, are left out; so are those of another machine.
std::vector<Calibration>
readCalibrations(const std::filesystem::path& folder = calibrationFolder());

} // namespace ringmaster
