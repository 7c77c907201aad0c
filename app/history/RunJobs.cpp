#include "app/history/RunJobs.h"

namespace ringmaster::app {

RunJobs::RunJobs(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge) {}

void RunJobs::fetch(const std::string& run, const EngineBridge::Reply<RunStarted>& reply)
{
    RunFeed* feed = m_bridge.follow(run, 0, this);
    const auto answer = [feed, reply](const Result<RunStarted>& job) {
        // One answer is enough; what else the run has to tell isn't asked for.
        feed->disconnect();
        feed->deleteLater();
        reply(job);
    };
    connect(feed, &RunFeed::eventsArrived, this, [answer](const std::vector<Event>& events) {
        const auto* started = std::get_if<RunStarted>(&events.front().body);
        answer(started == nullptr ? RunStarted{} : *started);
    });
    connect(feed, &RunFeed::ended, this, [answer](const std::optional<Error>& error) {
        answer(error ? Result<RunStarted>(tl::unexpected(*error)) : RunStarted{});
    });
}

} // namespace ringmaster::app
