#pragma once

#include "engine/base/LoopThread.h"
#include "engine/base/Once.h"
#include "engine/control/RemoteCommand.h"
#include "engine/control/RemoteMachine.h"
#include "engine/record/RunExport.h"

namespace ringmaster {

/// A run of another machine on its way into a file here: it is written there, with its secrets
/// masked, and comes through the channel. The file is there in one step, or not at all. start() and
/// the answer are for any thread.
class MachineExport : public std::enable_shared_from_this<MachineExport>,
                      private RemoteCommand::Owner
{
public:
    struct Request
    {
        std::string machine{};
        std::string run{};                  ///< As a person there calls it.
        std::filesystem::path file{};       ///< Empty: RUN.ringrun in the working folder.
        std::vector<std::string> options{}; ///< Further ones of `ringmaster export`.
        /// Of the way there; on the loop.
        std::function<void(const Message&)> told{};
    };

    struct Outcome
    {
        ExportReport report{};
        std::filesystem::path file{};
    };

    /// The threads outlive this.
    MachineExport(LoopThread& loop, LoopThread& ways, Request request,
                  std::function<void(Result<Outcome>)> answer);
    ~MachineExport() override;

    void start();
    /// On the loop, or once it is over.
    void end();

private:
    void found(const Result<RemoteMachine>& machine);
    Result<void> begin(const RemoteMachine& machine);
    Result<Outcome> finish(int exitCode);
    void give(Result<Outcome> outcome);

    void commandPrinted(Stream stream, std::string_view bytes) override;
    void commandTold(const Message& progress) override;
    void commandEnded(const Result<int>& exitCode) override;

    LoopThread& m_loop;
    LoopThread& m_ways;
    const Request m_request;
    const Once<Outcome> m_answer;
    std::filesystem::path m_partial;
    FileDescriptor m_file;
    std::uint64_t m_bytes = 0;
    std::optional<Error> m_failure; ///< Of writing here.
    std::string m_said;             ///< Standard error there: the report, or why not.
    bool m_isEnded = false;
    std::shared_ptr<MachineExport> m_self; ///< As long as the command is under way.
    std::unique_ptr<RemoteCommand> m_command;
};

} // namespace ringmaster
