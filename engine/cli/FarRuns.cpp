#include "engine/cli/FarRuns.h"

#include "engine/base/Thread.h"
#include "engine/cli/RunChoice.h"
#include "engine/control/RpcQueue.h"
#include "engine/control/WatchingCluster.h"

#include <future>

namespace ringmaster {

namespace {

/// The first answer to a question that another thread gives.
template <class T>
class Awaited
{
public:
    std::function<void(Result<T>)> answer()
    {
        return
            [once = Once<T>(
                 [promise = m_promise](Result<T> result) { promise->set_value(std::move(result)); },
                 "asking another machine")](Result<T> result) { once(std::move(result)); };
    }
    Result<T> wait() { return m_promise->get_future().get(); }

private:
    std::shared_ptr<std::promise<Result<T>>> m_promise =
        std::make_shared<std::promise<Result<T>>>();
};

/// One machine, as long as something is asked there.
class Reached
{
public:
    explicit Reached(const std::string& name)
        : m_answer(m_awaited.answer())
        , m_machine(std::make_shared<WatchedMachine>(
              m_loop, m_ways, m_queue,
              WatchedMachine::Options{.name = name,
                                      .way = [this, name](auto way) { return nextTry(name, way); }},
              [this] { m_answer({}); }, [] {}))
    {
    }
    ~Reached()
    {
        m_ways.stop();
        m_loop.stop();
        m_machine->close();
    }
    Reached(const Reached&) = delete;
    Reached& operator=(const Reached&) = delete;

    Result<std::vector<RunSummary>> runs()
    {
        m_loop.post([this] { m_machine->start(); });
        RM_TRY(m_awaited.wait());
        return m_machine->runs();
    }

    template <class T, class Call>
    Result<T> ask(Call call)
    {
        Awaited<T> awaited;
        m_loop.post([this, call, answer = Once<T>(awaited.answer(), m_machine->name())] {
            m_machine->ask(answer, call);
        });
        return awaited.wait();
    }

private:
    /// The connection that others share may be broken: the second try has one of its own.
    Result<HostLink::Options> nextTry(const std::string& name, WatchedMachine::Way way)
    {
        constexpr int MostTries = 2;
        if (++m_tries > MostTries)
            m_answer(tl::unexpected(Error{m_machine->state().why, {}}));
        return WatchingCluster::usualWay(name, way);
    }

    Awaited<void> m_awaited;
    std::function<void(Result<void>)> m_answer;
    int m_tries = 0; ///< On m_ways.
    RpcQueue m_queue;
    LoopThread m_ways{"rm-ways"};
    LoopThread m_loop{"rm-machines"};
    std::shared_ptr<WatchedMachine> m_machine;
};

} // namespace

Result<MachineExport::Outcome> exportFromThere(MachineExport::Request request)
{
    Result<MachineExport::Outcome> outcome;
    RM_TRY(guardThreads([&]() -> Result<void> {
        LoopThread loop("rm-machines");
        LoopThread ways("rm-ways");
        Awaited<MachineExport::Outcome> awaited;
        std::make_shared<MachineExport>(loop, ways, std::move(request), awaited.answer())->start();
        outcome = awaited.wait();
        ways.stop();
        loop.stop();
        return {};
    }));
    return outcome;
}

Result<ComparedRun> compareThere(const std::string& machine, const std::string& run)
{
    Result<ComparedRun> compared;
    RM_TRY(guardThreads([&]() -> Result<void> {
        Reached reached(machine);
        const auto runs = RM_TRY(reached.runs());
        const RunSummary chosen = RM_TRY(chooseRun(runs, run, RunScope::All));
        compared = RM_TRY(reached.ask<ComparedRun>(
            [id = chosen.id](MachineClient& client, Cluster::Answer<ComparedRun> given) {
                client.readComparedRun(id, {}, std::move(given));
            }));
        compared->id = MachineRun{machine, chosen.id}.id();
        compared->name = machine + ":" + chosen.shownName();
        return {};
    }));
    return compared;
}

} // namespace ringmaster
