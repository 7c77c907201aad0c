#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/Cluster.h"
#include "engine/control/Gate.h"
#include "engine/control/RpcConnection.h"
#include "engine/event/Proto.h"

#include <functional>
#include <optional>
#include <vector>

#include <ringmaster.pb.h>

namespace ringmaster {

/// Reads one stream to its end, message by message; the next is fetched when `take` has returned.
/// Its tags keep it alive.
template <class Item>
class StreamReader : public std::enable_shared_from_this<StreamReader<Item>>
{
public:
    /// An error is the end of the stream.
    using Take = std::function<Result<void>(const Item&)>;
    using Ended = std::function<void(Result<void>)>;

    StreamReader(std::shared_ptr<RpcConnection> connection, std::string run, Take take, Ended ended)
        : m_connection(std::move(connection))
        , m_run(std::move(run))
        , m_take(std::move(take))
        , m_ended(std::move(ended))
    {
    }

    /// `prepare` makes the call of a context.
    template <class Prepare>
    void start(Prepare prepare)
    {
        m_connection->begun(m_context);
        m_reader = prepare(&m_context);
        m_reader->StartCall(then(&StreamReader::readNext));
    }

    /// Afterwards nothing is called any more, nor runs still.
    void cancel()
    {
        m_gate.close();
        m_context.TryCancel();
    }

private:
    void* then(void (StreamReader::*step)(bool))
    {
        return RpcQueue::tag(
            [self = this->shared_from_this(), step](bool ok) { ((*self).*step)(ok); });
    }

    void readNext(bool ok)
    {
        if (ok)
            m_reader->Read(&m_item, then(&StreamReader::arrived));
        else
            m_reader->Finish(&m_status, then(&StreamReader::finished));
    }

    void arrived(bool ok)
    {
        if (ok) {
            m_gate.pass([&] {
                if (const auto taken = m_take(m_item); !taken)
                    m_damage = taken.error();
            });
        }
        if (m_damage)
            m_context.TryCancel();
        m_item.Clear();
        readNext(ok);
    }

    void finished(bool /*ok*/)
    {
        const Result<void> result =
            m_damage ? tl::unexpected(*m_damage) : toResult(m_status, m_run);
        m_gate.pass([&] { m_ended(result); });
        m_connection->finished(m_context);
    }

    std::shared_ptr<RpcConnection> m_connection;
    std::string m_run;
    Take m_take;
    Ended m_ended;
    Gate m_gate;
    std::optional<Error> m_damage;
    grpc::ClientContext m_context;
    grpc::Status m_status;
    Item m_item;
    std::unique_ptr<grpc::ClientAsyncReader<Item>> m_reader;
};

template <class Item>
Subscription subscriptionTo(const std::shared_ptr<StreamReader<Item>>& reader)
{
    return Subscription([weak = std::weak_ptr(reader)] {
        if (const auto alive = weak.lock())
            alive->cancel();
    });
}

/// Takes a run's events; those before a damaged one are given, too.
inline StreamReader<v1::EventBatch>::Take eventsTo(std::function<void(std::vector<Event>)> events)
{
    return [events = std::move(events)](const v1::EventBatch& batch) -> Result<void> {
        std::vector<Event> taken;
        Result<void> result;
        for (int i = 0; result && i < batch.events_size(); ++i) {
            if (auto event = fromProtoOrNotice(batch.events(i)))
                taken.push_back(*std::move(event));
            else
                result = tl::unexpected(event.error());
        }
        if (!taken.empty())
            events(std::move(taken));
        return result;
    };
}

} // namespace ringmaster
