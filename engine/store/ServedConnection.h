#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/store/Poller.h"
#include "engine/store/SocketAddress.h"
#include "engine/store/StoreSession.h"

#include <array>
#include <chrono>

namespace ringmaster {

/// One client's socket at a StoreServer. What is read at once is answered at once, with one write.
/// Holds a buffer only while a request or a reply is there in part.
class ServedConnection final : public Poller::Handler, private StoreSession
{
public:
    using Clock = std::chrono::steady_clock;

    /// The server, as its connections see it.
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void ended(ServedConnection& connection) = 0;
        virtual void refused(const ServedConnection& connection, const Error& reason) = 0;
        /// Has a reply to send once the batch of events is done.
        virtual void hasLateReply(ServedConnection& connection) = 0;
        /// Buffers grew or shrank; false when all connections together hold too much.
        virtual bool accountBuffers(std::size_t before, std::size_t now) = 0;
        virtual void unsettledChanged(bool isUnsettled) = 0;
    };

    /// One for all connections of a thread.
    struct Shared
    {
        Poller& poller;
        Host& host;
        StoreSession::Workspace workspace{};
        std::array<char, 64U << 10U> input{};
    };

    struct Patience
    {
        std::chrono::milliseconds handshake = std::chrono::seconds(10);
        std::chrono::milliseconds request = std::chrono::seconds(60);
    };

    ServedConnection(FileDescriptor socket, const SocketAddress& peer, KeySpace& keys,
                     Shared& shared);
    ~ServedConnection() override;

    Result<void> start();
    void ready(std::uint32_t events) override;
    void sendLateReply();
    /// Ends the connection if its handshake, or a request that it began, takes too long.
    void checkPatience(Clock::time_point now, const Patience& patience);

    int descriptor() const { return m_socket.get(); }
    const SocketAddress::HostBytes& peer() const { return m_peer; }

private:
    enum class Fate { Stays, Ends };

    void replyLater(std::string_view reply) override;
    Fate receiveAndServe();
    Fate serve(std::string_view bytes);
    Fate transmit(std::string& replies);
    Fate sendPending();
    Fate settle(Fate fate);
    Fate refuse(const Error& reason);
    void updateInterest();
    std::size_t pendingBytes() const { return m_output.size() - m_sent; }

    Shared& m_shared;
    FileDescriptor m_socket;
    std::string m_output;
    std::size_t m_sent = 0; ///< Of m_output.
    std::size_t m_accounted = 0;
    Clock::time_point m_unsettledSince;
    SocketAddress::HostBytes m_peer;
    std::uint32_t m_interest = 0;
    bool m_isUnsettled = false;
    bool m_inputEnded = false;
    bool m_hasLateReply = false;
};

} // namespace ringmaster
