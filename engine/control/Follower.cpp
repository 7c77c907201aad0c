#include "engine/control/Follower.h"

#include "engine/base/Log.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// To an agent that lives but doesn't answer: it is about to end, or its socket has been removed.
constexpr std::chrono::milliseconds FirstDelay = 20ms;
constexpr std::chrono::milliseconds LongestDelay = 1s;
constexpr RunFileReader::Limits Portion{.events = 2000, .bytes = 4U << 20U};

} // namespace

Follower::Follower(EventLoop& loop, RpcQueue& queue, RunCatalog catalog, Options options)
    : m_loop(loop), m_queue(queue), m_catalog(std::move(catalog)), m_options(std::move(options))
{
}

void Follower::go()
{
    if (m_isOver)
        return;
    const auto folder = m_catalog.find(m_options.run);
    if (!folder) {
        end(tl::unexpected(folder.error()));
        return;
    }
    const auto agent = folder->agent();
    if (agent && lifeOf(*agent) == AgentLife::Alive && !m_reader)
        goLive(*folder, *agent);
    else
        readOn(*folder);
}

void Follower::goLive(const RunFolder& folder, const AgentRecord& agent)
{
    auto client = AgentClient::connect(agent.socket, m_options.run, m_queue);
    if (!client) {
        giveRecorded(folder);
        goAgainSoon();
        return;
    }
    m_client = *std::move(client);
    m_stream = m_client->subscribe(
        m_options.sequence,
        [weak = weak_from_this()](std::vector<Event> events) {
            if (const auto follower = weak.lock()) {
                follower->m_wasLive = true;
                follower->give(std::move(events));
            }
        },
        [weak = weak_from_this()](const Result<void>& result) {
            if (const auto follower = weak.lock())
                follower->m_loop.post([follower, result] { follower->streamEnded(result); });
        });
}

void Follower::streamEnded(const Result<void>& result)
{
    m_stream.cancel();
    m_client.reset();
    if (!result)
        log::debug("control", "following " + m_options.run + ": " + describe(result.error()));
    if (m_isOver)
        return;
    if (result)
        end({}); // the agent says that this was all
    else
        goAgainSoon();
}

void Follower::readOn(const RunFolder& folder)
{
    if (!m_reader) {
        // Closed first if it is lost, so that its last event is there. Somebody else may be at it.
        const RunSummary seen = m_catalog.look(folder);
        const auto agent = folder.agent();
        if (!isFinal(seen.state) && agent && lifeOf(*agent) == AgentLife::Gone) {
            goAgainSoon();
            return;
        }
        auto reader = folder.openReader();
        if (!reader) {
            end(tl::unexpected(reader.error()));
            return;
        }
        m_reader = *std::move(reader);
    }
    auto events = m_reader->events(m_options.sequence, Portion);
    if (!events)
        end(tl::unexpected(events.error()));
    else if (events->empty()) {
        giveUnseenEnd();
        end({});
    } else {
        m_hasReadOn = true;
        give(*std::move(events));
        m_loop.post([weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->go();
        });
    }
}

/// A killed agent may have told more than it had written: then the file, and the end that was added
/// to it, are behind what the subscriber has, and the end comes as its next event.
void Follower::giveUnseenEnd()
{
    if (!m_wasLive || m_hasReadOn)
        return;
    const auto last = m_reader->lastSequence();
    if (!last || *last == 0 || *last > m_options.sequence)
        return;
    auto events = m_reader->events(*last - 1, Portion);
    if (!events || events->empty())
        return;
    Event& end = events->back();
    const auto* change = std::get_if<RunStateChanged>(&end.body);
    if (change == nullptr || change->state != RunState::Lost)
        return;
    end.runSequence = m_options.sequence + 1;
    give({end});
}

void Follower::giveRecorded(const RunFolder& folder)
{
    const auto reader = folder.openReader();
    auto events = reader ? reader->events(m_options.sequence, Portion) : std::vector<Event>();
    if (events && !events->empty())
        give(*std::move(events));
}

void Follower::goAgainSoon()
{
    m_delay = std::clamp(m_delay * 2, FirstDelay, LongestDelay);
    m_again = m_loop.callAfter(m_delay, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->go();
    });
}

void Follower::give(std::vector<Event> events)
{
    m_options.sequence = events.back().runSequence;
    m_gate.pass([&] { m_options.events(std::move(events)); });
}

void Follower::end(const Result<void>& result)
{
    m_isOver = true;
    m_reader.reset();
    m_gate.pass([&] { m_options.ended(result); });
}

void Follower::letGo()
{
    m_isOver = true;
    m_again.cancel();
    m_stream.cancel();
    m_client.reset();
    m_reader.reset();
}

} // namespace ringmaster
