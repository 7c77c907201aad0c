#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"
#include "engine/hosts/Codes.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ringmaster {

/// This Ringmaster's agent, packed for a host of the same architecture: the executables, what is
/// loaded into workers, and the shared libraries that aren't the C library's.
struct AgentBundle
{
    /// A .tar.gz, with a MANIFEST of the files' hashes. Another command may take its name away.
    std::shared_ptr<const FileDescriptor> archive{};
    std::string hash{}; ///< Of the manifest: the bundle's name everywhere.
    std::uint64_t size = 0;
    std::string machine{}; ///< As `uname -m` says.
};

/// Made anew only where the files have changed. Blocks, the first time for seconds.
Result<AgentBundle> agentBundle();

} // namespace ringmaster
