#include "app/bridge/RunFeed.h"

#include "app/bridge/Mailbox.h"

#include <QElapsedTimer>
#include <QPointer>

#include <algorithm>

namespace ringmaster::app {

namespace {
constexpr size_t SmallestBatch = 64;
constexpr size_t LargestBatch = 8192;
constexpr qint64 ShortMs = 3;
constexpr qint64 LongMs = 7;
} // namespace

/// What the Cluster's thread and ours both touch.
struct RunFeed::Shared
{
    explicit Shared(std::shared_ptr<Mailbox::Slot> mail) : slot(std::move(mail)) {}

    std::shared_ptr<Mailbox::Slot> slot;
    std::mutex mutex;
    std::deque<Event> events;
    std::optional<Result<void>> end;
    std::uint64_t last = 0; ///< Sequence of the newest event.
    bool isFull = false;    ///< What comes now is let go, and read again later.
    bool isDrainPosted = false;

    /// With the mutex held.
    void postDrain(const QPointer<RunFeed>& feed)
    {
        if (std::exchange(isDrainPosted, true))
            return;
        slot->post([feed] {
            if (feed)
                feed->drain();
        });
    }
};

RunFeed::RunFeed(Cluster& cluster, const Mailbox& mailbox, const std::string& run,
                 std::uint64_t sequence, QObject* parent)
    : QObject(parent)
    , m_cluster(cluster)
    , m_run(run)
    , m_shared(std::make_shared<Shared>(mailbox.slot()))
{
    follow(sequence);
}

void RunFeed::follow(std::uint64_t sequence)
{
    const QPointer<RunFeed> self(this);
    m_subscription = m_cluster.follow(
        m_run, sequence,
        [shared = m_shared, self](std::vector<Event> events) {
            const std::lock_guard lock(shared->mutex);
            if (shared->isFull || events.empty())
                return;
            const size_t taken = std::min(events.size(), MostWaiting - shared->events.size());
            const auto end = events.begin() + static_cast<std::ptrdiff_t>(taken);
            std::move(events.begin(), end, std::back_inserter(shared->events));
            shared->last = shared->events.back().runSequence;
            shared->isFull = shared->events.size() >= MostWaiting;
            shared->postDrain(self);
        },
        [shared = m_shared, self](Result<void> result) {
            const std::lock_guard lock(shared->mutex);
            if (shared->isFull)
                return;
            shared->end = std::move(result);
            shared->postDrain(self);
        });
}

void RunFeed::followOnWhenThereIsRoom()
{
    std::uint64_t last = 0;
    {
        const std::lock_guard lock(m_shared->mutex);
        if (!m_shared->isFull)
            return;
        last = m_shared->events.size() <= MostWaiting / 8 ? m_shared->last : 0;
    }
    m_subscription.cancel();
    if (last == 0)
        return;
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->isFull = false;
    }
    follow(last);
}

RunFeed::~RunFeed() = default;

size_t RunFeed::waiting() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->events.size();
}

std::vector<Event> RunFeed::takeBatch()
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->isDrainPosted = false;
    std::deque<Event>& waiting = m_shared->events;
    const auto count = static_cast<std::ptrdiff_t>(std::min(waiting.size(), m_batchSize));
    std::vector<Event> batch(std::make_move_iterator(waiting.begin()),
                             std::make_move_iterator(waiting.begin() + count));
    waiting.erase(waiting.begin(), waiting.begin() + count);
    if (!waiting.empty())
        m_shared->postDrain(QPointer<RunFeed>(this));
    return batch;
}

void RunFeed::drain()
{
    const std::vector<Event> batch = takeBatch();
    const QPointer<RunFeed> self(this);
    QElapsedTimer took;
    took.start();
    if (!batch.empty())
        Q_EMIT eventsArrived(batch);
    if (!self)
        return;
    followOnWhenThereIsRoom();
    if (took.elapsed() < ShortMs && batch.size() == m_batchSize)
        m_batchSize = std::min(m_batchSize * 2, LargestBatch);
    else if (took.elapsed() > LongMs)
        m_batchSize = std::max(m_batchSize / 2, SmallestBatch);

    std::optional<Result<void>> end;
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->events.empty())
            end = std::exchange(m_shared->end, std::nullopt);
    }
    if (end)
        Q_EMIT ended(*end ? std::nullopt : std::optional(end->error()));
}

} // namespace ringmaster::app
