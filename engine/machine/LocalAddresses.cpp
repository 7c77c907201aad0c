#include "engine/machine/LocalAddresses.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/LoopbackAddresses.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// As text; an IPv4 address that is mapped into IPv6 as the IPv4 one. Nothing for other families.
std::optional<std::string> textOf(const sockaddr* address)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address == nullptr)
        return std::nullopt;
    if (address->sa_family == AF_INET) {
        const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
        return inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size());
    }
    if (address->sa_family != AF_INET6)
        return std::nullopt;
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
    if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr))
        return inet_ntop(AF_INET, v6->sin6_addr.s6_addr + 12, text.data(), text.size());
    return inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size());
}

/// Such an address means nothing without its interface.
bool isLinkLocal(const sockaddr* address)
{
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

/// Of all interfaces, loopback too.
std::vector<std::string> interfaceAddresses()
{
    std::vector<std::string> addresses;
    ifaddrs* interfaces = nullptr;
    if (getifaddrs(&interfaces) != 0)
        return addresses;
    for (const ifaddrs* each = interfaces; each != nullptr; each = each->ifa_next) {
        if (auto text = textOf(each->ifa_addr); text && !isLinkLocal(each->ifa_addr))
            addresses.push_back(*std::move(text));
    }
    freeifaddrs(interfaces);
    return addresses;
}

std::vector<std::string> lookUp(const std::string& host)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    std::vector<std::string> addresses;
    if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0)
        return addresses;
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        if (auto text = textOf(each->ai_addr))
            addresses.push_back(*std::move(text));
    }
    return addresses;
}

bool isAmong(const std::vector<std::string>& addresses, const std::string& address)
{
    return std::find(addresses.begin(), addresses.end(), address) != addresses.end();
}

} // namespace

bool isLoopbackName(const std::string& host)
{
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string shortHostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::vector<std::string> listenAddresses(const std::string& host)
{
    std::vector<std::string> addresses = loopbackAddresses();
    if (isLoopbackName(host))
        return addresses;
    const std::vector<std::string> own = interfaceAddresses();
    const auto add = [&](const std::string& address) {
        if (isAmong(own, address) && !isAmong(addresses, address))
            addresses.push_back(address);
    };
    const std::vector<std::string> found = lookUp(host);
    std::for_each(found.begin(), found.end(), add);
    // Debian's own /etc/hosts has the machine's name at 127.0.1.1, which others don't see.
    if (std::any_of(found.begin(), found.end(), isLoopbackName))
        std::for_each(own.begin(), own.end(), add);
    return addresses;
}

bool isThisMachine(const std::string& host)
{
    if (isLoopbackName(host) || host == shortHostName())
        return true;
    const std::vector<std::string> own = interfaceAddresses();
    const std::vector<std::string> found = lookUp(host);
    return std::any_of(found.begin(), found.end(), [&](const std::string& address) {
        return isLoopbackName(address) || isAmong(own, address);
    });
}

std::optional<std::string> addressOfInterface(const std::string& name)
{
    ifaddrs* interfaces = nullptr;
    if (getifaddrs(&interfaces) != 0)
        return std::nullopt;
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(interfaces, &freeifaddrs);
    std::optional<std::string> found;
    for (const ifaddrs* each = interfaces; each != nullptr; each = each->ifa_next) {
        if (each->ifa_name != name || each->ifa_addr == nullptr)
            continue;
        if (each->ifa_addr->sa_family == AF_INET)
            return textOf(each->ifa_addr);
        if (!found)
            found = textOf(each->ifa_addr);
    }
    return found;
}

std::optional<std::string> addressTowards(const std::string& host)
{
    constexpr const char* AnyPort =
        "9"; // discard; connecting a datagram socket only asks for a route
    addrinfo hints{};
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(host.c_str(), AnyPort, &hints, &found) != 0)
        return std::nullopt;
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        const FileDescriptor socket(::socket(each->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        sockaddr_storage own{};
        socklen_t size = sizeof own;
        auto* name = reinterpret_cast<sockaddr*>(&own);
        if (::connect(socket.get(), each->ai_addr, each->ai_addrlen) == 0 &&
            ::getsockname(socket.get(), name, &size) == 0)
            return textOf(name);
    }
    return std::nullopt;
}

std::string fullHostName()
{
    std::string name = shortHostName();
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_CANONNAME;
    addrinfo* found = nullptr;
    if (getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0)
        return name;
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
    return found->ai_canonname != nullptr ? found->ai_canonname : name;
}

} // namespace ringmaster
