#pragma once

#include "engine/lead/Gatherer.h"

#include <string>

namespace ringmaster {

/// Pulls the operations of one host's ranks, and what they are in now.
class OperationGatherer : public Gatherer
{
public:
    class Sink
    {
    public:
        virtual ~Sink() = default;
        virtual void operationsCame(const std::string& agent, const OperationRow& row) = 0;
        virtual void ranksSeen(const std::string& agent,
                               const std::vector<RankActivity>& ranks) = 0;
        /// Of which ranks the stack is wanted, whoever's they are.
        virtual std::vector<int> stacksWanted() const = 0;
    };

    OperationGatherer(EventLoop& loop, Sink& sink, std::string agent, std::function<void()> done);

private:
    void ask(AgentClient& client) override;
    void pulled(const Result<OperationPage>& page);
    void seen(const Result<std::vector<RankActivity>>& ranks);

    Sink& m_sink;
    std::string m_agent;
    std::uint64_t m_cursor = 0;
};

} // namespace ringmaster
