#include "engine/collective/ring/LocalPeers.h"

#include "engine/base/Clock.h"
#include "engine/base/Codes.h"
#include "engine/base/ProcessInfo.h"
#include "engine/collective/Codes.h"
#include "engine/collective/ring/Sockets.h"

#include <cerrno>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster::ring {

namespace {

constexpr std::uint32_t HelloVersion = 2; // Changes with the segment's layout.

struct Hello
{
    std::uint32_t version = HelloVersion;
    std::int32_t localRank = -1;
};

std::string inodeOf(const char* path)
{
    struct stat found
    {
    };
    return ::stat(path, &found) == 0 ? std::to_string(found.st_ino) : "?";
}

/// Shows the others whom to watch; only meaningful where process numbers mean the same.
void introduceSelf(const Segment& segment, int localRank)
{
    const auto self = identityOf(::getpid());
    struct stat space
    {
    };
    (void)::stat("/proc/self/ns/pid", &space); // 0 everywhere if there is no /proc
    RankMemory& rank = segment.rank(localRank);
    rank.startTime.store(self ? self->startTime : 0);
    rank.processSpace.store(space.st_ino);
    rank.process.store(self ? self->pid : 0);
}

/// The next connection from this user; others are turned away.
Result<FileDescriptor> acceptLocally(int listener, Deadline deadline)
{
    while (true) {
        if (!awaitEvents(listener, POLLIN, deadline))
            return fail(code::TimedOut, {{"what", "a rank's connection"}, {"seconds", "?"}});
        FileDescriptor socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
        if (!socket.isOpen() && errno != EINTR && errno != ECONNABORTED)
            return fail(code::SystemCallFailed, {{"call", "accept"}}, errnoText(errno));
        const auto peer = socket.isOpen() ? credentialsOf(socket.get()) : std::nullopt;
        if (peer && peer->user == ::geteuid())
            return socket;
    }
}

int firstMissing(const std::vector<FileDescriptor>& sockets)
{
    for (size_t local = 1; local < sockets.size(); ++local) {
        if (!sockets[local].isOpen())
            return static_cast<int>(local);
    }
    return 0;
}

Result<void> greet(const Segment& segment, std::vector<FileDescriptor>& sockets,
                   FileDescriptor socket, Deadline deadline)
{
    Hello hello;
    RM_TRY(receiveAll(socket.get(), bytesOf(hello), deadline));
    const auto local = static_cast<size_t>(hello.localRank);
    if (hello.version != HelloVersion || local == 0 || local >= sockets.size() ||
        sockets[local].isOpen())
        return fail(code::MalformedMessage, {{"what", "greeting of a rank"}});
    RM_TRY(sendDescriptor(socket.get(), segment.descriptor()));
    sockets[local] = std::move(socket);
    return {};
}

Result<LocalPeers> handOut(KeyValue& store, const std::vector<int>& ranks, Deadline deadline)
{
    Segment segment = RM_TRY(Segment::create(static_cast<int>(ranks.size())));
    introduceSelf(segment, 0);
    LocalListener listener = RM_TRY(listenLocally(static_cast<int>(ranks.size())));
    RM_TRY(store.set("segment/" + std::to_string(ranks.front()), listener.name));
    std::vector<FileDescriptor> sockets(ranks.size());
    while (const int missing = firstMissing(sockets)) {
        auto socket = acceptLocally(listener.socket.get(), deadline);
        if (!socket)
            return fail(
                code::GroupJoinTimedOut,
                {{"rank", std::to_string(ranks[static_cast<size_t>(missing)])}, {"seconds", "?"}});
        RM_TRY(greet(segment, sockets, *std::move(socket), deadline));
    }
    LocalPeers peers{std::move(segment), {}};
    char ready = 0;
    // Each has the segment and has introduced itself in it; then each may look at the others.
    for (size_t local = 1; local < sockets.size(); ++local)
        RM_TRY(receiveAll(sockets[local].get(), bytesOf(ready), deadline));
    for (size_t local = 1; local < sockets.size(); ++local) {
        RM_TRY(sendAll(sockets[local].get(), bytesOf(ready), deadline));
        peers.sockets.emplace_back(static_cast<int>(local), std::move(sockets[local]));
    }
    peers.segment.closeDescriptor();
    return peers;
}

Result<LocalPeers> receive(KeyValue& store, int localRank, const std::vector<int>& ranks,
                           Deadline deadline)
{
    const std::string name =
        RM_TRY(store.get("segment/" + std::to_string(ranks.front()), deadline));
    FileDescriptor socket = RM_TRY(connectLocally(name));
    const auto first = credentialsOf(socket.get());
    if (!first || first->user != ::geteuid())
        return fail(code::GroupPeerRefused);
    Hello hello{HelloVersion, localRank};
    RM_TRY(sendAll(socket.get(), bytesOf(hello), deadline));
    FileDescriptor memory = RM_TRY(receiveDescriptor(socket.get(), deadline));
    Segment segment = RM_TRY(Segment::attach(std::move(memory), static_cast<int>(ranks.size())));
    introduceSelf(segment, localRank);
    char ready = 0;
    RM_TRY(sendAll(socket.get(), bytesOf(ready), deadline));
    RM_TRY(receiveAll(socket.get(), bytesOf(ready), deadline));
    LocalPeers peers{std::move(segment), {}};
    peers.sockets.emplace_back(0, std::move(socket));
    return peers;
}

} // namespace

Result<LocalPeers> meetLocalPeers(KeyValue& store, int localRank, const std::vector<int>& ranks,
                                  Deadline deadline)
{
    return localRank == 0 ? handOut(store, ranks, deadline)
                          : receive(store, localRank, ranks, deadline);
}

std::string hostIdentity()
{
    return clockId() + "/" + inodeOf("/proc/self/ns/net") + "/" + std::to_string(::geteuid());
}

} // namespace ringmaster::ring
