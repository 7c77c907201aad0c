#pragma once

#include "engine/base/ControlGroup.h"
#include "engine/worker/KeeperProtocol.h"

namespace ringmaster::keeper {

constexpr int CouldNotExecute = 127; ///< An exit code, as a shell's.
/// Where the kernel can't close a range of them: Linux before 5.11.
constexpr int LastDescriptorTried = 65536;

/// Why a child that was forked didn't become the worker's program.
struct LaunchFailure
{
    SpawnStep step = SpawnStep::Fork;
    int error = 0;
};

/// Closes this descriptor and all above it.
void closeFrom(int first);

/// A forked child on its way to exec.
struct StartingChild
{
    pid_t pid = -1;
    int error = 0;            ///< Where pid is -1.
    FileDescriptor outcome{}; ///< Readable: a LaunchFailure, or the end: its program runs.
};

/// In a forked child: session, signals, streams and folder of a worker, whose program comes next.
/// The step SpawnStep::Program with error 0: all is done.
LaunchFailure prepareWorker(const Launch& launch, const std::vector<FileDescriptor>& streams,
                            pid_t keeper, void (*resetSignals)(bool ignoreHangup));

/// Forks and returns at once; exec, which may take long on a network file system, goes on in the
/// child. `streams` become its 0, 1 and 2. It is born in the group, where there is one.
StartingChild startChild(const Launch& launch, const std::vector<FileDescriptor>& streams,
                         const ControlGroup& group);

} // namespace ringmaster::keeper
