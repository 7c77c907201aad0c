#pragma once

#include "engine/base/LoopThread.h"
#include "engine/base/Once.h"
#include "engine/control/Codes.h"
#include "engine/control/Gate.h"
#include "engine/control/MachineClient.h"
#include "engine/control/MachineWatch.h"
#include "engine/hosts/HostLink.h"

#include <chrono>
#include <mutex>
#include <set>

namespace ringmaster {

/// The runs of another machine, over as many connections as it takes: when one breaks, the next one
/// is tried, later each time, and what is followed goes on where it was. Lives on the loop's
/// thread; state() and runs() are for any.
class WatchedMachine : private HostLink::Listener
{
public:
    enum class Way { Shared, Fresh };

    struct Options
    {
        std::string name{};
        /// May block: it is called on a thread of its own.
        std::function<Result<HostLink::Options>(Way)> way{};
        std::chrono::milliseconds firstDelay{500}; ///< Doubled with each try in vain …
        std::chrono::milliseconds longestDelay{30'000};
    };

    /// Events of one run for one callback.
    struct Follow
    {
        std::string run{};
        std::uint64_t sequence = 0;
        std::function<void(std::vector<Event>)> events{};
        std::function<void(Result<void>)> ended{};
        Gate gate{};
        Subscription stream{};
    };

    /// `ways` is where Options::way is called; threads and queue outlive this.
    WatchedMachine(LoopThread& loop, LoopThread& ways, RpcQueue& queue, Options options,
                   std::function<void()> runsChanged, std::function<void()> stateChanged);
    ~WatchedMachine() override;

    void start() { connect(); }
    void follow(const std::shared_ptr<Follow>& follow);
    void unfollow(const std::shared_ptr<Follow>& follow);
    /// Nothing more comes: what is followed ends.
    void close();

    /// Asks what is there, or answers that it isn't reached.
    template <class T, class Call>
    void ask(const Once<T>& answer, Call call)
    {
        if (m_client)
            call(*m_client, [answer](Result<T> result) { answer(std::move(result)); });
        else
            answer(fail(code::MachineNotConnected, {{"host", m_options.name}}));
    }

    const std::string& name() const { return m_options.name; }
    WatchedMachineState state() const;
    /// As last seen; with the ids that they have there.
    std::vector<RunSummary> runs() const;

private:
    void linkTold(const Message& progress) override;
    void linkOpened(FileDescriptor channel) override;
    void linkEnded(const Error& why, int exitCode) override;

    void connect();
    void wayFound(Result<HostLink::Options> way);
    void listArrived(const MachineClient::Runs& runs);
    void listEnded(const Result<void>& result);
    void begin(const std::shared_ptr<Follow>& follow);
    void eventsArrived(const std::shared_ptr<Follow>& follow, std::vector<Event> events);
    void followEnded(const std::shared_ptr<Follow>& follow, const Result<void>& result);
    void broken(const Message& why);
    void letGo();
    void setState(WatchedMachineState::Connection connection, const Message& why = {});

    LoopThread& m_loop;
    LoopThread& m_ways;
    RpcQueue& m_queue;
    const Options m_options;
    std::function<void()> m_runsChanged;
    std::function<void()> m_stateChanged;

    std::set<std::shared_ptr<Follow>> m_follows;
    std::chrono::milliseconds m_delay;
    bool m_isCut = false;
    std::uint64_t m_connection = 0;
    EventLoop::Registration m_again;
    std::unique_ptr<HostLink> m_link;
    std::unique_ptr<MachineClient> m_client;
    Subscription m_list;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);

    mutable std::mutex m_mutex;
    WatchedMachineState m_state;
    std::vector<RunSummary> m_runs;
};

} // namespace ringmaster
