#pragma once

#include "engine/base/EventLoop.h"
#include "engine/control/AgentClient.h"

#include <functional>
#include <memory>
#include <string>

namespace ringmaster {

/// Pulls the operations of one host's ranks, page by page, and what they are in now: one answer is
/// on its way at a time, so a fast job fills no memory. Lives on the lead's loop.
class OperationGatherer
{
public:
    class Sink
    {
    public:
        virtual ~Sink() = default;
        virtual void operationsCame(const std::string& agent, const OperationRow& row) = 0;
        virtual void ranksSeen(const std::string& agent, const std::vector<RankState>& ranks) = 0;
        /// Of which ranks the stack is wanted, whoever's they are.
        virtual std::vector<int> stacksWanted() const = 0;
    };

    /// `done` after finish(), once all is here or can't be had.
    OperationGatherer(EventLoop& loop, Sink& sink, std::string agent, std::function<void()> done);

    void start(AgentClient& client);
    void stop();
    /// Nothing new is written there any more.
    void finish();

private:
    template <class T>
    std::function<void(Result<T>)> answered(void (OperationGatherer::*then)(const Result<T>&));

    void pull();
    void pulled(const Result<OperationPage>& page);
    void seen(const Result<std::vector<RankState>>& ranks);

    EventLoop& m_loop;
    Sink& m_sink;
    std::string m_agent;
    std::function<void()> m_done;
    AgentClient* m_client = nullptr;
    std::uint64_t m_connection = 0;
    std::uint64_t m_cursor = 0;
    bool m_isFinishing = false;
    bool m_isPulling = false;
    EventLoop::Registration m_next;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster
