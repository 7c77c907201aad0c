#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/AgentConnection.h"
#include "engine/control/Gate.h"
#include "engine/control/RpcStatus.h"
#include "engine/event/Proto.h"

#include <functional>
#include <optional>
#include <vector>

namespace ringmaster {

/// Reads one stream of events to its end, batch by batch. Its tags keep it alive.
class EventReader : public std::enable_shared_from_this<EventReader>
{
public:
    EventReader(std::shared_ptr<AgentConnection> connection, std::shared_ptr<Gate> gate,
                std::function<void(std::vector<Event>)> events,
                std::function<void(Result<void>)> ended)
        : m_connection(std::move(connection))
        , m_gate(std::move(gate))
        , m_events(std::move(events))
        , m_ended(std::move(ended))
    {
    }

    void start(std::uint64_t sequence)
    {
        v1::SubscribeRequest request;
        request.set_from_sequence(sequence);
        m_connection->begun(m_context);
        m_reader =
            m_connection->stub().PrepareAsyncSubscribe(&m_context, request, m_connection->queue());
        m_reader->StartCall(then(&EventReader::readNext));
    }

    void cancel() { m_context.TryCancel(); }

private:
    void* then(void (EventReader::*step)(bool))
    {
        return RpcQueue::tag([self = shared_from_this(), step](bool ok) { ((*self).*step)(ok); });
    }

    void readNext(bool ok)
    {
        if (ok)
            m_reader->Read(&m_batch, then(&EventReader::arrived));
        else
            m_reader->Finish(&m_status, then(&EventReader::finished));
    }

    void arrived(bool ok)
    {
        std::vector<Event> events;
        for (int i = 0; ok && i < m_batch.events_size(); ++i) {
            auto event = fromProtoOrNotice(m_batch.events(i));
            if (event) {
                events.push_back(*std::move(event));
                continue;
            }
            m_damage = event.error();
            m_context.TryCancel();
            break;
        }
        if (!events.empty())
            m_gate->pass([&] { m_events(std::move(events)); });
        m_batch.Clear();
        readNext(ok);
    }

    void finished(bool /*ok*/)
    {
        const Result<void> result =
            m_damage ? tl::unexpected(*m_damage) : toResult(m_status, m_connection->run());
        m_gate->pass([&] { m_ended(result); });
        m_connection->finished(m_context);
    }

    std::shared_ptr<AgentConnection> m_connection;
    std::shared_ptr<Gate> m_gate;
    std::function<void(std::vector<Event>)> m_events;
    std::function<void(Result<void>)> m_ended;
    std::optional<Error> m_damage;
    grpc::ClientContext m_context;
    grpc::Status m_status;
    v1::EventBatch m_batch;
    std::unique_ptr<grpc::ClientAsyncReader<v1::EventBatch>> m_reader;
};

} // namespace ringmaster
