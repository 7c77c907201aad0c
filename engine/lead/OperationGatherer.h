#pragma once

#include "engine/lead/Gatherer.h"

#include <cstdint>
#include <limits>
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
        /// All that was there at `askedNs`, by the lead's clock, has come; AtItsEnd: nothing more
        /// will be there.
        virtual void allCame(const std::string& agent, std::int64_t askedNs) = 0;
        /// Of which ranks the stack is wanted, whoever's they are.
        virtual std::vector<int> stacksWanted() const = 0;
    };

    static constexpr std::int64_t AtItsEnd = std::numeric_limits<std::int64_t>::max();

    OperationGatherer(EventLoop& loop, Sink& sink, std::string agent, std::function<void()> done);

private:
    void ask(AgentClient& client) override;
    void pulled(const Result<OperationPage>& page);
    void seen(const Result<std::vector<RankActivity>>& ranks);

    Sink& m_sink;
    std::string m_agent;
    std::uint64_t m_cursor = 0;
    std::int64_t m_askedNs = 0; ///< The question that is on its way.
};

} // namespace ringmaster
