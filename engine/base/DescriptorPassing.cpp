#include "engine/base/DescriptorPassing.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <sys/socket.h>

namespace ringmaster {

ssize_t sendWithDescriptors(int socket, std::string_view bytes, std::span<const int> descriptors,
                            int flags)
{
    if (descriptors.size() > MostPassedDescriptors) {
        errno = EINVAL;
        return -1;
    }
    // sendmsg() takes a pointer to non-const and leaves the bytes alone.
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(MostPassedDescriptors * sizeof(int))> control{};
    if (!descriptors.empty()) {
        const std::size_t size = descriptors.size_bytes();
        message.msg_control = control.data();
        message.msg_controllen = CMSG_SPACE(size);
        cmsghdr* item = CMSG_FIRSTHDR(&message);
        item->cmsg_level = SOL_SOCKET;
        item->cmsg_type = SCM_RIGHTS;
        item->cmsg_len = CMSG_LEN(size);
        std::memcpy(CMSG_DATA(item), descriptors.data(), size);
    }
    ssize_t sent = -1;
    do
        sent = sendmsg(socket, &message, flags | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

FileDescriptor receiveDescriptor(int socket)
{
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const bool isByte = recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1;
    const cmsghdr* item = isByte ? CMSG_FIRSTHDR(&message) : nullptr;
    if (item == nullptr || item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS)
        return {};
    // Alignment leaves room for more than one, and all that came are this process's.
    std::array<int, MostPassedDescriptors> numbers{};
    const std::size_t size = std::min(item->cmsg_len - CMSG_LEN(0), sizeof numbers);
    std::memcpy(numbers.data(), CMSG_DATA(item), size);
    std::vector<FileDescriptor> received;
    for (std::size_t i = 0; i < size / sizeof(int); ++i)
        received.emplace_back(numbers[i]);
    return received.size() == 1 ? std::move(received.front()) : FileDescriptor();
}

} // namespace ringmaster
