#include "engine/collective/ring/Network.h"

#include "engine/base/Codes.h"
#include "engine/collective/Codes.h"
#include "engine/collective/ring/Sockets.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

namespace ringmaster::ring {

namespace {

constexpr std::uint32_t Version = 2;

struct Challenge
{
    std::uint64_t nonce = 0;
};

struct Introduction
{
    std::uint32_t version = Version;
    Purpose purpose = Purpose::Messages; ///< As the connector sees it.
    std::int32_t from = -1;
    std::int32_t to = -1;
    std::uint64_t nonce = 0;
    std::uint64_t proof = 0;
};

struct Welcome
{
    std::uint64_t proof = 0;
};

/// What both sides sign; `side` keeps one's proof from being sent back to it.
struct Signed
{
    std::uint64_t side = 0;
    std::uint64_t challenge = 0;
    std::uint64_t nonce = 0;
    std::uint32_t purpose = 0;
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::uint32_t version = Version;
};
constexpr std::uint64_t Connector = 1;
constexpr std::uint64_t Acceptor = 2;

std::uint64_t randomNumber()
{
    std::uint64_t number = 0;
    (void)!::getrandom(&number, sizeof(number), 0); // Never short for so few bytes.
    return number;
}

std::uint64_t proofOf(const Secret& secret, std::uint64_t side, std::uint64_t challenge,
                      const Introduction& introduction)
{
    Signed text{side,
                challenge,
                introduction.nonce,
                static_cast<std::uint32_t>(introduction.purpose),
                introduction.from,
                introduction.to,
                introduction.version};
    return authenticationCode(secret, bytesOf(text));
}

/// An Internet address of either family, as connect and bind take it.
struct Address
{
    sockaddr_storage storage{};
    socklen_t length = 0;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

void setPort(Address& address, std::uint16_t port)
{
    if (address.storage.ss_family == AF_INET6)
        reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port = htons(port);
    else
        reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port = htons(port);
}

std::uint16_t portOf(const Address& address)
{
    if (address.storage.ss_family == AF_INET6)
        return ntohs(reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_port);
    return ntohs(reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_port);
}

std::string hostOf(const Address& address)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* from = nullptr;
    if (address.storage.ss_family == AF_INET6)
        from = &reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_addr;
    else
        from = &reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_addr;
    (void)::inet_ntop(address.storage.ss_family, from, text.data(), text.size());
    return text.data();
}

std::optional<Address> numericAddress(const std::string& host)
{
    Address address;
    auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
    if (::inet_pton(AF_INET, host.c_str(), &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        address.length = sizeof(sockaddr_in);
        return address;
    }
    if (::inet_pton(AF_INET6, host.c_str(), &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        address.length = sizeof(sockaddr_in6);
        return address;
    }
    return std::nullopt;
}

/// How well an interface's address serves: IPv4 first, a link's own IPv6 address not at all.
int rating(const ifaddrs& entry, const std::string& wanted)
{
    if (entry.ifa_addr == nullptr || (entry.ifa_flags & IFF_UP) == 0)
        return 0;
    if (wanted.empty() ? (entry.ifa_flags & IFF_LOOPBACK) != 0 : wanted != entry.ifa_name)
        return 0;
    if (entry.ifa_addr->sa_family == AF_INET)
        return 2;
    if (entry.ifa_addr->sa_family != AF_INET6)
        return 0;
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(entry.ifa_addr);
    return IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr) ? 0 : 1;
}

Result<Address> addressOf(const std::string& interface)
{
    if (const auto numeric = numericAddress(interface))
        return *numeric;
    ifaddrs* first = nullptr;
    if (::getifaddrs(&first) != 0)
        return fail(code::SystemCallFailed, {{"call", "getifaddrs"}}, errnoText(errno));
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> entries(first, &::freeifaddrs);
    const ifaddrs* best = nullptr;
    for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
        if (rating(*entry, interface) > (best == nullptr ? 0 : rating(*best, interface)))
            best = entry;
    }
    if (best == nullptr && interface.empty())
        return *numericAddress("127.0.0.1");
    if (best == nullptr)
        return fail(code::GroupInterfaceUnknown, {{"interface", interface}});
    Address address;
    address.length =
        best->ifa_addr->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    std::memcpy(&address.storage, best->ifa_addr, address.length);
    return address;
}

struct Listener
{
    FileDescriptor socket;
    std::string place; ///< "port address"
};

Result<Listener> listenOn(const std::string& interface, size_t backlog)
{
    Address address = RM_TRY(addressOf(interface));
    setPort(address, 0);
    FileDescriptor socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.isOpen() || ::bind(socket.get(), address.get(), address.length) != 0 ||
        ::listen(socket.get(), static_cast<int>(backlog)) != 0 ||
        ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address.storage),
                      &address.length) != 0)
        return fail(code::SystemCallFailed, {{"call", "listen"}}, errnoText(errno));
    return Listener{std::move(socket), std::to_string(portOf(address)) + " " + hostOf(address)};
}

