#pragma once

#include "engine/base/FileDescriptor.h"

#include <filesystem>

namespace ringmaster {

/// Waits until no other process holds this lock (flock(2)), whose file is made where there is none.
/// It is held until the descriptor is closed, by the process's death too.
Result<FileDescriptor> waitForLock(const std::filesystem::path& path);

} // namespace ringmaster
