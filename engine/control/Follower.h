#pragma once

#include "engine/base/EventLoop.h"
#include "engine/control/AgentClient.h"
#include "engine/control/Gate.h"
#include "engine/record/RunCatalog.h"

#include <optional>

namespace ringmaster {

/// Brings the events of one run to one callback: from its agent while that lives (which sends what
/// is recorded first), else from its run file. Lives on the loop of the files' thread.
class Follower : public std::enable_shared_from_this<Follower>
{
public:
    struct Options
    {
        std::string run{};
        std::uint64_t sequence = 0;
        std::function<void(std::vector<Event>)> events{};
        std::function<void(Result<void>)> ended{};
    };

    Follower(EventLoop& loop, RpcQueue& queue, RunCatalog catalog, Options options);

    /// The next step, whatever it is; on the loop.
    void go();

    /// Nothing is called any more, nor runs still. Any thread.
    void close() { m_gate.close(); }

    /// After close(), before the last reference goes: lets go of the agent and the file. Not on the
    /// queue's thread.
    void letGo();

private:
    void goLive(const RunFolder& folder, const AgentRecord& agent);
    void streamEnded(const Result<void>& result);
    void readOn(const RunFolder& folder);
    void giveRecorded(const RunFolder& folder);
    void giveUnseenEnd();
    void goAgainSoon();
    void give(std::vector<Event> events);
    void end(const Result<void>& result);

    EventLoop& m_loop;
    RpcQueue& m_queue;
    RunCatalog m_catalog;
    Options m_options;
    Gate m_gate;
    bool m_isOver = false;
    bool m_wasLive = false;   ///< The agent itself told something.
    bool m_hasReadOn = false; ///< The file had something that the agent had not told.
    std::optional<RunFileReader> m_reader;
    std::unique_ptr<AgentClient> m_client;
    Subscription m_stream;
    std::chrono::milliseconds m_delay{0}; ///< Before the next try to reach the agent.
    EventLoop::Registration m_again;
};

} // namespace ringmaster
