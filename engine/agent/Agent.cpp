#include "engine/agent/Agent.h"

#include "engine/agent/AgentStateMachine.h"

namespace ringmaster {

Agent::Agent(JobSpec spec, AgentOptions options, Parts parts)
    : m_machine(std::make_unique<StateMachine>(std::move(spec), std::move(options), parts))
{
}

Agent::~Agent() = default;

void Agent::start()
{
    m_machine->start();
}

Result<void> Agent::handle(const Command& command)
{
    return m_machine->handle(command);
}

bool Agent::signalled(int signal)
{
    return m_machine->signalled(signal);
}

void Agent::abort(const Error& why)
{
    m_machine->abort(why);
}

void Agent::deviceFailed(const Message& what, const std::vector<pid_t>& pids)
{
    m_machine->deviceFailed(what, pids);
}

void Agent::setWatched(bool watched)
{
    m_machine->setWatched(watched);
}

RunState Agent::state() const
{
    return m_machine->runState();
}

WorkerState Agent::group() const
{
    return m_machine->groupState();
}

} // namespace ringmaster
