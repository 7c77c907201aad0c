#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/worker/warm/WarmRequest.h"

namespace ringmaster {

constexpr std::size_t LongestStarterAnswer = 1U << 20U;

/// A connection to the starter of that name, which may still be importing. Not open where there is
/// none.
FileDescriptor connectToStarter(const std::string& name);

/// Starts one that listens under `name`, in a session of its own, as nobody's child. Not open where
/// another process was faster; connect again then.
Result<FileDescriptor> spawnStarter(const std::string& name, const WarmRequest& request);

/// One question; the descriptor goes with it.
Result<void> askStarter(const FileDescriptor& connection, const std::string& question,
                        const FileDescriptor& attached = {});

} // namespace ringmaster
