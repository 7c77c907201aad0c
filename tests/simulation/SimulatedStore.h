#pragma once

#include "engine/rendezvous/RoundExchange.h"
#include "engine/store/OpenStore.h"
#include "engine/store/Store.h"
#include "tests/simulation/Network.h"
#include "tests/simulation/SharedStateRules.h"

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster::simulation {

/// The store that the agents of a c10d rendezvous meet in. One of them serves it, and it ends with
/// that one's process.
class SharedStore
{
public:
    using Values = std::map<std::string, std::string>;
    using Arrived = std::function<void(const Result<void>&)>;

    explicit SharedStore(World& world) : m_world(world), m_rules(world) {}

    std::unique_ptr<OpenStore> serve(int host, std::uint16_t port = 29400);
    void end();
    bool isServed() const { return m_isServed; }
    int host() const { return m_host; }

    Values& values() { return m_values; }
    /// Of the state that agents share in it.
    SharedStateRules& rules() { return m_rules; }
    int clients() const { return m_clients; }
    void clientCame() { ++m_clients; }
    /// Whoever waits for what is there now is told.
    void written();
    void wait(std::vector<std::string> keys, std::int64_t timeout, Arrived arrived);

private:
    struct Waiter
    {
        std::vector<std::string> keys{};
        Arrived arrived{};
        std::uint64_t number = 0;
    };

    bool hasAll(const std::vector<std::string>& keys) const;

    World& m_world;
    SharedStateRules m_rules;
    bool m_isServed = false;
    int m_host = 0;
    int m_clients = 0; ///< That have said that they are there.
    Values m_values;
    std::list<Waiter> m_waiters;
    std::uint64_t m_waits = 0;
};

/// Where agents without a lead meet, and the stores that they serve to their workers.
struct SharedPlace
{
    std::unique_ptr<OpenStore> serveWorkers(World& world, int host);
    SharedStore* find(const RoundExchange::Master& master);
    bool isServed(const RoundExchange::Master& master);

    Network& network;
    SharedStore& store;
    std::map<int, std::unique_ptr<SharedStore>> workersStores{}; ///< By port.
};

/// An agent's connection to it.
class SimulatedStore final : public Store
{
public:
    SimulatedStore(World& world, Network& network, SharedStore& store, Process& process, int host,
                   std::int64_t connectTimeout);
    ~SimulatedStore() override { *m_alive = false; }

    /// TcpStoreClient::connect(), of one that announces itself.
    void connect(Callback<void> done);

    void set(std::string key, std::string value, Callback<void> done) override;
    void append(std::string key, std::string value, Callback<void> done) override;
    void multiSet(Entries entries, Callback<void> done) override;
    void get(std::string key, Duration timeout, Callback<std::string> done) override;
    void multiGet(std::vector<std::string> keys, Duration timeout,
                  Callback<std::vector<std::string>> done) override;
    void wait(std::vector<std::string> keys, Duration timeout, Callback<void> done) override;
    void check(std::vector<std::string> keys, Callback<bool> done) override;
    void add(std::string key, std::int64_t delta, Callback<std::int64_t> done) override;
    void compareSet(std::string key, std::string expected, std::string desired,
                    Callback<std::string> done) override;
    void deleteKey(std::string key, Callback<bool> done) override;
    void keyCount(Callback<std::int64_t> done) override;
    void listKeys(Callback<std::vector<std::string>> done) override;

private:
    using Reached = std::function<void(const Result<void>&)>;

    template <class T>
    void answer(const Callback<T>& done, Result<T> result);
    /// `then` runs at the store, or here where it can't be reached.
    void reach(Reached then);
    void tryToReach(std::int64_t until, Reached then);
    template <class T>
    void ask(Callback<T> done, std::function<Result<T>(SharedStore::Values&)> act);
    template <class T>
    void askOnceThere(std::vector<std::string> keys, Duration timeout, Callback<T> done,
                      std::function<T(SharedStore::Values&)> read);
    std::int64_t passage(int from, int to, std::int64_t& last);

    World& m_world;
    Network& m_network;
    SharedStore& m_store;
    Process& m_process;
    const int m_host;
    std::int64_t m_connectTimeout;
    std::int64_t m_lastThere = 0;
    std::int64_t m_lastBack = 0;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster::simulation
