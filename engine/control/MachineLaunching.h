#pragma once

#include "engine/base/LoopThread.h"
#include "engine/base/Once.h"
#include "engine/control/Gate.h"
#include "engine/control/RemoteLaunch.h"

namespace ringmaster {

/// One job on its way to another machine, from any thread: how the machine is reached is found out
/// on one thread, which may block, the launch itself lives on another.
class MachineLaunching : public std::enable_shared_from_this<MachineLaunching>,
                         private RemoteLaunch::Owner
{
public:
    /// The threads outlive this.
    MachineLaunching(LoopThread& loop, LoopThread& ways, MachineLaunch launch,
                     std::function<void(LaunchStep, Message)> told,
                     const Cluster::Answer<std::string>& answer);

    void start();
    /// Nothing is told any more.
    void cancel();
    /// On the loop, or once it is over.
    void end();

private:
    void found(Result<RemoteMachine> machine);
    void tell(const Message& progress);
    void give(const Result<std::string>& answer);

    void launchReached(LaunchStep step) override;
    void launchTold(const Message& progress) override { tell(progress); }
    void launchPrinted(std::string_view text) override;
    void launchEnded(const Result<RemoteLaunch::Outcome>& outcome) override;

    LoopThread& m_loop;
    LoopThread& m_ways;
    MachineLaunch m_request;
    const std::string m_machine;
    std::function<void(LaunchStep, Message)> m_told;
    const std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
    const Once<std::string> m_answer;
    LaunchStep m_step = LaunchStep::Reaching;
    std::string m_errors;
    bool m_isEnded = false;
    std::unique_ptr<RemoteLaunch> m_launch;
};

} // namespace ringmaster
