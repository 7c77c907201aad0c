#include "app/history/RunJobs.h"

#include <memory>

namespace ringmaster::app {

RunJobs::RunJobs(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge) {}

void RunJobs::fetch(const std::vector<std::string>& runs, Reply reply)
{
    struct Pending
    {
        std::vector<RunStarted> jobs{};
        size_t missing = 0;
        Reply reply{};
    };
    auto pending = std::make_shared<Pending>(Pending{.jobs = std::vector<RunStarted>(runs.size()),
                                                     .missing = runs.size(),
                                                     .reply = std::move(reply)});
    for (size_t i = 0; i < runs.size(); ++i) {
        RunFeed* feed = m_bridge.follow(runs[i], 0, this);
        connect(feed, &RunFeed::eventsArrived, this,
                [pending, feed, i](const std::vector<Event>& events) {
                    if (events.empty())
                        return;
                    // One answer is enough; what else the run has to tell isn't asked for.
                    feed->disconnect();
                    feed->deleteLater();
                    if (const auto* started = std::get_if<RunStarted>(&events.front().body))
                        pending->jobs[i] = *started;
                    if (--pending->missing == 0)
                        pending->reply(pending->jobs);
                });
        connect(feed, &RunFeed::ended, feed, &QObject::deleteLater);
    }
}

} // namespace ringmaster::app