void tune(int socket)
{
    const int on = 1;
    // A host that is gone says nothing: probed after 2 s of silence, given up after 6 more.
    const int idle = 2;
    const int probes = 3;
    const unsigned unacknowledged = 8000;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &idle, sizeof(idle));
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged, sizeof(unacknowledged));
}

/// The kernel counts the time in which the receiver has no room, too: a slow one isn't lost. If it
/// is, it notices that itself.
void waitForSlowReceiver(int socket)
{
    const unsigned unlimited = 0;
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unlimited, sizeof(unlimited));
}

tl::unexpected<Error> unreachable(int rank, const std::string& place)
{
    return fail(code::GroupPeerUnreachable, {{"rank", std::to_string(rank)}, {"address", place}},
                errnoText(errno));
}

Result<FileDescriptor> connectTo(int rank, const std::string& place, Deadline deadline)
{
    std::uint16_t port = 0;
    const auto parsed = std::from_chars(place.data(), place.data() + place.size(), port);
    auto address = numericAddress(place.substr(std::min(place.size(), place.find(' ') + 1)));
    if (parsed.ec != std::errc() || !address)
        return fail(code::MalformedMessage, {{"what", "address of a rank"}});
    setPort(*address, port);
    FileDescriptor socket(
        ::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.isOpen())
        return unreachable(rank, place);
    if (::connect(socket.get(), address->get(), address->length) != 0 && errno != EINPROGRESS)
        return unreachable(rank, place);
    int error = ETIMEDOUT;
    socklen_t length = sizeof(error);
    if (awaitEvents(socket.get(), POLLOUT, deadline))
        ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length);
    errno = error;
    if (error != 0)
        return unreachable(rank, place);
    tune(socket.get());
    return socket;
}

Result<void> introduce(int socket, const NetworkPlace& place, int peer, Purpose purpose,
                       Deadline deadline)
{
    Challenge challenge;
    RM_TRY(receiveAll(socket, bytesOf(challenge), deadline));
    Introduction introduction{Version, purpose, place.rank, peer, randomNumber(), 0};
    introduction.proof = proofOf(place.secret, Connector, challenge.nonce, introduction);
    RM_TRY(sendAll(socket, bytesOf(introduction), deadline));
    Welcome welcome;
    RM_TRY(receiveAll(socket, bytesOf(welcome), deadline));
    if (welcome.proof != proofOf(place.secret, Acceptor, challenge.nonce, introduction))
        return fail(code::GroupPeerRefused);
    return {};
}

/// Connects to a rank that accepts, as often as it hangs up because this one got no turn in the
/// time of a handshake. Who is hung up on sooner is refused.
Result<FileDescriptor> reachPeer(int rank, const std::string& at, const NetworkPlace& place,
                                 Purpose purpose, Deadline deadline)
{
    while (true) {
        const auto begun = Deadline::clock::now();
        FileDescriptor socket = RM_TRY(connectTo(rank, at, deadline));
        const auto introduced = introduce(socket.get(), place, rank, purpose, deadline);
        if (introduced)
            return socket;
        const auto now = Deadline::clock::now();
        const bool wasHungUpOn = introduced.error().code == code::SystemCallFailed;
        if (!wasHungUpOn || now - begun < place.handshakeTime || now >= deadline)
            return tl::unexpected(introduced.error());
    }
}

