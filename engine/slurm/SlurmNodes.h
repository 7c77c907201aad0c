#pragma once

#include "engine/base/ChildCommand.h"
#include "engine/hosts/NodeProvider.h"
#include "engine/slurm/SlurmJob.h"
#include "engine/slurm/SlurmRunScript.h"

#include <chrono>

namespace ringmaster {

/// The nodes that Slurm gives: submits a script that starts a waiting agent on each, looks what
/// became of the job, and cancels what is left of it. An agent is reached by a step of its own, so
/// it outlives the way to it.
class SlurmNodes : public NodeProvider
{
public:
    SlurmNodes(EventLoop& loop, std::filesystem::path workingFolder)
        : m_loop(loop), m_workingFolder(std::move(workingFolder))
    {
    }

    Result<void> prepare(JobSpec& spec) override;
    void start(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner) override;
    void resume(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner) override;
    HostLink::Options wayTo(const Host& host) const override;
    bool mayExplain(const Message& end) const override;
    bool look() override;
    void handOver() override;
    void end() override;
    bool isOver() const override { return m_isOver; }

private:
    using Then = void (SlurmNodes::*)(const ChildCommand::Outcome& outcome);

    void ask(std::vector<std::string> command, Then then, std::string input = {});
    void setJob(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner);
    void submit();
    void submitted(const ChildCommand::Outcome& outcome);
    void lookLater();
    void expectArrival();
    void lookForArrival();
    bool takeArrival();
    void given(std::vector<Host> hosts);
    void queueTold(const ChildCommand::Outcome& outcome);
    void accountsTold(const ChildCommand::Outcome& outcome);
    void found(const SlurmJob& job);
    bool isPlaced(const SlurmJob& job) const;
    void withdraw();
    Cost costOfLoss();
    void running(const SlurmJob& job);
    void nodesTold(const ChildCommand::Outcome& outcome);
    void ended(const SlurmJob& job);
    void lost(const Message& why);
    void unreachable(const ChildCommand::Outcome& outcome);
    void lookAtEnd(const SlurmJob& job);
    void cancelled(const ChildCommand::Outcome& outcome);
    std::string logTail() const;

    EventLoop& m_loop;
    const std::filesystem::path m_workingFolder;
    JobSpec m_spec{};
    SlurmSubmission m_submission{};
    std::string m_name;
    Owner* m_owner = nullptr;

    SlurmJob m_job{};                     ///< As it was at the last look.
    std::vector<std::string> m_nodes{};   ///< Given; empty: none at present.
    SlurmJob m_placed{};                  ///< As it was when its nodes were given.
    std::string m_told;                   ///< The last reason to wait, or state, that was told.
    std::vector<std::string> m_command{}; ///< That runs.
    std::unique_ptr<ChildCommand> m_child;
    bool m_isSubmitted = false; ///< Perhaps: its answer may be lost.
    bool m_isResumed = false;   ///< By another lead, which is gone.
    bool m_looksAgain = false;  ///< Was asked to while something ran.
    bool m_isAsked = false;     ///< look()'s answer is owed.
    bool m_isSilent = false;    ///< The controller doesn't answer.
    bool m_wasSilent = false;   ///< Nor did it just now: what it says may be from a saved state.
    bool m_isEnding = false;
    bool m_isCancelled = false;
    bool m_isOver = false;
    std::chrono::milliseconds m_pause{0};
    std::chrono::milliseconds m_arrivalPause{0}; ///< Between two looks for the script's file.
    std::chrono::steady_clock::time_point m_endBy{};
    EventLoop::Registration m_next;
    EventLoop::Registration m_arrival;
};

} // namespace ringmaster
