#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"

namespace ringmaster {

/// A TCP port of 127.0.0.1 that somebody has asked for: who is logged in on this machine can reach
/// it, nobody else.
struct LoopbackListener
{
    FileDescriptor socket{}; ///< Not blocking.
    int port = 0;
};

/// `port` 0: a free one. `taken` and `refused` are what is said where it can't be had, of {port}.
Result<LoopbackListener> listenOnLoopback(int port, Code taken, Code refused);

} // namespace ringmaster
