#pragma once

#include "engine/base/FileDescriptor.h"

#include <filesystem>

namespace ringmaster {

/// Waits until no other process holds this lock (flock(2)), whose file is made where there is none.
/// It is held until the descriptor is closed, by the process's death too. Where the file system has
/// no locks, nobody is waited for.
Result<FileDescriptor> waitForLock(const std::filesystem::path& path);

/// An errno of flock(2): this mount has no locks (Lustre's noflock, NFS without its lock service).
bool meansNoLocks(int error);

} // namespace ringmaster
