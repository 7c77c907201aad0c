#pragma once

#include "engine/base/LoopThread.h"
#include "engine/control/RpcQueue.h"
#include "engine/control/WatchedMachine.h"

#include <functional>
#include <memory>
#include <string>

namespace ringmaster {

/// Another machine, for as long as one command asks something there. The connection that others
/// share may be broken: the second try has one of its own, and after that nothing else can be
/// tried.
class ReachedMachine
{
public:
    struct Told
    {
        std::function<void()> runsChanged{}; ///< Of this machine's runs; also the first time.
        std::function<void()> stateChanged{};
        std::function<void(const Message& why)> notReached{}; ///< Again and again.
    };

    /// What is told comes on threads of its own.
    ReachedMachine(std::string name, Told told);
    ~ReachedMachine();
    ReachedMachine(const ReachedMachine&) = delete;
    ReachedMachine& operator=(const ReachedMachine&) = delete;

    void start();
    WatchedMachineState state() const { return m_machine->state(); }
    std::vector<RunSummary> runs() const { return m_machine->runs(); }

    template <class T, class Call>
    void ask(Cluster::Answer<T> answer, Call call)
    {
        m_loop.post([this, call, answer = Once<T>(std::move(answer), m_machine->name())] {
            m_machine->ask(answer, call);
        });
    }

private:
    Result<HostLink::Options> nextTry(WatchedMachine::Way way);

    const std::string m_name;
    const Told m_told;
    int m_tries = 0; ///< On m_ways.
    RpcQueue m_queue;
    LoopThread m_ways{"rm-ways"};
    LoopThread m_loop{"rm-machines"};
    std::shared_ptr<WatchedMachine> m_machine;
};

} // namespace ringmaster
