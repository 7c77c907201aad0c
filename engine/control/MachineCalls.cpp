#include "engine/control/MachineCalls.h"

#include "engine/base/Version.h"
#include "engine/control/MachineProto.h"
#include "engine/control/RpcStatus.h"
#include "engine/event/Proto.h"

namespace ringmaster {

namespace {

constexpr int MostEntries = 256; ///< In one message …
constexpr int MostEvents = 256;  ///< … of either kind.
constexpr std::size_t MostBytes = 1U << 20U;
constexpr std::size_t MostEventsWaiting = 4096;
constexpr int PingMs = 20'000;

} // namespace

void MachineRpc::configure(grpc::ServerBuilder& builder)
{
    builder.RegisterService(&m_native);
    // sshd doesn't notice a cable that is pulled while nothing is sent.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, PingMs);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, PingMs);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
}

void WatchRunsStream::request(grpc::ServerContext& context, v1::WatchRunsRequest& request,
                              grpc::ServerAsyncWriter<v1::RunListChange>& writer, void* tag)
{
    service().native().RequestWatchRuns(&context, &request, &writer, service().queue(),
                                        service().queue(), tag);
}

std::shared_ptr<WatchRunsStream::ServedStream> WatchRunsStream::another() const
{
    return std::make_shared<WatchRunsStream>(service());
}

void WatchRunsStream::begun()
{
    m_changes = service().cluster().onRunsChanged([this, weak = weak_from_this()] {
        service().loop().post([this, weak] {
            if (const auto alive = weak.lock())
                ready();
        });
    });
    ready();
}

void WatchRunsStream::ready()
{
    if (!isIdle())
        return;
    v1::RunListChange change;
    std::map<std::string, RunSummary> gone = m_told;
    bool isMore = false;
    for (const RunSummary& run : service().cluster().runs()) {
        gone.erase(run.id);
        const auto told = m_told.find(run.id);
        if (told != m_told.end() && told->second == run)
            continue;
        isMore = change.changed_size() == MostEntries;
        if (isMore)
            break;
        toProto(run, *change.add_changed());
        m_told[run.id] = run;
    }
    for (const auto& [id, run] : gone) {
        if (isMore)
            break; // not all that is there has been looked at
        change.add_gone(id);
        m_told.erase(id);
    }
    if (m_hasToldAll && change.changed_size() == 0 && change.gone_size() == 0)
        return;
    if (!m_hasToldAll)
        change.set_ringmaster_version(RINGMASTER_VERSION);
    m_hasToldAll = m_hasToldAll || !isMore;
    change.set_is_complete(m_hasToldAll);
    write(change);
}

void FollowStream::request(grpc::ServerContext& context, v1::FollowRequest& request,
                           grpc::ServerAsyncWriter<v1::EventBatch>& writer, void* tag)
{
    service().native().RequestFollow(&context, &request, &writer, service().queue(),
                                     service().queue(), tag);
}

std::shared_ptr<FollowStream::ServedStream> FollowStream::another() const
{
    return std::make_shared<FollowStream>(service());
}

void FollowStream::begun()
{
    m_position = asked().from_sequence();
    follow();
}

void FollowStream::follow()
{
    m_waiting = std::make_shared<Waiting>();
    const auto isReady = [this, weak = weak_from_this()] {
        service().loop().post([this, weak] {
            if (const auto alive = weak.lock())
                ready();
        });
    };
    m_events = service().cluster().follow(
        asked().run(), m_position,
        [waiting = m_waiting, isReady](std::vector<Event> events) {
            const std::lock_guard lock(waiting->mutex);
            if (waiting->isFull)
                return;
            std::ranges::move(events, std::back_inserter(waiting->events));
            waiting->isFull = waiting->events.size() >= MostEventsWaiting;
            isReady();
        },
        [waiting = m_waiting, isReady](Result<void> result) {
            const std::lock_guard lock(waiting->mutex);
            if (waiting->isFull)
                return;
            waiting->end = std::move(result);
            isReady();
        });
}

bool FollowStream::takeBatch(v1::EventBatch& batch)
{
    const std::lock_guard lock(m_waiting->mutex);
    std::size_t bytes = 0;
    while (!m_waiting->events.empty() && batch.events_size() < MostEvents && bytes < MostBytes) {
        const Event& event = m_waiting->events.front();
        v1::Event& added = *batch.add_events();
        toProto(event, added);
        bytes += added.ByteSizeLong();
        m_position = event.runSequence;
        m_waiting->events.pop_front();
    }
    return batch.events_size() > 0;
}

void FollowStream::ready()
{
    if (!isIdle())
        return;
    v1::EventBatch batch;
    if (takeBatch(batch))
        return write(batch);
    std::optional<Result<void>> result;
    bool isFull = false;
    {
        const std::lock_guard lock(m_waiting->mutex);
        result = m_waiting->end;
        isFull = m_waiting->isFull;
    }
    if (isFull) {
        m_events.cancel();
        follow();
    } else if (result)
        end(*result ? grpc::Status::OK : toStatus(result->error()));
}

} // namespace ringmaster
