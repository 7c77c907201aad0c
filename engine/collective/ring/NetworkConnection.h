#pragma once

#include "engine/collective/ring/Network.h"
#include "engine/collective/ring/Segment.h"

#include <optional>

namespace ringmaster::ring {

/// One TCP connection and the two channels that it carries, of which collectives use one. Used by
/// the links' thread alone, but for the channels' other ends.
class NetworkConnection
{
public:
    NetworkConnection(int rank, Purpose purpose, FileDescriptor socket, Channel::Shape shape);
    ~NetworkConnection();
    NetworkConnection(const NetworkConnection&) = delete;
    NetworkConnection& operator=(const NetworkConnection&) = delete;

    int rank() const { return m_rank; }
    Purpose purpose() const { return m_purpose; }
    int socket() const { return m_socket.get(); }
    void* outgoingMemory() const { return m_memory; }
    void* incomingMemory() const;
    Channel::Shape shape() const { return m_shape; }

    bool hasMemory() const { return m_memory != nullptr; }
    bool hasEnded() const { return m_hasEnded; }
    /// The kernel gave its peer up, which has said no goodbye.
    bool isLost() const { return m_isLost; }
    bool hasSaidGoodbye() const { return m_goodbye == Goodbye::Sent; }
    /// Closed now, nothing that was said would be lost.
    bool isDelivered() const;

    void sendAlarm(const AlarmRecord& record);
    void sendGoodbye(); ///< After all that was committed.
    void lose();        ///< Its peer is lost: ends it, once what has arrived is read.

    /// Moves what can be moved without waiting; true if a channel has changed.
    bool pump();
    std::uint32_t wantedEvents() const;

    /// An alarm that has arrived, once.
    std::optional<AlarmRecord> takeAlarm() { return std::exchange(m_arrivedAlarm, std::nullopt); }

    void wakeAll();

private:
    enum class Goodbye { Not, Wanted, Sent };

    bool pumpOut();
    bool isAlarmDue() const;
    bool sendAlarmFrame();
    bool isGivenUp() const;
    bool pumpIn();
    bool send(const SlotHeader& header, ConstBytes payload);
    bool receiveHeader();
    /// True: all of `target` has come, whose first byte is the frame's byte `start`.
    bool receiveInto(Bytes target, size_t start);
    void takeControl();
    void end(Ending ending);
    void failed(int error);

    int m_rank;
    Purpose m_purpose;
    FileDescriptor m_socket;
    Channel::Shape m_shape;
    void* m_memory = nullptr;
    Channel m_outgoing;                     ///< What the algorithms commit, we send.
    Channel m_incoming;                     ///< What we receive, the algorithms read.
    std::optional<AlarmRecord> m_alarm;     ///< To tell the peer.
    std::optional<AlarmRecord> m_alarmSent; ///< Or being sent.
    std::optional<AlarmRecord> m_arrivedAlarm;
    Goodbye m_goodbye = Goodbye::Not;
    bool m_isSendingAlarm = false;
    size_t m_sent = 0; ///< Of the frame being sent, its header included.
    size_t m_received = 0;
    SlotHeader m_header{};
    std::array<std::byte, sizeof(AlarmRecord)> m_control{};
    bool m_isBlockedSending = false;
    bool m_isBlockedReceiving = false; ///< The channel is full: its reader is slow.
    bool m_peerLeft = false;
    bool m_isLost = false;
    bool m_hasEnded = false;
};

} // namespace ringmaster::ring
