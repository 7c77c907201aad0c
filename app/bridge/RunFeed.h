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
/// needed to leave the frame to others. Ends with its destruction.
class RunFeed : public QObject
{
    Q_OBJECT

public:
    RunFeed(Cluster& cluster, const Mailbox& mailbox, const std::string& run,
            std::uint64_t sequence, QObject* parent);
    ~RunFeed() override;

Q_SIGNALS:
    void eventsArrived(const std::vector<ringmaster::Event>& events);
    /// After the last event; with the reason where that wasn't the run's end.
    void ended(const std::optional<ringmaster::Error>& error);

private:
    struct Shared;

    void drain();
    std::vector<Event> takeBatch();

    std::shared_ptr<Shared> m_shared;
    size_t m_batchSize = 512;
    Subscription m_subscription; ///< Last: cancelled first.
};

} // namespace ringmaster::app
