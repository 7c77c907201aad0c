#pragma once

#include "engine/collective/ring/Network.h"
#include "engine/collective/ring/Segment.h"

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace ringmaster::ring {

class NetworkConnection;

/// Carries the channels to ranks on other hosts over TCP, in a thread of its own, so that for the
/// algorithms they are channels like any others.
class NetworkLinks
{
public:
    /// Called on the links' thread.
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void alarmArrived(const AlarmRecord& record) = 0;
        virtual void messageChannelsChanged() = 0;
    };

    static Result<std::unique_ptr<NetworkLinks>> make(std::vector<NetworkPeer> peers, Host& host);

    ~NetworkLinks();

    void start();

    /// Sends what was committed, says goodbye and ends the thread; peers that don't read get 5 s.
    void leave();

    Channel outgoing(int rank, Purpose purpose);
    Channel incoming(int rank, Purpose purpose);

    /// Tells all peers, before anything that still waits to be sent for what is given up.
    void raiseAlarm(const AlarmRecord& record);

    void wakeAll();

private:
    NetworkLinks(FileDescriptor poll, FileDescriptor wake, Host& host);
    NetworkConnection& connection(int rank, Purpose purpose);
    void serve();
    void pumpAll();
    void loseCollectives(int rank);
    void listenTo(NetworkConnection& connection, std::uint32_t before);
    bool isFinished() const;
    std::int64_t longestWait() const;
    void poke() const;

    FileDescriptor m_poll;
    FileDescriptor m_wake;
    Host& m_host;
    std::mutex m_mutex; ///< Of the alarm.
    std::optional<AlarmRecord> m_alarm;
    std::atomic<Deadline> m_leaveBy{Deadline::max()};
    std::list<NetworkConnection> m_connections;
    std::jthread m_thread;
};

} // namespace ringmaster::ring
