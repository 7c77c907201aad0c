#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/collective/ring/Types.h"

#include <optional>
#include <string>

#include <sys/socket.h>

namespace ringmaster::ring {

/// False when the deadline comes before the descriptor has one of `events`.
bool awaitEvents(int descriptor, short events, Deadline deadline);

/// With errno's text.
tl::unexpected<Error> failedCall(const char* call);

/// Of a plain struct.
template <class T>
Bytes bytesOf(T& value)
{
    return std::as_writable_bytes(std::span(&value, 1));
}

/// All of a plain struct, or an error; the socket may be of any type.
Result<void> sendAll(int socket, ConstBytes bytes, Deadline deadline);
Result<void> receiveAll(int socket, Bytes bytes, Deadline deadline);

/// A listener in the abstract name space, and its name without the leading 0.
struct LocalListener
{
    FileDescriptor socket;
    std::string name;
};
Result<LocalListener> listenLocally(int backlog);
Result<FileDescriptor> connectLocally(const std::string& name);

/// A byte with a descriptor beside it.
Result<void> sendDescriptor(int socket, int descriptor);
Result<FileDescriptor> receiveDescriptor(int socket, Deadline deadline);

struct PeerCredentials
{
    pid_t pid = 0;
    uid_t user = 0;
};
std::optional<PeerCredentials> credentialsOf(int socket);

} // namespace ringmaster::ring
