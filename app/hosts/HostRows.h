#pragma once

#include "app/widget/StateLook.h"
#include "engine/control/MachineWatch.h"
#include "engine/hosts/Host.h"
#include "engine/hosts/HostReport.h"

#include <QString>

#include <optional>
#include <vector>

namespace ringmaster::app {

/// How a host stands, as far as somebody has asked it.
enum class HostState { NotAsked, Asking, Ready, Questionable, Unusable };

/// What a host had in use at one time, as fractions of all that it has; nothing where it has none.
struct HostSample
{
    std::int64_t atMs = 0; ///< since the epoch
    std::optional<double> load{};
    std::optional<double> memory{};
    std::optional<double> gpuMemory{};
    bool operator==(const HostSample&) const = default;
};

/// One host of the book, what it said last, and what was measured since the page is there.
struct HostRow
{
    static constexpr size_t MostSamples = 40;
    static constexpr size_t MostKept = 240;

    Host host{};
    std::optional<HostReport> report{};
    bool isAsked = false; ///< Under way.
    std::optional<WatchedMachineState>
        watch{};                       ///< Its jobs are shown here, as far as it is reached.
    std::vector<float> load{};         ///< fractions of all cores, oldest first
    std::vector<float> memory{};       ///< fractions in use
    std::vector<float> gpuMemory{};    ///< fractions in use, of all GPUs
    std::vector<HostSample> samples{}; ///< The same with their times, for longer.

    const MachineFacts* facts() const
    {
        return report && report->facts ? &*report->facts : nullptr;
    }
    /// Keeps the samples of a report that came now.
    void take(const HostReport& answer, std::int64_t nowMs);
    bool operator==(const HostRow&) const = default;
};

HostState stateOf(const HostRow& row);
QString word(HostState state);
StateLook lookOf(HostState state, const Tokens& tokens);

/// "any", "8"
QString slotsText(const Host& host);
/// "16 cores", "" where not known; so for all below.
QString coresText(const HostRow& row);
QString loadText(const HostRow& row);
QString memoryText(const HostRow& row);
QString gpusText(const HostRow& row);
/// The same where there is little room.
QString gpusShortText(const HostRow& row);
/// "torch 2.11.0", or what is missing.
QString torchText(const HostRow& row);
QString ncclText(const HostRow& row);
QString agentText(const HostRow& row);
/// "+0.3 ms ± 0.2 ms"
QString clockOffsetText(const HostRow& row);
/// "shown", "connecting…": the jobs that run there; empty where nobody wants to see them.
QString jobsText(const HostRow& row);
/// Why it can't be used, or what is odd: cause and remedy.
QString problemText(const HostRow& row);

} // namespace ringmaster::app
