#include "engine/collective/ring/NetworkConnection.h"

#include "engine/collective/ring/Call.h"

#include <algorithm>
#include <cerrno>

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace ringmaster::ring {

namespace {

// Kinds of frames that are no slots; those of slots count from 1.
constexpr std::uint32_t GoodbyeFrame = 0xFFFF0001;
constexpr std::uint32_t AlarmFrame = 0xFFFF0002;

} // namespace

NetworkConnection::NetworkConnection(int rank, Purpose purpose, FileDescriptor socket,
                                     Channel::Shape shape)
    : m_rank(rank), m_purpose(purpose), m_socket(std::move(socket)), m_shape(shape)
{
    void* memory = ::mmap(nullptr, 2 * Channel::memoryNeeded(shape), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return;
    m_memory = memory;
    m_outgoing = Channel(m_memory, shape);
    m_incoming = Channel(incomingMemory(), shape);
}

NetworkConnection::~NetworkConnection()
{
    if (m_memory != nullptr)
        ::munmap(m_memory, 2 * Channel::memoryNeeded(m_shape));
}

void* NetworkConnection::incomingMemory() const
{
    return static_cast<std::byte*>(m_memory) + Channel::memoryNeeded(m_shape);
}

void NetworkConnection::sendAlarm(const AlarmRecord& record)
{
    if (!m_alarm || record.sequence < m_alarm->sequence)
        m_alarm = record;
}

void NetworkConnection::sendGoodbye()
{
    if (m_goodbye == Goodbye::Not)
        m_goodbye = Goodbye::Wanted;
}

void NetworkConnection::lose()
{
    m_isLost = m_isLost || !m_peerLeft;
    ::shutdown(m_socket.get(), SHUT_RD);
}

bool NetworkConnection::isDelivered() const
{
    if (m_hasEnded)
        return true;
    if (!hasSaidGoodbye())
        return false;
    // A socket that is closed with something unread is reset, and what is on its way is lost.
    int unacknowledged = 0;
    tcp_info info{};
    socklen_t size = sizeof(info);
    const bool isClosed = ::getsockopt(m_socket.get(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
                          info.tcpi_state == TCP_CLOSE;
    return isClosed || ::ioctl(m_socket.get(), SIOCOUTQ, &unacknowledged) != 0 ||
           unacknowledged == 0;
}

std::uint32_t NetworkConnection::wantedEvents() const
{
    if (m_hasEnded)
        return 0;
    return (m_isBlockedReceiving ? 0U : std::uint32_t{EPOLLIN}) |
           (m_isBlockedSending ? std::uint32_t{EPOLLOUT} : 0U);
}

void NetworkConnection::wakeAll()
{
    m_outgoing.wakeBoth();
    m_incoming.wakeBoth();
}

void NetworkConnection::end(Ending ending)
{
    m_hasEnded = true;
    m_outgoing.end(ending);
    m_incoming.end(ending);
}

/// A process that ends hangs up, or its kernel resets the connection. Any other error is of the way
/// to its host.
void NetworkConnection::failed(int error)
{
    m_isLost = m_isLost || (!m_peerLeft && error != ECONNRESET && error != EPIPE);
}

bool NetworkConnection::pump()
{
    if (m_hasEnded)
        return false;
    const bool hasSent = pumpOut();
    const bool hasReceived = pumpIn();
    return hasSent || hasReceived || m_hasEnded;
}

/// What belongs to an earlier collective than the one that was given up goes before the alarm: its
/// receiver still needs it.
bool NetworkConnection::isAlarmDue() const
{
    const bool isNew = m_alarm && (!m_alarmSent || m_alarm->sequence < m_alarmSent->sequence);
    if (!isNew || m_sent != 0 || m_goodbye == Goodbye::Sent)
        return false;
    return m_purpose == Purpose::Messages || !m_outgoing.canReceive() ||
           meaningOf<Signature>(m_outgoing.header()).sequence >= m_alarm->sequence;
}

bool NetworkConnection::sendAlarmFrame()
{
    if (!m_isSendingAlarm)
        m_alarmSent = m_alarm;
    m_isSendingAlarm = true;
    const auto record = std::as_bytes(std::span(&*m_alarmSent, 1));
    if (!send({static_cast<std::uint32_t>(record.size()), AlarmFrame, {}}, record))
        return false;
    m_isSendingAlarm = false;
    // Where all is given up there is nothing more to say.
    if (m_purpose == Purpose::Messages || m_alarmSent->sequence == 0)
        m_goodbye = Goodbye::Sent;
    return true;
}

/// The slot that comes next: nobody waits for it any more.
bool NetworkConnection::isGivenUp() const
{
    return m_sent == 0 && m_alarmSent &&
           meaningOf<Signature>(m_outgoing.header()).sequence >= m_alarmSent->sequence;
}

bool NetworkConnection::pumpOut()
{
    bool hasMadeRoom = false;
    m_isBlockedSending = false;
    while (!m_hasEnded && !m_isBlockedSending) {
        // A frame that has begun is finished first.
        if (m_isSendingAlarm || isAlarmDue()) {
            if (!sendAlarmFrame())
                return hasMadeRoom;
        } else if (m_outgoing.canReceive() && m_goodbye != Goodbye::Sent) {
            if (!isGivenUp() && !send(m_outgoing.header(), m_outgoing.received()))
                return hasMadeRoom;
            m_outgoing.release();
            hasMadeRoom = true;
        } else if (m_goodbye == Goodbye::Wanted) {
            if (!send({0, GoodbyeFrame, {}}, {}))
                return hasMadeRoom;
            m_goodbye = Goodbye::Sent;
            ::shutdown(m_socket.get(), SHUT_WR);
        } else {
            return hasMadeRoom;
        }
    }
    return hasMadeRoom;
}

bool NetworkConnection::send(const SlotHeader& header, ConstBytes payload)
{
    const ConstBytes start = std::as_bytes(std::span(&header, 1));
    while (m_sent < start.size() + payload.size()) {
        const ConstBytes headerLeft = start.subspan(std::min(m_sent, start.size()));
        const ConstBytes payloadLeft =
            payload.subspan(m_sent > start.size() ? m_sent - start.size() : 0);
        std::array<iovec, 2> parts{
            iovec{const_cast<std::byte*>(headerLeft.data()), headerLeft.size()},
            iovec{const_cast<std::byte*>(payloadLeft.data()), payloadLeft.size()}};
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        const ssize_t sent = ::sendmsg(m_socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            m_sent += static_cast<size_t>(sent);
        } else if (errno == EAGAIN) {
            m_isBlockedSending = true;
            return false;
        } else if (errno != EINTR) {
            // What the peer said before it ended is still to be read: that ends the connection.
            failed(errno);
            m_goodbye = Goodbye::Sent;
            return false;
        }
    }
    m_sent = 0;
    return true;
}

bool NetworkConnection::pumpIn()
{
    bool changed = false;
    m_isBlockedReceiving = false;
    while (!m_hasEnded && receiveHeader()) {
        if (m_header.kind == AlarmFrame || m_header.kind == GoodbyeFrame) {
            if (!receiveInto(Bytes(m_control).first(m_header.bytes), sizeof(m_header)))
                return changed;
            takeControl();
            if (m_arrivedAlarm) {
                // It must be raised before the end behind it shows, or whoever passed it on is
                // named.
                m_received = 0;
                return true;
            }
        } else {
            if (!m_incoming.canSend()) {
                m_isBlockedReceiving = true;
                return changed;
            }
            if (!receiveInto(m_incoming.slotToSend().first(m_header.bytes), sizeof(m_header)))
                return changed;
            m_incoming.commit(m_header);
        }
        m_received = 0;
        changed = true;
    }
    return changed;
}

bool NetworkConnection::receiveHeader()
{
    if (m_received >= sizeof(m_header))
        return true;
    if (!receiveInto(std::as_writable_bytes(std::span(&m_header, 1)), 0))
        return false;
    const bool isControl = m_header.kind == AlarmFrame || m_header.kind == GoodbyeFrame;
    if (m_header.bytes > (isControl ? m_control.size() : m_shape.slotBytes))
        end(Ending::Died); // It isn't one of ours, or its memory is damaged.
    return !m_hasEnded;
}

bool NetworkConnection::receiveInto(Bytes target, size_t start)
{
    while (m_received - start < target.size()) {
        const Bytes left = target.subspan(m_received - start);
        const ssize_t received = ::recv(m_socket.get(), left.data(), left.size(), MSG_DONTWAIT);
        if (received > 0)
            m_received += static_cast<size_t>(received);
        else if (received < 0 && errno == EINTR)
            continue;
        else if (received < 0 && errno == EAGAIN)
            return false;
        else {
            if (received < 0)
                failed(errno);
            end(m_peerLeft ? Ending::Left : m_isLost ? Ending::Lost : Ending::Died);
            return false;
        }
    }
    return true;
}

void NetworkConnection::takeControl()
{
    if (m_header.kind == GoodbyeFrame) {
        m_peerLeft = true;
        return;
    }
    AlarmRecord record;
    std::memcpy(static_cast<void*>(&record), m_control.data(), sizeof(record));
    record.code.back() = '\0';
    record.reason.back() = '\0';
    m_arrivedAlarm = record;
    m_peerLeft = true;
}

} // namespace ringmaster::ring
