#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/Once.h"
#include "engine/control/AgentClient.h"
#include "engine/record/RunCatalog.h"

#include <list>
#include <memory>
#include <optional>
#include <string>

namespace ringmaster {

/// What a front asks of the agents of running runs, and tells them. Each question has a connection
/// of its own, but for the look at the ranks, which comes again and again. Lives on the loop.
class AgentCalls
{
public:
    /// All outlive this.
    AgentCalls(EventLoop& loop, const RunCatalog& catalog, RpcQueue& queue)
        : m_loop(loop), m_catalog(catalog), m_queue(queue)
    {
    }

    void send(const std::string& run, const Command& command, Once<void> answer);
    void takeStacks(const std::string& run, Once<KeptEvidence> answer);
    void lookAtRanks(const std::string& run, Once<RankPlaces> answer);

    /// Waits for what is under way; answers are given. The loop doesn't run any more.
    void end() { m_askers.clear(); }

private:
    /// The agent that was asked for its ranks last.
    struct Looker
    {
        std::string run{};
        std::unique_ptr<AgentClient> client{};
    };

    Result<std::unique_ptr<AgentClient>> connect(const std::string& run) const;
    template <class T, class Call>
    void ask(const std::string& run, Once<T> answer, Call call);

    EventLoop& m_loop;
    const RunCatalog& m_catalog;
    RpcQueue& m_queue;
    std::list<std::unique_ptr<AgentClient>> m_askers;
    std::optional<Looker> m_looker;
};

} // namespace ringmaster
