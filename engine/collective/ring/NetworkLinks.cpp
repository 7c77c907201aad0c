#include "engine/collective/ring/NetworkLinks.h"

#include "engine/base/Codes.h"
#include "engine/collective/Codes.h"
#include "engine/collective/ring/NetworkConnection.h"
#include "engine/collective/ring/ServiceThread.h"
#include "engine/collective/ring/Sockets.h"

#include <algorithm>
#include <cerrno>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace ringmaster::ring {

namespace {

constexpr auto TimeToLeave = std::chrono::seconds(5);

Channel::Shape shapeOf(Purpose purpose)
{
    return purpose == Purpose::Messages ? Segment::MessageShape : Segment::CollectiveShape;
}

} // namespace

NetworkLinks::NetworkLinks(FileDescriptor poll, FileDescriptor wake, Host& host)
    : m_poll(std::move(poll)), m_wake(std::move(wake)), m_host(host)
{
}

Result<std::unique_ptr<NetworkLinks>> NetworkLinks::make(std::vector<NetworkPeer> peers, Host& host)
{
    FileDescriptor poll(::epoll_create1(EPOLL_CLOEXEC));
    FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!poll.isOpen() || !wake.isOpen())
        return failedCall("epoll_create1");
    std::unique_ptr<NetworkLinks> links(new NetworkLinks(std::move(poll), std::move(wake), host));
    for (NetworkPeer& peer : peers) {
        for (const Purpose purpose : Purposes)
            links->m_connections.emplace_back(
                peer.rank, purpose, std::move(peer.connection(purpose)), shapeOf(purpose));
    }
    epoll_event event{};
    event.events = EPOLLIN;
    if (::epoll_ctl(links->m_poll.get(), EPOLL_CTL_ADD, links->m_wake.get(), &event) != 0)
        return failedCall("epoll_ctl");
    for (NetworkConnection& connection : links->m_connections) {
        event.data.ptr = &connection;
        if (!connection.hasMemory())
            return fail(code::SharedMemoryNotMade,
                        {{"bytes", std::to_string(2 * Channel::memoryNeeded(connection.shape()))}});
        if (::epoll_ctl(links->m_poll.get(), EPOLL_CTL_ADD, connection.socket(), &event) != 0)
            return failedCall("epoll_ctl");
    }
    return links;
}

NetworkLinks::~NetworkLinks() = default;

void NetworkLinks::start()
{
    m_thread = startServiceThread("rm-ring-tcp", [this] { serve(); });
}

void NetworkLinks::leave()
{
    m_leaveBy = Deadline::clock::now() + TimeToLeave;
    poke();
    if (m_thread.joinable())
        m_thread.join();
}

void NetworkLinks::poke() const
{
    const std::uint64_t one = 1;
    (void)!::write(m_wake.get(), &one, sizeof(one)); // Full means that it is poked already.
}

NetworkConnection& NetworkLinks::connection(int rank, Purpose purpose)
{
    return *std::ranges::find_if(m_connections, [&](const NetworkConnection& connection) {
        return connection.rank() == rank && connection.purpose() == purpose;
    });
}

Channel NetworkLinks::outgoing(int rank, Purpose purpose)
{
    const NetworkConnection& found = connection(rank, purpose);
    Channel channel(found.outgoingMemory(), found.shape());
    channel.setPoke([this] { poke(); });
    return channel;
}

Channel NetworkLinks::incoming(int rank, Purpose purpose)
{
    const NetworkConnection& found = connection(rank, purpose);
    Channel channel(found.incomingMemory(), found.shape());
    channel.setPoke([this] { poke(); });
    return channel;
}

void NetworkLinks::raiseAlarm(const AlarmRecord& record)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_alarm || record.sequence < m_alarm->sequence)
            m_alarm = record;
    }
    poke();
}

void NetworkLinks::wakeAll()
{
    for (NetworkConnection& connection : m_connections)
        connection.wakeAll();
}

void NetworkLinks::serve()
{
    while (!isFinished()) {
        std::array<epoll_event, 16> events{};
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(m_leaveBy.load() - Deadline::clock::now());
        const auto wait = std::clamp<std::int64_t>(left.count(), 0, longestWait());
        (void)::epoll_wait(m_poll.get(), events.data(), static_cast<int>(events.size()),
                           static_cast<int>(wait));
        std::uint64_t pokes = 0;
        (void)!::read(m_wake.get(), &pokes, sizeof(pokes));
        pumpAll();
    }
}

/// In milliseconds. The kernel doesn't tell when the last of what was said has arrived.
std::int64_t NetworkLinks::longestWait() const
{
    const bool isAllSaid =
        m_leaveBy.load() != Deadline::max() &&
        std::ranges::all_of(m_connections, [](const NetworkConnection& connection) {
            return connection.hasEnded() || connection.hasSaidGoodbye();
        });
    return isAllSaid ? 1 : 3'600'000;
}

void NetworkLinks::pumpAll()
{
    // Whoever leaves because of an alarm has raised it before, so this comes first.
    const bool leaving = m_leaveBy.load() != Deadline::max();
    std::optional<AlarmRecord> alarm;
    {
        const std::lock_guard lock(m_mutex);
        alarm = m_alarm;
    }
    for (NetworkConnection& connection : m_connections) {
        const std::uint32_t before = connection.wantedEvents();
        if (alarm)
            connection.sendAlarm(*alarm);
        if (leaving)
            connection.sendGoodbye();
        const bool changed = connection.pump();
        if (const auto arrived = connection.takeAlarm())
            m_host.alarmArrived(*arrived);
        if (changed && connection.purpose() == Purpose::Messages) {
            if (connection.isLost())
                loseCollectives(connection.rank());
            m_host.messageChannelsChanged();
        }
        listenTo(connection, before);
    }
}

/// What sends to a rank may wait for as long as its reader likes: it doesn't notice this itself.
void NetworkLinks::loseCollectives(int rank)
{
    for (const Purpose purpose : {Purpose::CollectivesOut, Purpose::CollectivesIn})
        connection(rank, purpose).lose();
}

void NetworkLinks::listenTo(NetworkConnection& connection, std::uint32_t before)
{
    epoll_event event{};
    event.events = connection.wantedEvents();
    event.data.ptr = &connection;
    if (event.events == before)
        return;
    // Without a wanted event a hang-up would still be reported, again and again.
    const int change = before == 0         ? EPOLL_CTL_ADD
                       : event.events == 0 ? EPOLL_CTL_DEL
                                           : EPOLL_CTL_MOD;
    ::epoll_ctl(m_poll.get(), change, connection.socket(), &event);
}

bool NetworkLinks::isFinished() const
{
    if (m_leaveBy.load() == Deadline::max())
        return false;
    return Deadline::clock::now() >= m_leaveBy.load() ||
           std::ranges::all_of(m_connections, &NetworkConnection::isDelivered);
}

} // namespace ringmaster::ring
