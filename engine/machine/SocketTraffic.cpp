#include "engine/machine/SocketTraffic.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// As the kernel's tables have them: words in network order.
struct Connection
{
    int family = AF_INET;
    std::array<std::uint32_t, 4> local{};
    std::array<std::uint32_t, 4> remote{};
    std::uint16_t localPort = 0;
    std::uint16_t remotePort = 0;
};

/// "0100007F:1F90", or 32 digits before the colon.
bool readAddress(const std::string& text, std::array<std::uint32_t, 4>& words, std::uint16_t& port)
{
    const size_t colon = text.find(':');
    if (colon == std::string::npos || (colon != 8 && colon != 32))
        return false;
    for (size_t i = 0; i * 8 < colon; ++i)
        words[i] =
            static_cast<std::uint32_t>(std::strtoul(text.substr(i * 8, 8).c_str(), nullptr, 16));
    port = static_cast<std::uint16_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 16));
    return true;
}

std::optional<Connection> findConnection(pid_t pid, std::uint64_t inode)
{
    constexpr size_t Largest = 4U << 20U;
    const std::string wanted = std::to_string(inode);
    for (const int family : {AF_INET, AF_INET6}) {
        const auto text = readFile("/proc/" + std::to_string(pid) +
                                       (family == AF_INET ? "/net/tcp" : "/net/tcp6"),
                                   Largest);
        std::istringstream lines(text ? *text : std::string());
        for (std::string line; std::getline(lines, line);) {
            std::istringstream fields(line);
            std::array<std::string, 10> field{};
            for (std::string& one : field)
                fields >> one;
            Connection connection{.family = family};
            if (field[9] == wanted &&
                readAddress(field[1], connection.local, connection.localPort) &&
                readAddress(field[2], connection.remote, connection.remotePort))
                return connection;
        }
    }
    return std::nullopt;
}

std::string peerText(const Connection& connection)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(connection.family, connection.remote.data(), text.data(), text.size());
    std::string address = text.data();
    constexpr std::string_view Mapped = "::ffff:";
    if (address.starts_with(Mapped) && address.find('.') != std::string::npos)
        address.erase(0, Mapped.size());
    else if (connection.family == AF_INET6)
        address = "[" + address + "]";
    return address + ":" + std::to_string(connection.remotePort);
}

bool isInThisNetwork(pid_t pid)
{
    std::array<char, 64> own{};
    std::array<char, 64> other{};
    const std::string path = "/proc/" + std::to_string(pid) + "/ns/net";
    return ::readlink("/proc/self/ns/net", own.data(), own.size() - 1) > 0 &&
           ::readlink(path.c_str(), other.data(), other.size() - 1) > 0 &&
           std::strcmp(own.data(), other.data()) == 0;
}

std::optional<tcp_info> askAbout(const Connection& connection)
{
    const FileDescriptor netlink(
        ::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG));
    struct
    {
        nlmsghdr header{};
        inet_diag_req_v2 request{};
    } question;
    question.header.nlmsg_len = sizeof question;
    question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    question.header.nlmsg_flags = NLM_F_REQUEST;
    inet_diag_req_v2& request = question.request;
    request.sdiag_family = static_cast<std::uint8_t>(connection.family);
    request.sdiag_protocol = IPPROTO_TCP;
    request.idiag_ext = 1U << (INET_DIAG_INFO - 1U);
    request.idiag_states = ~0U;
    request.id.idiag_sport = htons(connection.localPort);
    request.id.idiag_dport = htons(connection.remotePort);
    std::memcpy(request.id.idiag_src, connection.local.data(), sizeof request.id.idiag_src);
    std::memcpy(request.id.idiag_dst, connection.remote.data(), sizeof request.id.idiag_dst);
    request.id.idiag_cookie[0] = request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    alignas(nlmsghdr) std::array<char, 4096> answer{};
    if (!netlink.isOpen() ||
        ::send(netlink.get(), &question, sizeof question, 0) != sizeof question)
        return std::nullopt;
    // The kernel answers within the call that asks.
    const ssize_t size = ::recv(netlink.get(), answer.data(), answer.size(), 0);
    const auto* header = reinterpret_cast<const nlmsghdr*>(answer.data());
    constexpr size_t Begin = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(inet_diag_msg));
    if (size < static_cast<ssize_t>(Begin) || header->nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return std::nullopt;
    for (size_t at = Begin; at + sizeof(nlattr) <= static_cast<size_t>(size);) {
        nlattr attribute = {};
        std::memcpy(&attribute, answer.data() + at, sizeof attribute);
        if (attribute.nla_len < sizeof attribute ||
            at + attribute.nla_len > static_cast<size_t>(size))
            break;
        if (attribute.nla_type == INET_DIAG_INFO) {
            tcp_info info = {};
            std::memcpy(&info, answer.data() + at + NLA_HDRLEN,
                        std::min<size_t>(sizeof info, attribute.nla_len - NLA_HDRLEN));
            return info;
        }
        at += NLA_ALIGN(attribute.nla_len);
    }
    return std::nullopt;
}

} // namespace

std::optional<SocketTraffic> trafficOf(pid_t pid, std::uint64_t inode)
{
    const auto connection = findConnection(pid, inode);
    if (!connection)
        return std::nullopt;
    SocketTraffic traffic{.peer = peerText(*connection)};
    if (!isInThisNetwork(pid))
        return traffic;
    if (const auto info = askAbout(*connection)) {
        traffic.received = static_cast<std::int64_t>(info->tcpi_bytes_received);
        traffic.sent = static_cast<std::int64_t>(info->tcpi_bytes_acked);
    }
    return traffic;
}

} // namespace ringmaster
