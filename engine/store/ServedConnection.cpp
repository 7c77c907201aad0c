#include "engine/store/ServedConnection.h"

#include "engine/store/Codes.h"

#include <cerrno>

#include <sys/epoll.h>
#include <sys/socket.h>

namespace ringmaster {

namespace {

/// A peer that has this much to read is not read from.
constexpr size_t UnreadLimit = StoreSession::RepliesAtOnce;
/// So that one busy peer doesn't keep the others waiting.
constexpr int ReadsInARow = 4;

void shrink(std::string& buffer)
{
    constexpr size_t Kept = 1U << 20U;
    if (buffer.capacity() > Kept)
        std::string().swap(buffer); // Assigning an empty string would keep the memory.
    else
        buffer.clear();
}

} // namespace

ServedConnection::ServedConnection(FileDescriptor socket, const SocketAddress& peer, KeySpace& keys,
                                   Shared& shared)
    : StoreSession(keys), m_shared(shared), m_socket(std::move(socket)), m_peer(peer.host())
{
}

ServedConnection::~ServedConnection()
{
    m_shared.poller.remove(m_socket.get(), *this);
    (void)m_shared.host.accountBuffers(m_accounted, 0);
    if (m_isUnsettled)
        m_shared.host.unsettledChanged(false);
}

Result<void> ServedConnection::start()
{
    m_interest = EPOLLIN;
    RM_TRY(m_shared.poller.add(m_socket.get(), m_interest, *this));
    (void)settle(Fate::Stays);
    return {};
}

void ServedConnection::ready(std::uint32_t events)
{
    Fate fate = Fate::Stays;
    if ((events & EPOLLOUT) != 0)
        fate = sendPending();
    if (fate == Fate::Stays && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0)
        fate = receiveAndServe();
    if (settle(fate) == Fate::Ends)
        m_shared.host.ended(*this);
}

ServedConnection::Fate ServedConnection::receiveAndServe()
{
    for (int turn = 0; turn < ReadsInARow; ++turn) {
        const ssize_t count =
            ::recv(m_socket.get(), m_shared.input.data(), m_shared.input.size(), 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno == EAGAIN ? Fate::Stays : Fate::Ends;
        if (count == 0) {
            m_inputEnded = true;
            return pendingBytes() > 0 ? Fate::Stays : Fate::Ends;
        }
        const auto received = static_cast<size_t>(count);
        if (serve({m_shared.input.data(), received}) == Fate::Ends)
            return Fate::Ends;
        if (received < m_shared.input.size() || pendingBytes() > UnreadLimit)
            break;
    }
    return Fate::Stays;
}

ServedConnection::Fate ServedConnection::serve(std::string_view bytes)
{
    std::string& replies = m_shared.workspace.replies;
    do {
        const Result<void> outcome = receive(bytes, m_shared.workspace);
        bytes = {};
        const Fate fate = transmit(replies);
        shrink(replies);
        if (!outcome)
            return refuse(outcome.error());
        if (fate == Fate::Ends)
            return fate;
    } while (hasBacklog() && pendingBytes() <= UnreadLimit);
    return Fate::Stays;
}

ServedConnection::Fate ServedConnection::transmit(std::string& replies)
{
    if (replies.empty())
        return Fate::Stays;
    // What isn't sent yet goes first.
    if (!m_output.empty()) {
        m_output.append(replies);
        return Fate::Stays;
    }
    m_output.swap(replies);
    const Fate fate = sendPending();
    if (m_output.empty())
        m_output.swap(replies);
    return fate;
}

ServedConnection::Fate ServedConnection::sendPending()
{
    while (pendingBytes() > 0) {
        const ssize_t count =
            ::send(m_socket.get(), m_output.data() + m_sent, pendingBytes(), MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno == EAGAIN ? Fate::Stays : Fate::Ends;
        m_sent += static_cast<size_t>(count);
    }
    m_sent = 0;
    m_output.clear();
    return Fate::Stays;
}

void ServedConnection::replyLater(std::string_view reply)
{
    m_output.append(reply);
    if (!std::exchange(m_hasLateReply, true))
        m_shared.host.hasLateReply(*this);
}

void ServedConnection::sendLateReply()
{
    m_hasLateReply = false;
    if (settle(sendPending()) == Fate::Ends)
        m_shared.host.ended(*this);
}

/// What follows every event: the backlog, the interest, the buffers, the deadline.
ServedConnection::Fate ServedConnection::settle(Fate fate)
{
    if (fate == Fate::Stays && hasBacklog() && pendingBytes() <= UnreadLimit)
        fate = serve({});
    if (fate == Fate::Ends || (m_inputEnded && pendingBytes() == 0))
        return Fate::Ends;
    if (m_output.empty() && heapBytes(m_output) > 0)
        std::string().swap(m_output);
    updateInterest();
    const size_t buffered = bufferedBytes() + heapBytes(m_output);
    const size_t before = std::exchange(m_accounted, buffered);
    if (buffered != before && !m_shared.host.accountBuffers(before, buffered))
        return refuse({{code::StoreFull, {{"limit", "bytes in transit"}}}});
    const bool isUnsettled = stage() != Stage::Established || hasPartialRequest();
    if (isUnsettled && (stage() == Stage::Established || !m_isUnsettled))
        m_unsettledSince = Clock::now();
    if (isUnsettled != std::exchange(m_isUnsettled, isUnsettled))
        m_shared.host.unsettledChanged(isUnsettled);
    return Fate::Stays;
}

void ServedConnection::updateInterest()
{
    const std::uint32_t input = m_inputEnded || pendingBytes() > UnreadLimit ? 0U : EPOLLIN;
    const std::uint32_t interest = input | (pendingBytes() > 0 ? EPOLLOUT : 0U);
    if (interest != m_interest) {
        m_interest = interest;
        m_shared.poller.change(m_socket.get(), interest, *this);
    }
}

ServedConnection::Fate ServedConnection::refuse(const Error& reason)
{
    m_shared.host.refused(*this, reason);
    return Fate::Ends;
}

void ServedConnection::checkPatience(Clock::time_point now, const Patience& patience)
{
    const bool isHandshake = stage() != Stage::Established;
    const auto limit = isHandshake ? patience.handshake : patience.request;
    if (!m_isUnsettled || now - m_unsettledSince < limit)
        return;
    const char* what =
        isHandshake ? "it does not finish its handshake" : "it began a request and did not go on";
    refuse({{code::StoreProtocolViolation, {{"what", what}}}});
    m_shared.host.ended(*this);
}

} // namespace ringmaster
