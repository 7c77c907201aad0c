#pragma once

#include "engine/base/Result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <sys/socket.h>

namespace ringmaster {

/// An IPv4 or IPv6 address with a port, as the kernel has it. Made of text without any look-up.
class SocketAddress
{
public:
    /// An IPv4 address in IPv6's form, so that both compare.
    using HostBytes = std::array<std::uint8_t, 16>;

    SocketAddress() = default;
    SocketAddress(const sockaddr* address, socklen_t length);
    explicit SocketAddress(const HostBytes& host);

    static Result<SocketAddress> parse(std::string_view host, std::uint16_t port);
    /// The address that a bound socket has.
    static SocketAddress ofSocket(int fd);

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&m_storage); }
    socklen_t length() const { return m_length; }
    int family() const { return m_storage.ss_family; }

    std::uint16_t port() const;
    HostBytes host() const;
    bool isLoopback() const;
    bool isWildcard() const;
    /// "127.0.0.1", "::1".
    std::string hostText() const;
    /// "127.0.0.1:29500", "[::1]:29500".
    std::string text() const;

private:
    sockaddr_storage m_storage{};
    socklen_t m_length = 0;
};

} // namespace ringmaster
