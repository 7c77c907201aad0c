#pragma once

#include "engine/base/EventLoop.h"
#include "engine/worker/warm/WarmRequest.h"

#include <functional>

namespace ringmaster {

/// Asks the starter for a keeper; starts one where there is none that fits. Lives on the loop's
/// thread; destroying it forgets the question.
class WarmStart
{
public:
    struct Answer
    {
        FileDescriptor socket{};        ///< The agent's end of the keeper's.
        Message how{};                  ///< WarmStart or WarmStartFirst
        std::vector<Message> remarks{}; ///< What was left out.
    };
    /// An error says why the start is cold.
    using Answered = std::function<void(Result<Answer>)>;

    WarmStart(EventLoop& loop, WarmRequest request, Answered answered);
    ~WarmStart();
    WarmStart(const WarmStart&) = delete;
    WarmStart& operator=(const WarmStart&) = delete;

private:
    void ask();
    Result<void> tryToAsk();
    void receive();
    bool mayTryAgain() const;
    void replace();
    void answer(Result<Answer> answer);

    EventLoop& m_loop;
    WarmRequest m_request;
    Answered m_answered;
    std::string m_name;
    FileDescriptor m_connection;
    FileDescriptor m_socket;
    bool m_hasStarted = false;  ///< It has started one, by now or before.
    bool m_isNew = false;       ///< It has started the one that is asked.
    bool m_isReplacing = false; ///< The one that there was is about to end.
    bool m_wasSlow = false;     ///< To ask: a starter may have given this one up.
    int m_tries = 0;
    EventLoop::Registration m_readable;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
