#include "engine/cli/AgentTalk.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Paths.h"
#include "engine/control/AgentClient.h"

#include <cerrno>
#include <future>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster {

namespace {

Result<AgentRecord> agentOf(const RunSummary& run)
{
    const AgentRecord agent = RM_TRY(RM_TRY(RunCatalog(runsFolder()).find(run.id)).agent());
    if (lifeOf(agent) != AgentLife::Alive)
        return fail(code::RunNotRunning, {{"run", run.id}});
    return agent;
}

} // namespace

Result<RunSummary> sendToRun(const std::string& text, const Command& command)
{
    const RunSummary run =
        RM_TRY(chooseRun(RunCatalog(runsFolder()).list(), text, RunScope::Running));
    const AgentRecord agent = RM_TRY(agentOf(run));
    RpcQueue queue;
    const auto client = RM_TRY(AgentClient::connect(agent.socket, run.id, queue));
    std::promise<Result<void>> answer;
    client->send(command, [&answer](Result<void> result) { answer.set_value(std::move(result)); });
    RM_TRY(answer.get_future().get());
    return run;
}

Result<KeptEvidence> takeStacksOf(const RunSummary& run)
{
    const AgentRecord agent = RM_TRY(agentOf(run));
    RpcQueue queue;
    const auto client = RM_TRY(AgentClient::connect(agent.socket, run.id, queue));
    std::promise<Result<KeptEvidence>> answer;
    client->takeStacks(
        [&answer](Result<KeptEvidence> taken) { answer.set_value(std::move(taken)); });
    return answer.get_future().get();
}

Result<bool> waitForEnd(const RunSummary& run, std::chrono::milliseconds patience)
{
    const auto agent = agentOf(run);
    if (!agent)
        return true;
    const FileDescriptor process(
        static_cast<int>(::syscall(SYS_pidfd_open, agent->process.pid, 0)));
    if (!process.isOpen() || !isAlive(agent->process))
        return true;
    pollfd wait{process.get(), POLLIN, 0};
    int ready = 0;
    do {
        ready = ::poll(&wait, 1, static_cast<int>(patience.count()));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

} // namespace ringmaster
