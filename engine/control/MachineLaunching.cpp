#include "engine/control/MachineLaunching.h"

#include "engine/control/Codes.h"

#include <cstdlib>

namespace ringmaster {

MachineLaunching::MachineLaunching(LoopThread& loop, LoopThread& ways, MachineLaunch launch,
                                   std::function<void(LaunchStep, Message)> told,
                                   const Cluster::Answer<std::string>& answer)
    : m_loop(loop)
    , m_ways(ways)
    , m_request(std::move(launch))
    , m_machine(m_request.machine)
    , m_told(std::move(told))
    , m_answer([answer, gate = m_gate](
                   Result<std::string> run) { gate->pass([&] { answer(std::move(run)); }); },
               "starting a job on " + m_machine)
{
}

void MachineLaunching::start()
{
    m_ways.post([self = shared_from_this()] {
        self->m_loop.post([self] { self->tell({}); });
        auto machine =
            std::make_shared<Result<RemoteMachine>>(RemoteMachine::find(self->m_machine));
        self->m_loop.post([self, machine] { self->found(std::move(*machine)); });
    });
}

void MachineLaunching::cancel()
{
    m_gate->close();
    m_loop.post([self = shared_from_this()] { self->end(); });
}

void MachineLaunching::end()
{
    m_isEnded = true;
    m_launch.reset();
}

void MachineLaunching::found(Result<RemoteMachine> machine)
{
    if (m_isEnded)
        return;
    if (!machine)
        return give(tl::unexpected(machine.error()));
    const char* home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    auto launch = RemoteLaunch::start(m_loop.loop(), *this, *std::move(machine),
                                      std::move(m_request), home != nullptr ? home : "");
    if (launch)
        m_launch = *std::move(launch);
    else
        give(tl::unexpected(launch.error()));
}

void MachineLaunching::tell(const Message& progress)
{
    m_gate->pass([&] { m_told(m_step, progress); });
}

void MachineLaunching::launchReached(LaunchStep step)
{
    m_step = step;
    tell({});
}

void MachineLaunching::launchPrinted(std::string_view text)
{
    constexpr std::size_t Longest = 64U << 10U;
    m_errors += text;
    if (m_errors.size() > Longest)
        m_errors.erase(0, m_errors.size() - Longest); // the end says why
}

void MachineLaunching::launchEnded(const Result<RemoteLaunch::Outcome>& outcome)
{
    m_loop.post([launch = std::shared_ptr<RemoteLaunch>(std::move(m_launch))] {});
    if (!outcome)
        return give(tl::unexpected(outcome.error()));
    if (outcome->exitCode == 0)
        return give(MachineRun{m_machine, outcome->run}.id());
    while (!m_errors.empty() && (m_errors.back() == '\n' || m_errors.back() == ' '))
        m_errors.pop_back();
    give(fail(code::LaunchEnded, {{"status", "exit code " + std::to_string(outcome->exitCode)}},
              m_errors));
}

void MachineLaunching::give(const Result<std::string>& answer)
{
    m_isEnded = true;
    m_answer(answer);
}

} // namespace ringmaster
