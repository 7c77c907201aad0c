#include "engine/control/SubscriberFeed.h"

#include "engine/base/Log.h"
#include "engine/control/Codes.h"
#include "engine/control/ControlCalls.h"
#include "engine/control/RpcStatus.h"
#include "engine/event/Proto.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr size_t EventsABatch = 256;
constexpr size_t BytesABatch = 1U << 20U;
constexpr auto RecordingRetry = 20ms;

const Event& plain(const Event& event)
{
    return event;
}

const Event& plain(const std::shared_ptr<const Event>& event)
{
    return *event;
}

/// Puts events into a batch up to its limit; returns the last one's sequence, 0 if there is none.
template <class Events>
std::uint64_t fill(v1::EventBatch& batch, const Events& events)
{
    std::uint64_t last = 0;
    size_t bytes = 0;
    for (const auto& event : events) {
        v1::Event& added = *batch.add_events();
        toProto(plain(event), added);
        last = plain(event).runSequence;
        bytes += added.ByteSizeLong();
        if (bytes > BytesABatch)
            break;
    }
    return last;
}

} // namespace

void SubscriberFeed::append(const Event& event)
{
    if (!m_history.append(event))
        log::error("control", "an event out of order: " + std::to_string(event.runSequence));
    feedAll();
}

void SubscriberFeed::remove(SubscribeCall& subscriber)
{
    m_subscribers.erase(&subscriber);
    m_reading.erase(&subscriber);
    m_waiting.erase(&subscriber);
}

void SubscriberFeed::end()
{
    m_isEnding = true;
    feedAll();
}

void SubscriberFeed::letAllGo()
{
    const auto subscribers = m_subscribers;
    for (SubscribeCall* subscriber : subscribers)
        subscriber->end(grpc::Status::CANCELLED);
}

void SubscriberFeed::feedAll()
{
    // A copy: one that is fed its end leaves the set.
    const auto subscribers = m_subscribers;
    for (SubscribeCall* subscriber : subscribers)
        feed(*subscriber);
}

void SubscriberFeed::feed(SubscribeCall& subscriber)
{
    if (!subscriber.isIdle() || m_reading.contains(&subscriber))
        return;
    if (const auto wait = m_waiting.find(&subscriber);
        wait != m_waiting.end() && wait->second.retry.isActive())
        return;
    if (!m_history.reachesBackTo(subscriber.position())) {
        feedFromRecording(subscriber);
        return;
    }
    m_waiting.erase(&subscriber);
    v1::EventBatch batch;
    const std::uint64_t last = fill(batch, m_history.after(subscriber.position(), EventsABatch));
    if (last != 0)
        subscriber.send(batch, last);
    else if (m_isEnding)
        subscriber.end(grpc::Status::OK);
}

void SubscriberFeed::feedFromRecording(SubscribeCall& subscriber)
{
    m_reading.insert(&subscriber);
    // Until the answer nothing is sent to it, so nothing ends it: it is still there then.
    m_reads.ask(
        [after = subscriber.position()](ControlServer::Recording& recording) {
            return recording.events(after, EventsABatch);
        },
        [this, &subscriber, isLastRead = m_isEnding](const Result<std::vector<Event>>& events) {
            m_reading.erase(&subscriber);
            if (!events || events->empty()) {
                waitForRecording(subscriber, isLastRead);
                return;
            }
            // Where the file has later events, numbers that are missing are samples that it thinned
            // out.
            m_waiting.erase(&subscriber);
            v1::EventBatch batch;
            const std::uint64_t last = fill(batch, *events);
            subscriber.send(batch, last);
        });
}

/// `isLastRead`: when the file was asked, there was nothing more to come into it.
void SubscriberFeed::waitForRecording(SubscribeCall& subscriber, bool isLastRead)
{
    const auto now = std::chrono::steady_clock::now();
    const auto wait = m_waiting.try_emplace(&subscriber, Wait{.since = now}).first;
    if (isLastRead || now - wait->second.since > m_patience) {
        subscriber.end(toStatus(Error{
            {code::SubscriberTooSlow, {{"sequence", std::to_string(subscriber.position())}}, {}},
            {}}));
        return;
    }
    wait->second.retry =
        m_loop.callAfter(RecordingRetry, [this, &subscriber] { feed(subscriber); });
}

} // namespace ringmaster
