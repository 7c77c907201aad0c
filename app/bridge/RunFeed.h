#pragma once

#include "engine/control/Cluster.h"

#include <QObject>

#include <deque>
#include <memory>
#include <mutex>
#include <optional>

namespace ringmaster::app {

class Mailbox;

/// The events of one run, as signals: one batch a frame, as long as needed to keep up, as short as
/// needed to leave the frame to others. No more than MostWaiting wait here, however long the run
/// is: then it is read on when most of them are shown. Ends with its destruction.
class RunFeed : public QObject
{
    Q_OBJECT

public:
    static constexpr size_t MostWaiting = 1U << 16U;

    RunFeed(Cluster& cluster, const Mailbox& mailbox, const std::string& run,
            std::uint64_t sequence, QObject* parent);
    ~RunFeed() override;

    size_t waiting() const;

Q_SIGNALS:
    void eventsArrived(const std::vector<ringmaster::Event>& events);
    /// After the last event; with the reason where that wasn't the run's end.
    void ended(const std::optional<ringmaster::Error>& error);

private:
    struct Shared;

    void follow(std::uint64_t sequence);
    void followOnWhenThereIsRoom();
    void drain();
    std::vector<Event> takeBatch();

    Cluster& m_cluster;
    std::string m_run;
    std::shared_ptr<Shared> m_shared;
    size_t m_batchSize = 512;
    Subscription m_subscription; ///< Last: cancelled first.
};

} // namespace ringmaster::app
