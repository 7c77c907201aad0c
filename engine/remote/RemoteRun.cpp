#include "engine/remote/RemoteRun.h"

#include "engine/event/States.h"
#include "engine/hosts/Codes.h"
#include "engine/node/AgentChannel.h"
#include "engine/remote/Codes.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// For the last word of a process whose connection has ended.
constexpr auto WordPatience = 1s;
constexpr auto AnswerPatience = 10s;
constexpr auto AfterEnd = 20ms; ///< Of the agent, until what it has kept is asked for.

} // namespace

RemoteRun::RemoteRun(EventLoop& loop, Owner& owner, Options options)
    : m_loop(loop)
    , m_owner(owner)
    , m_options(std::move(options))
    , m_delay(m_options.firstDelay)
    , m_logs(loop, *this, [this] { allArrived(); })
{
}

RemoteRun::~RemoteRun()
{
    letGo();
}

void RemoteRun::connect()
{
    // What others share may be what is broken.
    auto way = m_options.way(m_isCut ? Connection::Fresh : Connection::Shared);
    auto link = HostLink::open(m_loop, *this, std::move(way));
    if (link)
        m_link = *std::move(link);
    else
        broken(link.error());
}

void RemoteRun::connectLater()
{
    m_again = m_loop.callAfter(m_delay, [this] { connect(); });
    m_delay = std::min(m_delay * 2, m_options.longestDelay);
}

void RemoteRun::linkOpened(FileDescriptor channel)
{
    m_client = std::make_unique<AgentClient>(std::move(channel), m_options.run, m_queue);
    m_stream = m_client->subscribe(m_sequence, onLoop(&RemoteRun::arrived),
                                   onLoop(&RemoteRun::streamEnded));
    m_logs.start(*m_client);
    if (m_exitCode)
        askForRecord();
    sendStop();
    if (std::exchange(m_isCut, false))
        m_owner.runReachedAgain();
}

void RemoteRun::arrived(const std::vector<Event>& events)
{
    m_delay = m_options.firstDelay;
    for (const Event& event : events) {
        if (event.runSequence <= m_sequence)
            continue;
        m_sequence = event.runSequence;
        m_owner.runHappened(event);
        const auto* change = std::get_if<RunStateChanged>(&event.body);
        if (change == nullptr || !isFinal(change->state) || m_exitCode)
            continue;
        m_exitCode = change->exitCode;
        askForRecord();
    }
}

/// An agent that still runs may have output that isn't in its record yet. What is served when it
/// has gone is whole.
void RemoteRun::askForRecord()
{
    m_client->heartbeat({}, AnswerPatience, onLoop(&RemoteRun::answered));
}

void RemoteRun::answered(const Result<HeartbeatReply>& reply)
{
    if (reply && reply->keptEvents > 0)
        m_logs.finish(); // else the agent's end, which follows, ends the connection
}

void RemoteRun::allArrived()
{
    m_hasArrived = true;
    if (m_client)
        m_client->heartbeat({.isReleased = true}, AnswerPatience, onLoop(&RemoteRun::released));
    else
        end(*m_exitCode);
}

void RemoteRun::released(const Result<HeartbeatReply>& /*reply*/)
{
    end(*m_exitCode);
}

/// Why it has ended, its process says better.
void RemoteRun::streamEnded(const Result<void>& result)
{
    if (result)
        return;
    m_again =
        m_loop.callAfter(WordPatience, [this, why = Message(result.error())] { broken(why); });
}

void RemoteRun::linkEnded(const Error& why, int exitCode)
{
    // It is in the middle of its call.
    m_loop.post([link = std::shared_ptr<HostLink>(std::move(m_link))] {});
    // What runs there has answered, and says that there is nothing to follow.
    if (why.code == code::HostRefusesJob && exitCode != AgentNotThereExit)
        return end(tl::unexpected(why));
    broken(why);
}

void RemoteRun::broken(const Message& why)
{
    letGo();
    if (m_isOver)
        return;
    if (m_hasArrived)
        return end(*m_exitCode);
    if (m_exitCode && !std::exchange(m_isClosing, true)) {
        m_again = m_loop.callAfter(AfterEnd, [this] { connect(); });
        return;
    }
    connectLater();
    if (!std::exchange(m_isCut, true))
        m_owner.runOutOfReach(why, m_exitCode.has_value());
}

void RemoteRun::stop(bool isNow)
{
    m_stop = isNow;
    sendStop();
}

/// What comes of it is seen in the events.
void RemoteRun::sendStop()
{
    if (m_client && m_stop)
        m_client->send(StopRun{.now = *m_stop}, [](const Result<void>& /*answer*/) {});
}

void RemoteRun::letGo()
{
    ++m_connection;
    m_again.cancel();
    m_logs.stop();
    m_stream.cancel();
    m_client.reset();
    m_link.reset();
}

void RemoteRun::end(const Result<int>& exitCode)
{
    if (!std::exchange(m_isOver, true))
        m_owner.runOver(exitCode);
}

} // namespace ringmaster
