#include "engine/control/WatchedMachine.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;
using Connection = WatchedMachineState::Connection;

namespace {

/// For the last word of a process whose connection has ended: it says better why.
constexpr auto WordPatience = 1s;

} // namespace

WatchedMachine::WatchedMachine(LoopThread& loop, LoopThread& ways, RpcQueue& queue, Options options,
                               std::function<void()> runsChanged,
                               std::function<void()> stateChanged)
    : m_loop(loop)
    , m_ways(ways)
    , m_queue(queue)
    , m_options(std::move(options))
    , m_runsChanged(std::move(runsChanged))
    , m_stateChanged(std::move(stateChanged))
    , m_delay(m_options.firstDelay)
    , m_state{.name = m_options.name}
{
}

WatchedMachine::~WatchedMachine()
{
    letGo();
}

void WatchedMachine::connect()
{
    // What others share may be what is broken.
    m_ways.post([this, find = m_options.way, way = m_isCut ? Way::Fresh : Way::Shared,
                 connection = m_connection, alive = std::weak_ptr(m_alive), &loop = m_loop] {
        auto found = std::make_shared<Result<HostLink::Options>>(find(way));
        loop.post([this, connection, alive, found] {
            if (alive.lock() && connection == m_connection)
                wayFound(std::move(*found));
        });
    });
}

void WatchedMachine::wayFound(Result<HostLink::Options> way)
{
    if (!way)
        return broken(way.error());
    auto link = HostLink::open(m_loop.loop(), *this, *std::move(way));
    if (link)
        m_link = *std::move(link);
    else
        broken(link.error());
}

void WatchedMachine::linkTold(const Message& progress)
{
    setState(Connection::Connecting, progress);
}

void WatchedMachine::linkOpened(FileDescriptor channel)
{
    m_client = std::make_unique<MachineClient>(std::move(channel), m_options.name, m_queue);
    const auto here = [this, connection = m_connection, alive = std::weak_ptr(m_alive),
                       &loop = m_loop](auto call) {
        return [this, connection, alive, &loop, call](auto value) {
            loop.post([this, connection, alive, call, value = std::move(value)] {
                if (alive.lock() && connection == m_connection)
                    (this->*call)(value);
            });
        };
    };
    m_list =
        m_client->watchRuns(here(&WatchedMachine::listArrived), here(&WatchedMachine::listEnded));
    for (const auto& follow : m_follows)
        begin(follow);
}

void WatchedMachine::listArrived(const MachineClient::Runs& runs)
{
    m_delay = m_options.firstDelay;
    m_isCut = false;
    {
        const std::lock_guard lock(m_mutex);
        m_runs.clear();
        for (const auto& [id, run] : runs)
            m_runs.push_back(run);
    }
    setState(Connection::Connected);
    m_runsChanged();
}

void WatchedMachine::listEnded(const Result<void>& result)
{
    const Message why = result ? Message{code::AgentConnectionLost, {{"run", m_options.name}}, {}}
                               : Message(result.error());
    m_again = m_loop.loop().callAfter(WordPatience, [this, why] { broken(why); });
}

void WatchedMachine::linkEnded(const Error& why, int /*exitCode*/)
{
    // It is in the middle of its call.
    m_loop.post([link = std::shared_ptr<HostLink>(std::move(m_link))] {});
    broken(why);
}

void WatchedMachine::broken(const Message& why)
{
    letGo();
    m_isCut = true;
    m_again = m_loop.loop().callAfter(m_delay, [this] { connect(); });
    m_delay = std::min(m_delay * 2, m_options.longestDelay);
    setState(Connection::Lost, why);
}

void WatchedMachine::letGo()
{
    ++m_connection;
    m_again.cancel();
    m_list.cancel();
    for (const auto& follow : m_follows)
        follow->stream.cancel();
    m_client.reset();
    m_link.reset();
}

void WatchedMachine::close()
{
    letGo();
    for (const auto& follow : std::exchange(m_follows, {}))
        follow->gate.pass([&] {
            follow->ended(fail(code::MachineNotWatched, {{"host", m_options.name}}));
        });
}

void WatchedMachine::follow(const std::shared_ptr<Follow>& follow)
{
    m_follows.insert(follow);
    if (m_client)
        begin(follow);
}

void WatchedMachine::unfollow(const std::shared_ptr<Follow>& follow)
{
    follow->stream.cancel();
    m_follows.erase(follow);
}

void WatchedMachine::begin(const std::shared_ptr<Follow>& follow)
{
    const auto here = [this, weak = std::weak_ptr(follow), connection = m_connection,
                       alive = std::weak_ptr(m_alive), &loop = m_loop](auto call) {
        return [this, weak, connection, alive, &loop, call](auto value) {
            loop.post([this, weak, connection, alive, call, value = std::move(value)] {
                const auto held = weak.lock();
                if (alive.lock() && connection == m_connection && held && m_follows.contains(held))
                    (this->*call)(held, value);
            });
        };
    };
    follow->stream =
        m_client->follow(follow->run, follow->sequence, here(&WatchedMachine::eventsArrived),
                         here(&WatchedMachine::followEnded));
}

void WatchedMachine::eventsArrived(const std::shared_ptr<Follow>& follow, std::vector<Event> events)
{
    std::erase_if(events,
                  [&](const Event& event) { return event.runSequence <= follow->sequence; });
    if (events.empty())
        return;
    follow->sequence = events.back().runSequence;
    follow->gate.pass([&] { follow->events(std::move(events)); });
}

/// With the connection it goes on over the next one.
void WatchedMachine::followEnded(const std::shared_ptr<Follow>& follow, const Result<void>& result)
{
    if (!result && result.error().code == code::AgentConnectionLost)
        return;
    const auto held = follow;
    m_follows.erase(held);
    held->gate.pass([&] { held->ended(result); });
}

void WatchedMachine::setState(Connection connection, const Message& why)
{
    {
        const std::lock_guard lock(m_mutex);
        const WatchedMachineState wanted{m_options.name, connection, why};
        if (m_state == wanted)
            return;
        m_state = wanted;
    }
    m_stateChanged();
}

WatchedMachineState WatchedMachine::state() const
{
    const std::lock_guard lock(m_mutex);
    return m_state;
}

std::vector<RunSummary> WatchedMachine::runs() const
{
    const std::lock_guard lock(m_mutex);
    return m_runs;
}

} // namespace ringmaster
