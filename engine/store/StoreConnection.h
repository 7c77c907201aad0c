#pragma once

#include "engine/store/Codes.h"
#include "engine/store/StoreConnector.h"
#include "engine/store/StoreReply.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// One connection of a client to a store. Requests are sent as soon as it stands, without waiting
/// for each other's replies; a WAIT has the connection for itself. Once it is broken it stays so,
/// and whatever was pending has its error. Destroying it drops the callbacks.
class StoreConnection
{
public:
    using Clock = std::chrono::steady_clock;
    using Duration = std::chrono::milliseconds;
    using Answer = std::function<void(Result<StoreReply>)>;

    struct Options
    {
        std::string host{};
        std::uint16_t port = 0;
        Duration connectTimeout = std::chrono::seconds(60);
        Duration replyTimeout = std::chrono::seconds(60); ///< Without a byte of a due reply.
    };

    StoreConnection(EventLoop& loop, Options options);
    StoreConnection(const StoreConnection&) = delete;
    StoreConnection& operator=(const StoreConnection&) = delete;
    ~StoreConnection();

    void request(std::string bytes, StoreReplyReader reader, Answer answer);

    /// Answers once all of `keys` (as on the wire) are there, or with code::StoreKeyMissing; the
    /// connection is idle before. The timeout counts from now.
    void wait(std::vector<std::string> keys, Duration timeout, Answer answer);

    bool isBroken() const { return m_error.has_value(); }
    bool isIdle() const { return !isBroken() && m_pending.empty(); }
    bool wasEverReady() const { return m_wasReady; }

private:
    struct Pending
    {
        StoreReplyReader reader;
        Answer answer;
    };

    void connected(Result<FileDescriptor> socket);
    void sendOutput();
    void receive();
    void answerAll();
    void progressed();
    void watchForSilence();
    void cancelWait();
    void waitAnswered(std::uint8_t reply, const Answer& answer);
    void breakWith(Error error);
    Error problem(Code code, std::string detail = {}) const;

    EventLoop& m_loop;
    Options m_options;
    std::optional<StoreConnector> m_connector;
    FileDescriptor m_socket;
    std::string m_output;
    std::string m_input;
    std::deque<Pending> m_pending;
    std::optional<Error> m_error;
    Clock::time_point m_lastProgress;
    EventLoop::Registration m_readable;
    EventLoop::Registration m_writable;
    EventLoop::Registration m_silenceTimer;
    EventLoop::Registration m_waitTimer;
    std::vector<std::string> m_awaited; ///< By the WAIT that has the connection.
    Duration m_waitTimeout{};
    bool m_isWaiting = false; ///< So that silence is no fault of the server's.
    bool m_isCancelled = false;
    bool m_wasReady = false;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster
