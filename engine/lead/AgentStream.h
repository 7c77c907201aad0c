#pragma once

#include "engine/control/AgentClient.h"
#include "engine/lead/ConnectionReplies.h"
#include "engine/lead/LogGatherer.h"
#include "engine/lead/OperationGatherer.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringmaster {

/// All that the agent of one host has to say: its events, its output, its operations; over one
/// connection after the other, until it has said how it ended and nothing is missing. Lives on the
/// lead's loop.
class AgentStream
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        /// In order, each once.
        virtual void happened(Event event) = 0;
        /// Before it had said how it ended; with a code, the reason is known.
        virtual void broken(const Message& why) = 0;
        /// Nothing is missing any more: the last call.
        virtual void complete() = 0;
    };

    /// Sinks and host outlive this.
    AgentStream(EventLoop& loop, LogGatherer::Sink& logs, OperationGatherer::Sink& operations,
                std::string run, const std::string& agent, Host& host);
    ~AgentStream() { stop(); }
    AgentStream(const AgentStream&) = delete;
    AgentStream& operator=(const AgentStream&) = delete;

    /// Before anything else: another lead had so many of its events, its end among them or not.
    void resume(std::uint64_t sequence, bool hasEnded);
    /// It is gone, and so many events are all that it kept.
    void becomesRecord(std::uint64_t events) { m_keptEvents = events; }
    bool isRecord() const { return m_keptEvents > 0; }

    /// The client is there until stop().
    void start(AgentClient& client);
    void stop();

    /// It has said how.
    bool hasEnded() const { return m_hasEnded; }

private:
    void arrived(std::vector<Event> events);
    void ended(const Result<void>& result);
    void allArrived();
    void completeIfDone();

    Host& m_host;
    const std::string m_run;
    LogGatherer m_logs;
    OperationGatherer m_operations;
    Subscription m_events;
    ConnectionReplies m_replies;
    std::uint64_t m_sequence = 0; ///< The last event that has arrived.
    std::uint64_t m_keptEvents = 0;
    bool m_hasEnded = false;
    bool m_hasAllLogs = false;
    bool m_hasAllOperations = false;
    bool m_isComplete = false;
};

} // namespace ringmaster
