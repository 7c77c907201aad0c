#pragma once

#include "engine/base/EventLoop.h"
#include "engine/control/AgentClient.h"
#include "engine/lead/ConnectionReplies.h"

#include <chrono>
#include <functional>

namespace ringmaster {

/// Pulls what one host's agent keeps, page by page: one answer is on its way at a time, so that a
/// fast writer fills no memory. Lives on the lead's loop.
class Gatherer
{
public:
    /// `done` after finish(), once all is here or can't be had.
    Gatherer(EventLoop& loop, std::function<void()> done);
    virtual ~Gatherer() = default;
    Gatherer(const Gatherer&) = delete;
    Gatherer& operator=(const Gatherer&) = delete;

    void start(AgentClient& client);
    void stop();
    /// Nothing new is written there any more.
    void finish();

protected:
    /// Asks for the next page; the answer comes by answered().
    virtual void ask(AgentClient& client) = 0;

    void pull();
    void pullLater(std::chrono::milliseconds delay);
    /// Nothing more is there now: done, if it is finishing; else asks again after a while.
    void rest(std::chrono::milliseconds interval);
    /// There was no answer; so a few times more.
    void tryAgain(std::chrono::milliseconds interval);
    bool isFinishing() const { return m_isFinishing; }
    AgentClient& client() { return *m_client; }

    /// For a request that goes out now: passes its answer on, on the loop, unless the connection
    /// is another one by then.
    template <class T>
    std::function<void(Result<T>)> answered(std::function<void(const Result<T>&)> then)
    {
        m_isAsking = true;
        return m_replies.onLoop<Result<T>>([this, then = std::move(then)](const Result<T>& result) {
            m_isAsking = false;
            then(result);
        });
    }

private:
    EventLoop& m_loop;
    std::function<void()> m_done;
    ConnectionReplies m_replies;
    AgentClient* m_client = nullptr;
    bool m_isFinishing = false;
    bool m_isAsking = false;
    bool m_mayBeOld = false; ///< The answer that is on its way may be from before finish().
    int m_failures = 0;      ///< In succession.
    EventLoop::Registration m_next;
};

} // namespace ringmaster
