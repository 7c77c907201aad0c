#pragma once

#include "engine/base/FileDescriptor.h"

#include <cstddef>
#include <span>
#include <string_view>

#include <sys/types.h>

namespace ringmaster {

/// In one message.
constexpr std::size_t MostPassedDescriptors = 4;

/// One sendmsg() over a local socket, and what it returns; the descriptors go with the first byte
/// (SCM_RIGHTS). Who has gone away is an error (EPIPE), no signal. Interrupted: it is called again.
ssize_t sendWithDescriptors(int socket, std::string_view bytes, std::span<const int> descriptors,
                            int flags = 0);

/// Takes one byte and the descriptor beside it; closed where that isn't what came.
FileDescriptor receiveDescriptor(int socket);

} // namespace ringmaster
