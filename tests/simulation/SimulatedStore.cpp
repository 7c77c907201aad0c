#include "tests/simulation/SimulatedStore.h"

#include "engine/rendezvous/StateCodec.h"
#include "engine/store/Codes.h"

#include <algorithm>
#include <string_view>

namespace ringmaster::simulation {
namespace {

constexpr std::int64_t ReconnectTimeout = 5 * Second;
constexpr std::string_view SharedStateKey = "torch.rendezvous.run";

std::string textOf(const std::string& encoded)
{
    const auto state = decodeState(encoded);
    if (!state)
        return {};
    std::string text = ": round " + std::to_string(state->round) +
                       (state->complete ? ", complete" : "") + (state->closed ? ", closed" : "");
    for (const auto& [node, rank] : state->participants)
        text += " " + std::to_string(node.pid);
    for (const NodeDescription& node : state->waitList)
        text += " (" + std::to_string(node.pid) + " waits)";
    for (const NodeDescription& node : state->redundancyList)
        text += " (" + std::to_string(node.pid) + " stands by)";
    return text;
}

struct Served : OpenStore
{
    Served(SharedStore& of, std::uint16_t at) : store(of), number(at) {}
    ~Served() override { store.end(); }
    std::uint16_t port() const override { return number; }

    SharedStore& store;
    std::uint16_t number;
};

} // namespace

std::unique_ptr<OpenStore> SharedStore::serve(int host, std::uint16_t port)
{
    m_isServed = true;
    m_host = host;
    return std::make_unique<Served>(*this, port);
}

std::unique_ptr<OpenStore> SharedPlace::serveWorkers(World& world, int host)
{
    std::uint16_t port = 0;
    do
        port = static_cast<std::uint16_t>(world.chance.between(30000, 60000));
    while (workersStores.contains(port));
    auto& served = workersStores[port];
    served = std::make_unique<SharedStore>(world);
    return served->serve(host, port);
}

SharedStore* SharedPlace::find(const RoundExchange::Master& master)
{
    const auto found = workersStores.find(master.port);
    return found != workersStores.end() ? found->second.get() : nullptr;
}

bool SharedPlace::isServed(const RoundExchange::Master& master)
{
    const SharedStore* found = find(master);
    return found != nullptr && found->isServed();
}

void SharedStore::end()
{
    m_isServed = false;
    m_clients = 0;
    m_values.clear();
    for (const Waiter& waiter : std::exchange(m_waiters, {}))
        waiter.arrived(fail(code::StoreConnectionLost, {{"address", "10.0.0.1"}}));
}

bool SharedStore::hasAll(const std::vector<std::string>& keys) const
{
    return std::ranges::all_of(keys, [this](const auto& key) { return m_values.contains(key); });
}

void SharedStore::written()
{
    for (auto waiter = m_waiters.begin(); waiter != m_waiters.end();) {
        if (!hasAll(waiter->keys)) {
            ++waiter;
            continue;
        }
        const Arrived arrived = std::move(waiter->arrived);
        waiter = m_waiters.erase(waiter);
        arrived({});
    }
}

void SharedStore::wait(std::vector<std::string> keys, std::int64_t timeout, Arrived arrived)
{
    if (hasAll(keys))
        return arrived({});
    m_waiters.push_back({std::move(keys), std::move(arrived), ++m_waits});
    m_world.time.after(timeout, [this, number = m_waits, timeout] {
        const auto found = std::ranges::find(m_waiters, number, &Waiter::number);
        if (found == m_waiters.end())
            return;
        const Arrived late = std::move(found->arrived);
        m_waiters.erase(found);
        late(fail(code::StoreKeyMissing,
                  {{"keys", "keys"}, {"seconds", std::to_string(timeout / Second)}}));
    });
}

SimulatedStore::SimulatedStore(World& world, Network& network, SharedStore& store, Process& process,
                               int host, std::int64_t connectTimeout)
    : m_world(world)
    , m_network(network)
    , m_store(store)
    , m_process(process)
    , m_host(host)
    , m_connectTimeout(connectTimeout)
{
}

void SimulatedStore::connect(Callback<void> done)
{
    reach([this, done](const Result<void>& reached) {
        if (reached)
            m_store.clientCame();
        answer<void>(done, reached);
    });
}

/// In the order of what was sent; what can't pass now does when the way is free again.
std::int64_t SimulatedStore::passage(int from, int to, std::int64_t& last)
{
    const std::int64_t free = m_network.passableAt(from, to);
    const std::int64_t arrival = std::max(m_world.time.now(), free) +
                                 m_world.chance.between(Millisecond / 10, m_world.scenario.delay);
    last = std::max(arrival, last + 1);
    return last;
}

template <class T>
void SimulatedStore::answer(const Callback<T>& done, Result<T> result)
{
    const std::int64_t there = passage(m_store.host(), m_host, m_lastBack);
    m_world.time.at(there, [alive = m_alive, &process = m_process, done, result] {
        if (*alive && process.isAlive())
            process.post([alive, done, result] {
                if (*alive)
                    done(result);
            });
    });
}

void SimulatedStore::reach(Reached then)
{
    tryToReach(m_world.time.now() + m_connectTimeout, std::move(then));
}

void SimulatedStore::tryToReach(std::int64_t until, Reached then)
{
    const std::int64_t there = passage(m_host, m_store.host(), m_lastThere);
    m_world.time.at(there, [this, alive = m_alive, until, then] {
        if (!*alive || !m_process.isAlive())
            return;
        if (m_store.isServed()) {
            m_connectTimeout = ReconnectTimeout;
            return then({});
        }
        if (m_world.time.now() >= until)
            return then(fail(code::StoreUnreachable, {{"address", "10.0.0.1"}, {"seconds", "60"}}));
        m_world.time.after(Second / 2, [this, alive, until, then] {
            if (*alive)
                tryToReach(until, then);
        });
    });
}

template <class T>
void SimulatedStore::ask(Callback<T> done, std::function<Result<T>(SharedStore::Values&)> act)
{
    reach([this, done = std::move(done), act = std::move(act)](const Result<void>& reached) {
        answer<T>(done, reached ? act(m_store.values()) : tl::unexpected(reached.error()));
        if (reached)
            m_store.written();
    });
}

template <class T>
void SimulatedStore::askOnceThere(std::vector<std::string> keys, Duration timeout, Callback<T> done,
                                  std::function<T(SharedStore::Values&)> read)
{
    const std::int64_t patience = timeout.count() * Millisecond;
    reach([this, keys, patience, done, read](const Result<void>& reached) {
        if (!reached)
            return answer<T>(done, tl::unexpected(reached.error()));
        m_store.wait(keys, patience, [this, alive = m_alive, done, read](const Result<void>& came) {
            if (*alive)
                answer<T>(done,
                          came ? Result<T>(read(m_store.values())) : tl::unexpected(came.error()));
        });
    });
}

void SimulatedStore::set(std::string key, std::string value, Callback<void> done)
{
    multiSet({{std::move(key), std::move(value)}}, std::move(done));
}

void SimulatedStore::append(std::string key, std::string value, Callback<void> done)
{
    ask<void>(std::move(done), [key, value](SharedStore::Values& values) -> Result<void> {
        values[key] += value;
        return {};
    });
}

void SimulatedStore::multiSet(Entries entries, Callback<void> done)
{
    ask<void>(std::move(done), [entries](SharedStore::Values& values) -> Result<void> {
        for (const auto& [key, value] : entries)
            values[key] = value;
        return {};
    });
}

void SimulatedStore::get(std::string key, Duration timeout, Callback<std::string> done)
{
    askOnceThere<std::string>({key}, timeout, std::move(done),
                              [key](SharedStore::Values& values) { return values[key]; });
}

void SimulatedStore::multiGet(std::vector<std::string> keys, Duration timeout,
                              Callback<std::vector<std::string>> done)
{
    askOnceThere<std::vector<std::string>>(keys, timeout, std::move(done),
                                           [keys](SharedStore::Values& values) {
                                               std::vector<std::string> found;
                                               for (const std::string& key : keys)
                                                   found.push_back(values[key]);
                                               return found;
                                           });
}

void SimulatedStore::wait(std::vector<std::string> keys, Duration timeout, Callback<void> done)
{
    askOnceThere<std::string>(
        std::move(keys), timeout,
        [done](const Result<std::string>& came) {
            done(came ? Result<void>() : tl::unexpected(came.error()));
        },
        [](SharedStore::Values&) { return std::string(); });
}

void SimulatedStore::check(std::vector<std::string> keys, Callback<bool> done)
{
    ask<bool>(std::move(done), [keys](SharedStore::Values& values) -> Result<bool> {
        return std::ranges::all_of(keys, [&](const auto& key) { return values.contains(key); });
    });
}

void SimulatedStore::add(std::string key, std::int64_t delta, Callback<std::int64_t> done)
{
    ask<std::int64_t>(std::move(done),
                      [key, delta](SharedStore::Values& values) -> Result<std::int64_t> {
                          std::string& value = values[key];
                          const std::int64_t sum = std::strtoll(value.c_str(), nullptr, 10) + delta;
                          value = std::to_string(sum);
                          return sum;
                      });
}

void SimulatedStore::compareSet(std::string key, std::string expected, std::string desired,
                                Callback<std::string> done)
{
    ask<std::string>(
        std::move(done), [=, this](SharedStore::Values& values) -> Result<std::string> {
            const auto found = values.find(key);
            if (found == values.end() && !expected.empty())
                return expected;
            const bool isTaken = found == values.end() || found->second == expected;
            if (isTaken)
                values[key] = desired;
            m_world.fingerprint.add(m_world.time.now());
            m_world.fingerprint.add(m_host);
            m_world.fingerprint.add(desired);
            if (m_world.isTracing)
                m_world.print("store", m_host, isTaken ? "replaces " : "is too late to replace ",
                              key, isTaken ? textOf(desired) : "");
            if (isTaken && key == SharedStateKey)
                m_store.rules().written(m_host, desired);
            return values[key];
        });
}

void SimulatedStore::deleteKey(std::string key, Callback<bool> done)
{
    ask<bool>(std::move(done),
              [key](SharedStore::Values& values) -> Result<bool> { return values.erase(key) > 0; });
}

void SimulatedStore::keyCount(Callback<std::int64_t> done)
{
    ask<std::int64_t>(std::move(done), [](SharedStore::Values& values) -> Result<std::int64_t> {
        return static_cast<std::int64_t>(values.size());
    });
}

void SimulatedStore::listKeys(Callback<std::vector<std::string>> done)
{
    ask<std::vector<std::string>>(
        std::move(done), [](SharedStore::Values& values) -> Result<std::vector<std::string>> {
            std::vector<std::string> keys;
            for (const auto& [key, value] : values)
                keys.push_back(key);
            return keys;
        });
}

} // namespace ringmaster::simulation
