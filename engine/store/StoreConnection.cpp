#include "engine/store/StoreConnection.h"

#include "engine/store/Codes.h"
#include "engine/store/StoreChecks.h"
#include "engine/store/StoreWire.h"

#include <array>
#include <cerrno>

#include <sys/socket.h>

namespace ringmaster {

using Kind = StoreReplyReader::Kind;

StoreConnection::StoreConnection(EventLoop& loop, Options options)
    : m_loop(loop), m_options(std::move(options))
{
    m_connector.emplace(loop, m_options.host, m_options.port, m_options.connectTimeout,
                        [this](Result<FileDescriptor> socket) { connected(std::move(socket)); });
}

StoreConnection::~StoreConnection() = default;

void StoreConnection::connected(Result<FileDescriptor> socket)
{
    if (!socket) {
        breakWith(socket.error());
        return;
    }
    m_connector.reset();
    m_socket = std::move(*socket);
    m_wasReady = true;
    m_readable = m_loop.watchReadable(m_socket.get(), [this] { receive(); });
    progressed();
    sendOutput();
}

void StoreConnection::request(std::string bytes, StoreReplyReader reader, Answer answer)
{
    if (m_error) {
        m_loop.post(
            [alive = std::weak_ptr<bool>(m_alive), error = *m_error, answer = std::move(answer)] {
                if (!alive.expired())
                    answer(tl::unexpected(error));
            });
        return;
    }
    m_pending.push_back({std::move(reader), std::move(answer)});
    if (m_pending.size() == 1)
        progressed();
    m_output.append(bytes);
    if (m_socket.isOpen() && !m_writable.isActive())
        sendOutput();
}

void StoreConnection::wait(std::vector<std::string> keys, Duration timeout, Answer answer)
{
    std::string bytes;
    wire::appendKeysRequest(bytes, wire::Opcode::Wait, keys);
    m_awaited = std::move(keys);
    m_waitTimeout = timeout;
    m_isWaiting = true;
    m_isCancelled = false;
    m_waitTimer = m_loop.callAfter(timeout, [this] { cancelWait(); });
    request(std::move(bytes), StoreReplyReader(Kind::Byte),
            [this, answer = std::move(answer)](Result<StoreReply> reply) {
                m_waitTimer.cancel();
                if (reply)
                    waitAnswered(static_cast<std::uint8_t>(reply->number), answer);
                else
                    answer(std::move(reply));
            });
}

void StoreConnection::cancelWait()
{
    m_isWaiting = false;
    m_isCancelled = true;
    wire::appendOpcode(m_output, wire::Opcode::CancelWait);
    progressed();
    if (m_socket.isOpen() && !m_writable.isActive())
        sendOutput();
}

void StoreConnection::waitAnswered(std::uint8_t reply, const Answer& answer)
{
    m_isWaiting = false;
    if (!m_isCancelled && reply == wire::WaitDone) {
        answer(StoreReply{});
    } else if (m_isCancelled && reply == wire::WaitCancelled) {
        answer(tl::unexpected(keysMissing(m_awaited, m_waitTimeout)));
    } else if (m_isCancelled && reply == wire::WaitDone) {
        // The keys came while the cancellation was on its way, which is answered all the same.
        m_isCancelled = false;
        m_pending.push_front({StoreReplyReader(Kind::Byte), answer});
    } else {
        m_pending.push_front({StoreReplyReader(Kind::Byte), answer});
        breakWith({{code::StoreProtocolViolation, {{"what", "it answers a WAIT wrongly"}}}});
    }
}

void StoreConnection::sendOutput()
{
    size_t sent = 0;
    while (sent < m_output.size()) {
        const ssize_t count =
            ::send(m_socket.get(), m_output.data() + sent, m_output.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno != EAGAIN) {
            // Later: the caller may be in the middle of using this connection.
            m_writable = m_loop.callAfter({}, [this, why = errnoText(errno)] {
                breakWith(problem(code::StoreConnectionLost, why));
            });
            return;
        }
        if (count < 0)
            break;
        sent += static_cast<size_t>(count);
    }
    m_output.erase(0, sent);
    if (sent > 0)
        progressed();
    if (m_output.empty())
        m_writable.cancel();
    else if (!m_writable.isActive())
        m_writable = m_loop.watchWritable(m_socket.get(), [this] { sendOutput(); });
}

void StoreConnection::receive()
{
    std::array<char, 64U << 10U> buffer;
    const ssize_t count = ::recv(m_socket.get(), buffer.data(), buffer.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        breakWith(problem(code::StoreConnectionLost, count < 0 ? errnoText(errno) : ""));
        return;
    }
    m_input.append(buffer.data(), static_cast<size_t>(count));
    progressed();
    answerAll();
}

void StoreConnection::answerAll()
{
    // An answer may destroy this object, and may ask for more.
    const std::weak_ptr<bool> alive = m_alive;
    size_t used = 0;
    while (!alive.expired() && !m_error && !m_pending.empty()) {
        const Result<bool> complete =
            m_pending.front().reader.read(std::string_view(m_input).substr(used));
        if (!complete) {
            breakWith(complete.error());
            return;
        }
        if (!*complete)
            break;
        Pending done = std::move(m_pending.front());
        m_pending.pop_front();
        used += done.reader.size();
        done.answer(done.reader.take());
    }
    if (alive.expired() || m_error)
        return;
    m_input.erase(0, used);
    if (m_pending.empty() && !m_input.empty())
        breakWith({{code::StoreProtocolViolation, {{"what", "it answers what nobody asked"}}}});
}

void StoreConnection::progressed()
{
    m_lastProgress = Clock::now();
    if (!m_silenceTimer.isActive())
        watchForSilence();
}

/// One timer for all that is pending: replies come in order, so any byte is progress.
void StoreConnection::watchForSilence()
{
    const auto left = m_lastProgress + m_options.replyTimeout - Clock::now();
    m_silenceTimer = m_loop.callAfter(std::max(left, Clock::duration{}), [this] {
        if (m_pending.empty() || m_isWaiting || !m_socket.isOpen())
            return;
        if (Clock::now() - m_lastProgress >= m_options.replyTimeout)
            breakWith(problem(code::StoreUnresponsive));
        else
            watchForSilence();
    });
}

Error StoreConnection::problem(Code code, std::string detail) const
{
    return {{code,
             {{"address", m_options.host + ":" + std::to_string(m_options.port)},
              {"seconds", inSeconds(m_options.replyTimeout)}},
             std::move(detail)}};
}

void StoreConnection::breakWith(Error error)
{
    m_error = std::move(error);
    m_readable.cancel();
    m_writable.cancel();
    m_silenceTimer.cancel();
    m_waitTimer.cancel();
    m_socket.close();
    const std::weak_ptr<bool> alive = m_alive;
    const std::deque<Pending> pending = std::exchange(m_pending, {});
    const Error reason = *m_error;
    for (const Pending& each : pending) {
        if (alive.expired())
            return;
        each.answer(tl::unexpected(reason));
    }
}

} // namespace ringmaster
