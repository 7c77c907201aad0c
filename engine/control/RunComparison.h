#pragma once

#include "engine/control/OperationSummary.h"
#include "engine/event/Health.h"
#include "engine/job/JobSettings.h"
#include "engine/record/NumberSummary.h"

#include <string>
#include <vector>

namespace ringmaster {

class RunFileReader;

/// A run as it is laid beside others. Figures of its operations and numbers are the last attempt's.
struct ComparedRun
{
    std::string id{};
    std::string name{};
    Health health = Health::Lost;
    Moment startedAt{};
    std::int64_t durationNs = 0; ///< Up to its last event where it hasn't ended.
    int worldSize = 0;
    std::string jobFile{};
    int restartsUsed = 0;
    std::vector<Message> restarts{};         ///< Why, by time.
    std::vector<Message> verdicts{};         ///< Each that was ever stated, as it was stated last.
    Message cause{};                         ///< Of its end; code::None: nothing is told.
    std::optional<double> firstCollective{}; ///< Seconds from the launch.
    OperationSummary operations{};
    /// With the lines of the names that were asked for; of none: of the first twelve.
    NumberSummary numbers{};

    /// Reads all of the run's file, and of its log up to `logBytes`: not for the GUI thread.
    static Result<ComparedRun> read(const RunFileReader& reader,
                                    const std::vector<std::string>& names,
                                    std::uint64_t logBytes = 512ULL << 20U);
};

/// One quantity of several runs.
struct ComparedQuantity
{
    enum class Kind {
        Duration,        ///< Seconds.
        StepsASecond,    ///< By the operations' rhythm.
        FirstCollective, ///< Seconds from the launch.
        InCollectives,   ///< Part of the time, 0 to 1.
        BusBandwidth,    ///< Bytes a second, of operations of one kind and about one size.
        LastNumber,      ///< Printed.
        Restarts,
    };

    Kind kind = Kind::Duration;
    std::string subject{};                       ///< The operation or the number; else empty.
    std::uint64_t leastBytes = 0;                ///< BusBandwidth: the smallest of these messages.
    std::vector<std::optional<double>> values{}; ///< By run; nothing: it isn't known.

    /// Of a run against the first one; nothing where either is unknown or 0.
    std::optional<double> ratio(size_t run) const;
    bool operator==(const ComparedQuantity&) const = default;
};

/// Two or more runs beside each other. Pure.
struct RunComparison
{
    std::vector<SettingDifference> settings{}; ///< Secrets are masked.
    size_t settingCount = 0;                   ///< Those that are the same, too.
    std::vector<ComparedQuantity> quantities{};

    static RunComparison of(const std::vector<ComparedRun>& runs);
};

} // namespace ringmaster