/// Who is there, once it has proved that it may.
Result<Introduction> welcome(int socket, const NetworkPlace& place)
{
    const Deadline deadline = Deadline::clock::now() + place.handshakeTime;
    Challenge challenge{randomNumber()};
    RM_TRY(sendAll(socket, bytesOf(challenge), deadline));
    Introduction introduction;
    RM_TRY(receiveAll(socket, bytesOf(introduction), deadline));
    const bool isKnown =
        introduction.version == Version && introduction.to == place.rank &&
        std::ranges::find(Purposes, introduction.purpose) != Purposes.end() &&
        introduction.proof == proofOf(place.secret, Connector, challenge.nonce, introduction);
    if (!isKnown)
        return fail(code::GroupPeerRefused);
    Welcome answer{proofOf(place.secret, Acceptor, challenge.nonce, introduction)};
    RM_TRY(sendAll(socket, bytesOf(answer), deadline));
    return introduction;
}

/// As the other side sees it.
Purpose mirrored(Purpose purpose)
{
    switch (purpose) {
    case Purpose::CollectivesOut: return Purpose::CollectivesIn;
    case Purpose::CollectivesIn: return Purpose::CollectivesOut;
    case Purpose::Messages: break;
    }
    return purpose;
}

/// Takes one connection if it is a peer's; anybody else's is closed and forgotten.
Result<void> acceptOne(int listener, const NetworkPlace& place, std::vector<NetworkPeer>& peers)
{
    FileDescriptor socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.isOpen() && (errno == EMFILE || errno == ENFILE))
        return fail(code::SystemCallFailed, {{"call", "accept"}}, errnoText(errno));
    if (!socket.isOpen())
        return {};
    tune(socket.get());
    const auto who = welcome(socket.get(), place);
    const auto peer = std::ranges::find(peers, who ? who->from : -1, &NetworkPeer::rank);
    if (peer == peers.end())
        return {};
    FileDescriptor& connection = peer->connection(mirrored(who->purpose));
    if (!connection.isOpen())
        connection = std::move(socket);
    return {};
}

const NetworkPeer* firstMissing(const std::vector<NetworkPeer>& peers)
{
    const auto found = std::ranges::find_if(peers, [](const NetworkPeer& peer) {
        return !std::ranges::all_of(peer.connections, &FileDescriptor::isOpen);
    });
    return found == peers.end() ? nullptr : &*found;
}

} // namespace

Result<std::vector<NetworkPeer>> meetNetworkPeers(KeyValue& store, const NetworkPlace& place,
                                                  Deadline deadline)
{
    const Listener listener =
        RM_TRY(listenOn(place.interface, place.peers.size() * Purposes.size()));
    RM_TRY(store.set("address/" + std::to_string(place.rank), listener.place));
    std::vector<NetworkPeer> peers;
    // Each connects to those before it, which accept once they have connected to theirs.
    for (const int rank : place.peers) {
        NetworkPeer& peer = peers.emplace_back(NetworkPeer{rank});
        if (rank > place.rank)
            continue;
        const std::string at = RM_TRY(store.get("address/" + std::to_string(rank), deadline));
        for (const Purpose purpose : Purposes)
            peer.connection(purpose) = RM_TRY(reachPeer(rank, at, place, purpose, deadline));
    }
    while (const NetworkPeer* missing = firstMissing(peers)) {
        if (!awaitEvents(listener.socket.get(), POLLIN, deadline))
            return fail(code::GroupJoinTimedOut, {{"rank", std::to_string(missing->rank)}});
        RM_TRY(acceptOne(listener.socket.get(), place, peers));
    }
    for (NetworkPeer& peer : peers)
        waitForSlowReceiver(peer.connection(Purpose::CollectivesOut).get());
    return peers;
}

} // namespace ringmaster::ring
