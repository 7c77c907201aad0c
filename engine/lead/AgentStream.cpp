#include "engine/lead/AgentStream.h"

#include "engine/event/States.h"

#include <utility>

namespace ringmaster {

AgentStream::AgentStream(EventLoop& loop, LogGatherer::Sink& logs,
                         OperationGatherer::Sink& operations, std::string run,
                         const std::string& agent, Host& host)
    : m_host(host)
    , m_run(std::move(run))
    , m_logs(loop, logs,
             [this] {
                 m_hasAllLogs = true;
                 completeIfDone();
             })
    , m_operations(loop, operations, agent,
                   [this] {
                       m_hasAllOperations = true;
                       completeIfDone();
                   })
    , m_replies(loop)
{
}

void AgentStream::resume(std::uint64_t sequence, bool hasEnded)
{
    m_sequence = sequence;
    m_hasEnded = hasEnded;
}

void AgentStream::start(AgentClient& client)
{
    m_events = client.subscribe(
        m_sequence, m_replies.onLoop<std::vector<Event>>([this](std::vector<Event> events) {
            arrived(std::move(events));
        }),
        m_replies.onLoop<Result<void>>([this](const Result<void>& result) { ended(result); }));
    m_logs.start(client);
    m_operations.start(client);
    if (m_hasEnded || (isRecord() && m_sequence >= m_keptEvents))
        allArrived();
}

void AgentStream::stop()
{
    m_replies.drop();
    m_logs.stop();
    m_operations.stop();
    m_events.cancel();
}

void AgentStream::arrived(std::vector<Event> events)
{
    for (Event& event : events) {
        // At least once: what came twice was heard before.
        if (event.id.sequence <= m_sequence)
            continue;
        m_sequence = event.id.sequence;
        event.id.run = m_run;
        const auto* state = std::get_if<RunStateChanged>(&event.body);
        const bool isEnd = state != nullptr && isFinal(state->state);
        m_host.happened(std::move(event));
        if (isEnd || m_sequence == m_keptEvents)
            allArrived();
    }
}

void AgentStream::ended(const Result<void>& result)
{
    if (!m_hasEnded)
        m_host.broken(result ? Message{} : Message(result.error()));
}

void AgentStream::allArrived()
{
    m_hasEnded = true;
    m_logs.finish();
    m_operations.finish();
}

void AgentStream::completeIfDone()
{
    if (m_hasEnded && m_hasAllLogs && m_hasAllOperations && !std::exchange(m_isComplete, true))
        m_host.complete();
}

} // namespace ringmaster
