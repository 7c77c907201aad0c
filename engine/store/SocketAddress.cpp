#include "engine/store/SocketAddress.h"

#include "engine/store/Codes.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

namespace ringmaster {

namespace {

const sockaddr_in& v4(const sockaddr_storage& storage)
{
    return reinterpret_cast<const sockaddr_in&>(storage);
}

const sockaddr_in6& v6(const sockaddr_storage& storage)
{
    return reinterpret_cast<const sockaddr_in6&>(storage);
}

/// The zone of a link-local address: an interface's name or number.
std::uint32_t scopeOf(const std::string& zone)
{
    if (const unsigned index = if_nametoindex(zone.c_str()); index != 0)
        return index;
    std::uint32_t number = 0;
    std::from_chars(zone.data(), zone.data() + zone.size(), number);
    return number;
}

} // namespace

SocketAddress::SocketAddress(const sockaddr* address, socklen_t length)
    : m_length(std::min<socklen_t>(length, sizeof m_storage))
{
    std::memcpy(&m_storage, address, m_length);
}

SocketAddress::SocketAddress(const HostBytes& host)
{
    const bool mapped = IN6_IS_ADDR_V4MAPPED(reinterpret_cast<const in6_addr*>(host.data()));
    m_storage.ss_family = mapped ? AF_INET : AF_INET6;
    m_length = mapped ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (mapped)
        std::memcpy(&reinterpret_cast<sockaddr_in&>(m_storage).sin_addr, &host[12], 4);
    else
        std::memcpy(&reinterpret_cast<sockaddr_in6&>(m_storage).sin6_addr, host.data(), 16);
}

Result<SocketAddress> SocketAddress::parse(std::string_view host, std::uint16_t port)
{
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    if (inet_pton(AF_INET, std::string(host).c_str(), &four.sin_addr) == 1)
        return SocketAddress(reinterpret_cast<const sockaddr*>(&four), sizeof four);
    const size_t zone = std::min(host.find('%'), host.size());
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    if (zone < host.size())
        six.sin6_scope_id = scopeOf(std::string(host.substr(zone + 1)));
    if (inet_pton(AF_INET6, std::string(host.substr(0, zone)).c_str(), &six.sin6_addr) == 1)
        return SocketAddress(reinterpret_cast<const sockaddr*>(&six), sizeof six);
    return fail(code::StoreAddressInvalid, {{"address", std::string(host)}});
}

SocketAddress SocketAddress::ofSocket(int fd)
{
    SocketAddress address;
    address.m_length = sizeof address.m_storage;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&address.m_storage), &address.m_length) != 0)
        return {};
    return address;
}

std::uint16_t SocketAddress::port() const
{
    return ntohs(family() == AF_INET6 ? v6(m_storage).sin6_port : v4(m_storage).sin_port);
}

SocketAddress::HostBytes SocketAddress::host() const
{
    HostBytes bytes{};
    if (family() == AF_INET6) {
        std::memcpy(bytes.data(), &v6(m_storage).sin6_addr, bytes.size());
    } else {
        bytes[10] = bytes[11] = 0xFF;
        std::memcpy(&bytes[12], &v4(m_storage).sin_addr, 4);
    }
    return bytes;
}

bool SocketAddress::isLoopback() const
{
    const HostBytes bytes = host();
    const bool mapped = IN6_IS_ADDR_V4MAPPED(reinterpret_cast<const in6_addr*>(bytes.data()));
    return mapped ? bytes[12] == 127
                  : IN6_IS_ADDR_LOOPBACK(reinterpret_cast<const in6_addr*>(bytes.data()));
}

bool SocketAddress::isWildcard() const
{
    const HostBytes bytes = host();
    const auto from = family() == AF_INET6 ? bytes.begin() : bytes.begin() + 12;
    return std::all_of(from, bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

std::string SocketAddress::hostText() const
{
    char text[INET6_ADDRSTRLEN + 1] = {};
    const void* address = family() == AF_INET6 ? static_cast<const void*>(&v6(m_storage).sin6_addr)
                                               : static_cast<const void*>(&v4(m_storage).sin_addr);
    inet_ntop(family() == AF_INET6 ? AF_INET6 : AF_INET, address, text, sizeof text);
    return text;
}

std::string SocketAddress::text() const
{
    const std::string host = hostText();
    return (family() == AF_INET6 ? "[" + host + "]" : host) + ":" + std::to_string(port());
}

} // namespace ringmaster
