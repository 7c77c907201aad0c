#pragma once

#include "engine/base/SignalName.h"
#include "engine/event/Event.h"

#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

/// torchelastic's own text: "HEALTHY".
std::string_view nameOf(WorkerState state);
std::optional<WorkerState> workerStateFromName(std::string_view name);

/// Lower case, as `--json` and files carry it: "running".
std::string_view nameOf(RunState state);
std::optional<RunState> runStateFromName(std::string_view name);

/// "stdout", "stderr"
std::string_view nameOf(Stream stream);
std::optional<Stream> streamFromName(std::string_view name);

/// Lower case: "connecting"
std::string_view nameOf(HostChanged::State state);

/// "py-spy", "torch's worker server", "/proc"
std::string_view nameOf(RankEvidence::Source source);
/// Lower case: "waiting for a disk"
std::string_view nameOf(RankEvidence::Process process);

/// "line", "call"
std::string_view nameOf(LessonStep::Kind kind);

/// "exit code 1", "killed by SIGKILL", "killed by SIGSEGV (core dumped)"
std::string describe(const ExitStatus& status);

} // namespace ringmaster
