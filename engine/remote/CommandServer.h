#pragma once

#include "engine/base/FileDescriptor.h"

#include <functional>
#include <string>
#include <vector>

namespace ringmaster {

/// The far end of one command: says CommandSentinel, takes a request, has it carried out by a child
/// of this process, and hands on what that prints and how it ends. Ends with its channel, and after
/// a minute in which it has heard nothing; the child with it. Blocks; before any thread is started.
/// `command` gets the words, in the child; its result is the exit code.
Result<void> serveCommand(FileDescriptor input, FileDescriptor output,
                          const std::function<int(std::vector<std::string>)>& command);

} // namespace ringmaster
