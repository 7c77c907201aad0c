#pragma once

#include "engine/lead/Gatherer.h"
#include "engine/record/LogPage.h"

namespace ringmaster {

/// Pulls the output of one host's workers.
class LogGatherer : public Gatherer
{
public:
    class Sink
    {
    public:
        virtual ~Sink() = default;
        virtual void logged(const LogChunk& chunk) = 0;
        /// Output that its agent could not keep, in all.
        virtual void logLost(std::uint64_t bytes) = 0;
        /// The next page should wait.
        virtual bool isBehind() const { return false; }
    };

    LogGatherer(EventLoop& loop, Sink& sink, std::function<void()> done);

private:
    void ask(AgentClient& client) override;
    void pulled(const Result<LogPage>& page);

    Sink& m_sink;
    std::uint64_t m_cursor = 0;
    std::uint64_t m_lostBytes = 0;
};

} // namespace ringmaster
