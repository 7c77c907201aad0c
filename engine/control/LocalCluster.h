#pragma once

#include "engine/base/LoopThread.h"
#include "engine/control/AgentCalls.h"
#include "engine/control/Cluster.h"
#include "engine/control/Follower.h"
#include "engine/control/Launcher.h"
#include "engine/control/Listeners.h"
#include "engine/control/LocalHostRegistry.h"
#include "engine/control/PendingCommands.h"
#include "engine/control/RunList.h"
#include "engine/control/RunReaders.h"
#include "engine/record/RunCatalog.h"

#include <chrono>
#include <memory>
#include <set>
#include <stop_token>

namespace ringmaster {

/// The runs of this user on this machine: those of the state folder, whose agents are reached
/// through their control sockets. Works on threads of its own: "rm-cluster" keeps the list and
/// starts agents, "rm-files" reads parts of runs and asks agents, "rm-bulk" reads and removes whole
/// runs, as long as that takes, "rm-grpc" talks to agents.
class LocalCluster : public Cluster
{
public:
    struct Options
    {
        std::filesystem::path runs{};    ///< Empty: runsFolder().
        std::filesystem::path command{}; ///< Empty: `ringmaster` beside this executable.
        RunCatalog::Retention retention{};
        std::chrono::milliseconds launchPatience{30'000};
        /// For the answers to commands and changes when it ends. Runs that are to be removed,
        /// pinned or labelled are so by then in any case, but for those to be removed that somebody
        /// still writes two seconds later.
        std::chrono::milliseconds commandPatience = PendingCommands::Patience;
    };

    LocalCluster() : LocalCluster(Options{}) {}
    explicit LocalCluster(Options options);
    ~LocalCluster() override;

    HostRegistry& hosts() override { return m_hosts; }
    std::vector<RunSummary> runs() const override { return m_list.runs(); }
    [[nodiscard]] Subscription onRunsChanged(std::function<void()> changed) override
    {
        return m_listeners.add(std::move(changed));
    }
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
    /// Does something slow with the run folders, and answers. Commands and followers wait for it.
    template <class T, class Work>
    void onFiles(Answer<T> answer, const char* what, Work work);
    /// The same, where it may take long; one after the other.
    template <class T, class Work>
    void onBulk(Answer<T> answer, const char* what, Work work);
    /// Changes something of a run in its turn on one of both threads, also where the cluster ends
    /// before that.
    template <class Work>
    void change(LoopThread& thread, Answer<void> answer, const char* what, Work work);

    const Options m_options;
    const std::filesystem::path m_folder;
    const RunCatalog m_catalog;
    Listeners m_listeners;
    std::stop_source m_ending;      ///< What takes long, or only reads, has to end.
    std::stop_source m_patienceEnd; ///< Nor is who still writes a run waited for.
    PendingCommands m_commands;     ///< Outlives what answers them.
    RpcQueue m_queue;

    LoopThread m_main{"rm-cluster"};
    LoopThread m_files{"rm-files"};
    LoopThread m_bulk{"rm-bulk"};

    // Of the files' thread.
    std::set<std::shared_ptr<Follower>> m_followers;
    AgentCalls m_agents;
    RunReaders m_readers;

    // Of the main thread.
    RunList m_list;
    Launcher m_launcher;
    LocalHostRegistry m_hosts;
};

/// The `ringmaster` executable beside this one, or on PATH.
Result<std::filesystem::path> commandExecutable();

} // namespace ringmaster
