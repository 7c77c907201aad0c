#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"
#include "engine/record/Codes.h"

#include <chrono>
#include <filesystem>
#include <stop_token>

namespace ringmaster {

/// The right to write into one run folder: a lock on its file `lock`, which the kernel releases
/// with the process, however that ends.
class RunLock
{
public:
    /// code::RunFileLocked, with the process that has it, when somebody else still writes here
    /// after `patience`. Blocks for that long, or until `stop`.
    static Result<RunLock> acquire(const std::filesystem::path& runFolder,
                                   std::chrono::milliseconds patience = {},
                                   const std::stop_token& stop = {});

private:
    explicit RunLock(FileDescriptor file) : m_file(std::move(file)) {}

    FileDescriptor m_file;
};

} // namespace ringmaster
