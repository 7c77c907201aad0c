#include "engine/event/States.h"

#include <array>

namespace ringmaster {

namespace {

using namespace std::string_view_literals;

constexpr auto WorkerStateNames = std::to_array(
    {"UNKNOWN"sv, "INIT"sv, "HEALTHY"sv, "UNHEALTHY"sv, "STOPPED"sv, "SUCCEEDED"sv, "FAILED"sv});
constexpr auto RunStateNames =
    std::to_array({"starting"sv, "running"sv, "restarting"sv, "stopping"sv, "succeeded"sv,
                   "failed"sv, "stopped"sv, "lost"sv});
constexpr auto StreamNames = std::to_array({"stdout"sv, "stderr"sv});

constexpr auto LessonStepNames =
    std::to_array({"line"sv, "call"sv, "return"sv, "hazard"sv, "error"sv, "chunk"sv, "fault"sv,
                   "limit"sv, "finish"sv});

template <class Enum, size_t N>
std::optional<Enum> fromName(const std::array<std::string_view, N>& names, std::string_view name)
{
    for (size_t i = 0; i < N; ++i) {
        if (names.at(i) == name)
            return static_cast<Enum>(i);
    }
    return std::nullopt;
}

} // namespace

std::string_view nameOf(WorkerState state)
{
    return WorkerStateNames.at(static_cast<size_t>(state));
}

std::optional<WorkerState> workerStateFromName(std::string_view name)
{
    return fromName<WorkerState>(WorkerStateNames, name);
}

std::string_view nameOf(RunState state)
{
    return RunStateNames.at(static_cast<size_t>(state));
}

std::optional<RunState> runStateFromName(std::string_view name)
{
    return fromName<RunState>(RunStateNames, name);
}

std::string_view nameOf(Stream stream)
{
    return StreamNames.at(static_cast<size_t>(stream));
}

std::optional<Stream> streamFromName(std::string_view name)
{
    return fromName<Stream>(StreamNames, name);
}

std::string_view nameOf(HostChanged::State state)
{
    switch (state) {
    case HostChanged::State::Connecting: return "connecting";
    case HostChanged::State::Connected: return "connected";
    case HostChanged::State::Lost: return "lost";
    case HostChanged::State::Gone: return "gone";
    case HostChanged::State::Finished: return "finished";
    case HostChanged::State::StandingBy: return "standing by";
    case HostChanged::State::Reconnecting: return "reconnecting";
    }
    return "";
}

std::string_view nameOf(RankEvidence::Source source)
{
    switch (source) {
    case RankEvidence::Source::System: return "/proc";
    case RankEvidence::Source::WorkerServer: return "torch's worker server";
    case RankEvidence::Source::PySpy: return "py-spy";
    }
    return "";
}

std::string_view nameOf(RankEvidence::Process process)
{
    switch (process) {
    case RankEvidence::Process::Unknown: return "unknown";
    case RankEvidence::Process::Running: return "running";
    case RankEvidence::Process::Waiting: return "waiting";
    case RankEvidence::Process::WaitingForDisk: return "waiting for a disk";
    case RankEvidence::Process::Stopped: return "stopped";
    case RankEvidence::Process::Ended: return "ended";
    }
    return "";
}

std::string_view nameOf(LessonStep::Kind kind)
{
    return LessonStepNames.at(static_cast<size_t>(kind));
}

std::string describe(const ExitStatus& status)
{
    if (status.signal == 0)
        return "exit code " + std::to_string(status.code);
    return "killed by " + signalName(status.signal) + (status.coreDumped ? " (core dumped)" : "");
}

} // namespace ringmaster
