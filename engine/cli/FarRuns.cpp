#include "engine/cli/FarRuns.h"

#include "engine/base/Thread.h"
#include "engine/cli/ReachedMachine.h"
#include "engine/cli/RunChoice.h"

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
        Awaited<void> awaited;
        const auto reached = awaited.answer();
        ReachedMachine there(machine, {.runsChanged = [&] { reached({}); },
                                       .stateChanged = [] {},
                                       .notReached =
                                           [&](const Message& why) {
                                               reached(tl::unexpected(Error{why, {}}));
                                           }});
        there.start();
        RM_TRY(awaited.wait());
        const RunSummary chosen = RM_TRY(chooseRun(there.runs(), run, RunScope::All));
        Awaited<ComparedRun> answered;
        there.ask<ComparedRun>(
            answered.answer(),
            [id = chosen.id](MachineClient& client, Cluster::Answer<ComparedRun> given) {
                client.readComparedRun(id, {}, std::move(given));
            });
        compared = RM_TRY(answered.wait());
        compared->id = MachineRun{machine, chosen.id}.id();
        compared->name = machine + ":" + chosen.shownName();
        return {};
    }));
    return compared;
}

} // namespace ringmaster
