#pragma once

#include "engine/control/Cluster.h"
#include "engine/control/Listeners.h"
#include "engine/control/MachineReads.h"
#include "engine/control/PendingCommands.h"
#include "engine/control/WatchedMachine.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace ringmaster {

class MachineExport;
class MachineLaunching;

/// The runs of this machine, which another Cluster has, and those of the machines that are watched.
/// Their runs are known as MACHINE:RUN. Works on threads of its own: "rm-machines" talks to them,
/// "rm-ways" finds out how they are reached, "rm-grpc".
class WatchingCluster : public Cluster, public MachineWatch
{
public:
    /// How a machine is reached; may block.
    using FindWay =
        std::function<Result<HostLink::Options>(const std::string& machine, WatchedMachine::Way)>;
    /// By the host book, with the user's own ssh.
    static Result<HostLink::Options> usualWay(const std::string& machine, WatchedMachine::Way way);

    /// `local` outlives this; `commandPatience` is for the answers to commands and changes when
    /// this ends.
    explicit WatchingCluster(Cluster& local, FindWay findWay = usualWay,
                             std::chrono::milliseconds commandPatience = PendingCommands::Patience);
    ~WatchingCluster() override;
    WatchingCluster(const WatchingCluster&) = delete;
    WatchingCluster& operator=(const WatchingCluster&) = delete;

    void watch(const std::vector<std::string>& machines) override;
    std::vector<WatchedMachineState> machines() const override;
    [[nodiscard]] Subscription onMachinesChanged(std::function<void()> changed) override;
    [[nodiscard]] Subscription launchThere(MachineLaunch launch,
                                           std::function<void(LaunchStep, Message)> told,
                                           Answer<std::string> answer) override;
    void findJobs(const std::string& machine, Answer<std::vector<WatchedJob>> answer) override;
    void lookAtJob(const std::string& machine, const NamedJob& job,
                   Answer<JobFindings> answer) override;
    void endJob(const std::string& machine, const NamedJob& job, Answer<void> answer) override;

    HostRegistry& hosts() override { return m_local.hosts(); }
    std::vector<RunSummary> runs() const override;
    [[nodiscard]] Subscription onRunsChanged(std::function<void()> changed) override;
    void launch(const JobSpec& spec, const LaunchOptions& options,
                Answer<std::string> answer) override;
    [[nodiscard]] Subscription follow(const std::string& run, std::uint64_t sequence,
                                      std::function<void(std::vector<Event>)> events,
                                      std::function<void(Result<void>)> ended) override;
    void readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer) override;
    void searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                   Answer<LogSearchPage> answer) override;
    void readLogLines(const std::string& run, std::vector<LogPlace> places,
                      Answer<std::vector<LogLine>> answer) override;
    void readOperations(const std::string& run, std::optional<OperationSummary::TimeRange> range,
                        Answer<OperationSummary> answer) override;
    void readNumbers(const std::string& run, const std::vector<std::string>& names,
                     Answer<NumberSummary> answer) override;
    void readLastNumbers(const std::string& run, Answer<NumberSummary> answer) override;
    void readFigures(const std::string& run, Answer<RunFigures> answer) override;
    void readComparedRun(const std::string& run, const std::vector<std::string>& names,
                         Answer<ComparedRun> answer) override;
    void lookAtRanks(const std::string& run, Answer<RankPlaces> answer) override;
    void takeStacks(const std::string& run, Answer<KeptEvidence> answer) override;
    void send(const std::string& run, const Command& command, Answer<void> answer) override;
    void openFile(const std::filesystem::path& file, Answer<std::string> answer) override;
    void remove(const std::string& run, Answer<void> answer) override;
    void setPinned(const std::string& run, bool pinned, Answer<void> answer) override;
    void setLabels(const std::string& run, const RunLabels& labels, Answer<void> answer) override;
    void exportRun(const std::string& run, const std::filesystem::path& file,
                   Answer<ExportReport> answer) override;

private:
    using Machine = std::shared_ptr<WatchedMachine>;

    Machine find(const std::string& machine) const;
    /// The answer of one for which the end waits.
    Answer<void> awaited(const std::string& run, Answer<void> answer);
    /// Asks a machine, if it is watched.
    template <class T, class Call>
    void ask(const std::string& machine, const Answer<T>& answer, Call call);
    /// True: the run is another machine's, and is asked about there, if that is watched.
    template <class T, class Call>
    bool askedThere(const std::string& run, const Answer<T>& answer, Call call);
    // For questions that a machine answers just as this one does:
    template <class T, class... Parameters, class... Arguments>
    void askOf(const std::string& machine, const Answer<T>& answer,
               void (MachineClient::*question)(Parameters...), Arguments... arguments);
    template <class T, class... Parameters, class... Arguments>
    void askWhereItIs(const std::string& run, Answer<T> answer,
                      void (Cluster::*here)(Parameters...),
                      void (MachineClient::*there)(Parameters...), Arguments... arguments);

    Cluster& m_local;
    FindWay m_findWay;
    const std::chrono::milliseconds m_commandPatience;
    Listeners m_runListeners;
    Listeners m_machineListeners;
    PendingCommands m_commands; ///< To machines; outlives what answers them.
    RpcQueue m_queue;
    LoopThread m_ways{"rm-ways"};
    LoopThread m_loop{"rm-machines"};
    mutable std::mutex m_mutex;
    std::map<std::string, Machine> m_machines; ///< Each lives on the loop.
    std::vector<std::weak_ptr<MachineLaunching>> m_launches;
    std::vector<std::weak_ptr<MachineExport>> m_exports;
    MachineReads m_reads;
    Subscription m_localChanges; ///< Last: cancelled first.
};

} // namespace ringmaster
