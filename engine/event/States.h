#pragma once

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

/// "exit code 1", "killed by SIGKILL", "killed by SIGSEGV (core dumped)"
std::string describe(const ExitStatus& status);

/// "SIGTERM"; "SIGRTMIN+3"; "signal 99" for a number that has no name.
std::string signalName(int signal);

/// "SIGTERM", "TERM" or "15".
std::optional<int> signalFromName(std::string_view name);

} // namespace ringmaster
