#pragma once

#include "engine/base/EventLoop.h"
#include "engine/control/AgentClient.h"
#include "engine/record/LogPage.h"

#include <functional>
#include <memory>
#include <string>

namespace ringmaster {

/// Pulls the output of one host's workers, page by page: one is on its way at a time, so a fast
/// writer fills no memory. Lives on the lead's loop.
class LogGatherer
{
public:
    class Sink
    {
    public:
        virtual ~Sink() = default;
        virtual void logged(const LogChunk& chunk) = 0;
        /// Output that its agent could not keep, in all.
        virtual void logLost(std::uint64_t bytes) = 0;
    };

    /// `done` after finish(), once all is here or can't be had.
    LogGatherer(EventLoop& loop, Sink& sink, std::string host, std::function<void()> done);

    void start(AgentClient& client);
    void stop();
    /// Nothing new is written there any more.
    void finish();

    /// Gone with this object: for answers that come on another thread.
    const std::shared_ptr<bool>& alive() const { return m_alive; }

private:
    void pull();
    void pulled(const Result<LogPage>& page);

    EventLoop& m_loop;
    Sink& m_sink;
    std::string m_host;
    std::function<void()> m_done;
    AgentClient* m_client = nullptr;
    std::uint64_t m_connection = 0;
    std::uint64_t m_cursor = 0;
    std::uint64_t m_lostBytes = 0;
    bool m_isFinishing = false;
    bool m_isPulling = false;
    EventLoop::Registration m_next;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster
