#pragma once

#include "engine/base/Children.h"
#include "engine/control/MachineWatch.h"
#include "engine/control/RemoteCommand.h"
#include "engine/control/RemoteMachine.h"
#include "engine/hosts/CodeCopy.h"

namespace ringmaster {

/// Starts a job on another machine, where it lives by itself: its program is brought there as to a
/// host, then `run --detach` is carried out there. Lives on the loop; destroyed, it ends what is
/// under way.
class RemoteLaunch : private RemoteCommand::Owner
{
public:
    /// How `run` has ended there.
    struct Outcome
    {
        int exitCode = 0;
        std::string run{}; ///< Where that is 0.
    };

    /// Called on the loop, never inside a call. A launch isn't destroyed in one.
    class Owner
    {
    public:
        virtual ~Owner() = default;
        virtual void launchReached(LaunchStep step) = 0;
        virtual void launchTold(const Message& progress) = 0;
        /// What `run` says there on its standard error.
        virtual void launchPrinted(std::string_view text) = 0;
        /// Once.
        virtual void launchEnded(const Result<Outcome>& outcome) = 0;
    };

    /// `home` is the user's here, which isn't brought there as a whole.
    static Result<std::unique_ptr<RemoteLaunch>> start(EventLoop& loop, Owner& owner,
                                                       RemoteMachine machine, MachineLaunch launch,
                                                       const std::filesystem::path& home);

private:
    RemoteLaunch(EventLoop& loop, Owner& owner, RemoteMachine machine);

    Result<void> prepare(MachineLaunch launch, const std::filesystem::path& home);
    void bring();
    void brought(const Result<ChildCommand::Outcome>& outcome);
    void launch();
    void end(const Result<Outcome>& outcome);

    void commandPrinted(Stream stream, std::string_view bytes) override;
    void commandTold(const Message& progress) override { m_owner.launchTold(progress); }
    void commandEnded(const Result<int>& exitCode) override;

    EventLoop& m_loop;
    Owner& m_owner;
    const RemoteMachine m_machine;
    CommandRequest m_request;
    std::optional<CodeCopy> m_copy;
    std::int64_t m_toldAtNs = 0; ///< How far the copy is.
    std::string m_answer;
    EventLoop::Registration m_next;
    Children m_children;
    std::unique_ptr<RemoteCommand> m_command;
};

} // namespace ringmaster
