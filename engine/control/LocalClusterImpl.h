#pragma once

#include "engine/base/LoopThread.h"
#include "engine/base/Once.h"
#include "engine/control/AgentClient.h"
#include "engine/control/Follower.h"
#include "engine/control/Launcher.h"
#include "engine/control/Listeners.h"
#include "engine/control/LocalCluster.h"
#include "engine/control/LocalHostRegistry.h"
#include "engine/control/OperationReading.h"
#include "engine/control/RunList.h"
#include "engine/control/RunNumbers.h"

#include <list>
#include <map>
#include <set>

namespace ringmaster {

/// Which thread does what; see LocalCluster.
class LocalCluster::Impl
{
public:
    explicit Impl(Options options);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    const RunList& list() const { return m_list; }
    Listeners& listeners() { return m_listeners; }
    HostRegistry& hosts() { return m_hosts; }

    void launch(const JobSpec& spec, const LaunchOptions& options, Once<std::string> answer);
    Subscription follow(Follower::Options options);
    void readLog(const std::string& run, const LogQuery& query, Once<LogPage> answer);
    void searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                   Once<LogSearchPage> answer);
    void readLogLines(const std::string& run, std::vector<LogPlace> places,
                      Once<std::vector<LogLine>> answer);
    using TimeRange = OperationSummary::TimeRange;
    void readOperations(const std::string& run, std::optional<TimeRange> range,
                        Once<OperationSummary> answer);
    void readNumbers(const std::string& run, const std::vector<std::string>& names,
                     Once<NumberSummary> answer);
    void readLastNumbers(const std::string& run, Once<NumberSummary> answer);
    void readFigures(const std::string& run, Once<RunFigures> answer);
    void lookAtRanks(const std::string& run, Once<RankPlaces> answer);
    void takeStacks(const std::string& run, Once<KeptEvidence> answer);
    void send(const std::string& run, const Command& command, Once<void> answer);

    /// Does something slow with the run folders, and answers.
    template <class T, class Work>
    void onFiles(Once<T> answer, Work work)
    {
        m_files.post([this, answer, work] { answer(work(m_catalog)); });
    }

private:
    /// One command or question on its way to an agent.
    struct Asker
    {
        std::unique_ptr<AgentClient> client{};
    };

    /// The finished run whose log was read last: paging opens its file once.
    struct OpenLog
    {
        std::string run{};
        RunFileReader reader;
    };

    /// The run whose operations were read last, and what they amount to so far.
    struct OpenOperations
    {
        std::string run{};
        RunFileReader reader;
        OperationReading operations{};
    };

    /// The run whose numbers were read last, and what of them so far.
    struct OpenNumbers
    {
        std::string run{};
        RunFolder folder;
        RunFileReader reader;
        RunNumbers numbers;
    };

    /// The agent that was asked for its ranks last.
    struct Looker
    {
        std::string run{};
        std::unique_ptr<AgentClient> client{};
    };
    Result<AgentClient*> lookerOf(const std::string& run);

    void listChanged();
    /// Asks the reader of a run's log, on the files' thread.
    template <class T>
    Result<T> askLog(const std::string& run,
                     const std::function<Result<T>(const RunFileReader&)>& ask);
    Result<OperationSummary> readOperationsNow(const std::string& run,
                                               std::optional<TimeRange> range);
    Result<NumberSummary> readNumbersNow(const std::string& run,
                                         const std::vector<std::string>& names);
    Result<RunFigures> readFiguresNow(const std::string& run);
    void sendNow(const std::string& run, const Command& command, const Once<void>& answer);
    void takeStacksNow(const std::string& run, const Once<KeptEvidence>& answer);
    Result<std::list<Asker>::iterator> askerOf(const std::string& run);

    Options m_options;
    std::filesystem::path m_folder;
    RunCatalog m_catalog;
    Listeners m_listeners;
    RpcQueue m_queue;

    // Of the files' thread.
    std::set<std::shared_ptr<Follower>> m_followers;
    std::list<Asker> m_askers;
    std::optional<OpenLog> m_openLog;
    std::optional<OpenOperations> m_openOperations;
    std::optional<OpenNumbers> m_openNumbers;
    std::map<std::string, RunFiguresReader> m_figures; ///< Of the live runs that were asked about.
    std::optional<Looker> m_looker;

    LoopThread m_main{"rm-cluster"};
    LoopThread m_files{"rm-files"};

    // Of the main thread.
    RunList m_list;
    Launcher m_launcher;
    LocalHostRegistry m_hosts;
};

} // namespace ringmaster
