#pragma once

#include "engine/base/EventLoop.h"
#include "engine/rendezvous/RoundExchange.h"
#include "engine/rendezvous/State.h"
#include "engine/store/StoreThread.h"
#include "engine/store/TcpStoreClient.h"

#include <functional>
#include <memory>

namespace ringmaster {

/// How a rendezvous makes its connection to a store.
using ConnectStore =
    std::function<std::unique_ptr<Store>(EventLoop& loop, TcpStoreClient::Options options)>;
std::unique_ptr<Store> connectStore(EventLoop& loop, TcpStoreClient::Options options);

/// Where the workers of each c10d round meet: group rank 0 serves their store, the others find it,
/// and nobody finds there what the last round left.
///
/// Among our own agents every round has a fresh store, which a worker that was left over can't
/// reach. torchrun's agents (2.11) keep the address of their first round for life, publish none
/// later and never clear the store. In a group with one of them the store therefore stays where it
/// is, we publish it in their place, and clear it while no workers run: before our offer, which
/// rank 0 waits for, or as rank 0 before it assigns the ranks.
///
/// Belongs to the loop's thread; the rendezvous store outlives it. Destroying it drops what is
/// pending.
class WorkersStore
{
public:
    struct Options
    {
        std::string id{};
        Store::Duration readTimeout{};
        NodeDescription node{};
        std::string address{}; ///< At which the other nodes reach what is served here.
        /// A node that is new with torchrun publishes its store at once; one that isn't never does.
        Store::Duration publishedSoon = std::chrono::seconds(5);
        bool isShared = true; ///< False: the first worker serves it, and only the port is chosen.
        OpenStoreFactory openStore = StoreThread::start;
        ConnectStore connect = connectStore;
    };

    struct Round
    {
        std::int64_t number = 0;
        std::map<NodeDescription, std::int64_t> participants{}; ///< node → group rank
    };

    WorkersStore(Options options, EventLoop& loop, Store& rendezvousStore);
    ~WorkersStore();

    /// Finds or serves the store of a round, and publishes it where that is needed.
    void open(const Round& round, Store::Callback<RoundExchange::Master> done);

    /// Drops what is pending; what is served stays until another round's is open.
    void cancel();

    /// After open(), while no node's workers run.
    void clear(std::function<void()> done);

private:
    using Master = RoundExchange::Master;

    void lead();
    void serve();
    void publish(const Master& master);
    void findTorchruns();
    void offer(const Master& master);
    void read();
    void opened(Result<Master> master);
    void inherit(std::int64_t round, const std::function<void(std::optional<Master>)>& found);
    void tryMaster(const Master& master, const std::function<void(bool)>& answered);
    std::unique_ptr<RoundExchange> exchangeOf(std::int64_t round) const;

    Options m_options;
    EventLoop& m_loop;
    Store& m_rendezvousStore;

    Round m_round;
    NodeDescription m_first;           ///< Who has group rank 0.
    bool m_hasTorchruns = false;       ///< An agent of torchrun's takes part.
    bool m_isFresh = false;            ///< Nobody can have left anything in it.
    bool m_isKnownToTorchruns = false; ///< They stay with the address of what is served here.
    std::optional<std::pair<NodeDescription, Master>> m_last; ///< The last round's, and whose.
    Store::Callback<Master> m_done;

    std::unique_ptr<OpenStore> m_served;
    std::unique_ptr<Store> m_client; ///< Of the workers' store, where it isn't fresh.
    std::unique_ptr<RoundExchange> m_exchange;
    std::unique_ptr<RoundExchange> m_earlier;
};

} // namespace ringmaster
