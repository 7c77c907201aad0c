#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/Cluster.h"
#include "engine/control/RpcService.h"

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include <machine.grpc.pb.h>

namespace ringmaster {

/// What the calls of a MachineService share. Lives on the loop's thread.
class MachineRpc : public RpcService
{
public:
    using Native = v1::Machine::AsyncService;

    MachineRpc(EventLoop& loop, Cluster& cluster)
        : RpcService(loop, LargestRequest), m_cluster(cluster)
    {
    }

    Native& native() { return m_native; }
    Cluster& cluster() const { return m_cluster; }

    /// A stream from its coming to its end.
    void keep(std::shared_ptr<void> stream) { m_streams.insert(std::move(stream)); }
    void letGo(const std::shared_ptr<void>& stream) { m_streams.erase(stream); }
    /// After shutDown().
    void letAllGo() { m_streams.clear(); }

protected:
    void configure(grpc::ServerBuilder& builder) override;

private:
    static constexpr int LargestRequest = 256 << 10;

    Cluster& m_cluster;
    Native m_native;
    std::set<std::shared_ptr<void>> m_streams;
};

/// One answer in many messages: the next is written when the last one is taken. That who asked has
/// gone is seen when the next message is written.
template <class Request, class Item>
class ServedStream : public std::enable_shared_from_this<ServedStream<Request, Item>>
{
public:
    explicit ServedStream(MachineRpc& service) : m_service(service) {}
    virtual ~ServedStream() = default;
    ServedStream(const ServedStream&) = delete;
    ServedStream& operator=(const ServedStream&) = delete;

    void await() { request(m_context, m_request, m_writer, onLoop(&ServedStream::accepted)); }

protected:
    virtual void request(grpc::ServerContext& context, Request& request,
                         grpc::ServerAsyncWriter<Item>& writer, void* tag) = 0;
    virtual std::shared_ptr<ServedStream> another() const = 0;
    virtual void begun() = 0;
    /// The last message is taken.
    virtual void ready() = 0;

    bool isIdle() const { return !m_isWriting && !m_isEnded && !m_service.isClosed(); }
    const Request& asked() const { return m_request; }
    MachineRpc& service() const { return m_service; }

    /// Must be idle.
    void write(const Item& item)
    {
        m_isWriting = true;
        m_writer.Write(item, onLoop(&ServedStream::written));
    }

    void end(const grpc::Status& status)
    {
        if (std::exchange(m_isEnded, true))
            return;
        if (!m_service.isClosed())
            m_writer.Finish(status, onLoop(&ServedStream::finished));
        m_service.letGo(this->shared_from_this());
    }

private:
    void accepted(bool ok)
    {
        if (!ok || m_service.isClosed())
            return;
        another()->await();
        m_service.keep(this->shared_from_this());
        begun();
    }

    void written(bool ok)
    {
        m_isWriting = false;
        if (m_isEnded)
            return;
        if (ok)
            ready();
        else
            end(grpc::Status::CANCELLED);
    }

    void finished(bool /*ok*/) {}

    void* onLoop(void (ServedStream::*call)(bool))
    {
        return RpcQueue::tag([self = this->shared_from_this(), call](bool ok) {
            self->m_service.loop().post([self, call, ok] { ((*self).*call)(ok); });
        });
    }

    MachineRpc& m_service;
    grpc::ServerContext m_context;
    Request m_request;
    grpc::ServerAsyncWriter<Item> m_writer{&m_context};
    bool m_isWriting = false;
    bool m_isEnded = false;
};

/// Tells what changes in the list of runs: always the newest state of it, however slow the way is.
class WatchRunsStream : public ServedStream<v1::WatchRunsRequest, v1::RunListChange>
{
public:
    using ServedStream::ServedStream;

protected:
    void request(grpc::ServerContext& context, v1::WatchRunsRequest& request,
                 grpc::ServerAsyncWriter<v1::RunListChange>& writer, void* tag) override;
    std::shared_ptr<ServedStream> another() const override;
    void begun() override;
    void ready() override;

private:
    std::map<std::string, RunSummary> m_told;
    bool m_hasToldAll = false;
    Subscription m_changes;
};

/// Tells the events of one run. Of those that who asks can't take yet a bounded number waits here;
/// the rest is read again when these are taken.
class FollowStream : public ServedStream<v1::FollowRequest, v1::EventBatch>
{
public:
    using ServedStream::ServedStream;

protected:
    void request(grpc::ServerContext& context, v1::FollowRequest& request,
                 grpc::ServerAsyncWriter<v1::EventBatch>& writer, void* tag) override;
    std::shared_ptr<ServedStream> another() const override;
    void begun() override;
    void ready() override;

private:
    /// What the Cluster's threads and the loop's both touch.
    struct Waiting
    {
        std::mutex mutex{};
        std::deque<Event> events{};
        std::optional<Result<void>> end{};
        bool isFull = false; ///< What comes now is let go, and read again later.
    };

    void follow();
    bool takeBatch(v1::EventBatch& batch);

    std::uint64_t m_position = 0; ///< Of the last event that was written.
    std::shared_ptr<Waiting> m_waiting;
    Subscription m_events;
};

} // namespace ringmaster
