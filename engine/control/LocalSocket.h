#pragma once

#include "engine/base/FileDescriptor.h"

#include <filesystem>

#include <sys/socket.h>
#include <sys/types.h>

namespace ringmaster {

/// A listening Unix socket at `path`, mode 0600. Refused when something is at that path already.
/// A path that is too long for a socket's name is reached through its folder's descriptor.
Result<FileDescriptor> listenLocally(const std::filesystem::path& path);

/// A connection to a Unix socket of this user; one that another user listens on is refused. Never
/// waits: a listener that lives, but whose queue is full, is code::SocketQueueFull.
Result<FileDescriptor> connectLocally(const std::filesystem::path& path);

/// A socket is there that nobody listens at any more, as the kernel says. Never waits.
bool isAbandonedSocket(const std::filesystem::path& path);

/// Whoever is at the other end, as the kernel says (SO_PEERCRED).
Result<ucred> peerOf(int socket);

/// Only the user that Ringmaster runs as may talk to it: what runs can start programs.
Result<void> checkPeer(const ucred& peer, uid_t self);

} // namespace ringmaster
