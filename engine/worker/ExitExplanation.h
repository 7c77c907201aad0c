#pragma once

#include "engine/base/Error.h"
#include "engine/base/SignalName.h"
#include "engine/worker/OutOfMemoryWatch.h"
#include "engine/worker/Output.h"
#include "engine/worker/WorkerExit.h"

#include <string_view>

namespace ringmaster {

/// What is known about a worker's end.
struct ExitFacts
{
    int globalRank = 0;
    WorkerExit exit{};
    bool endedByAgent = false; ///< The agent had sent it a signal before.
    int userSignal = 0;        ///< The last one that the user had sent to it.
    bool isDrill = false;      ///< It was a fire drill's.
    OutOfMemoryWatch::Finding outOfMemory = OutOfMemoryWatch::Finding::No;
    const WorkerExitReport& exitReport;
};

/// C++'s word for a thread that is still running while its owner is destroyed.
bool isAbortOfThread(std::string_view standardError);

/// Why a worker ended, in one sentence that names the remedy where there is one. Pure.
Message explainExit(const ExitFacts& facts);

} // namespace ringmaster
