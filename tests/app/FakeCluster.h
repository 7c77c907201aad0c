#pragma once

#include "engine/control/Cluster.h"
#include "tests/app/FakeHosts.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

namespace ringmaster {

/// Whose events they are.
struct Teller
{
    std::string agent = "agent";
    std::string node = "ws-01";
};

/// A Cluster whose runs a test makes up. As a real one, it calls back on a thread of its own.
class FakeCluster : public Cluster
{
public:
    FakeCluster();
    ~FakeCluster() override;

    // What happens.
    void setRun(const RunSummary& summary);
    /// Numbers the event and hands it to whoever follows.
    void publish(const std::string& run, Moment at, EventBody body);
    void publish(const std::string& run, std::vector<std::pair<Moment, EventBody>> bodies,
                 const Teller& teller = {});
    void print(const std::string& run, Moment at, int rank, const std::string& bytes,
               Stream stream = Stream::Stdout, int attempt = 0);
    void setOperations(const std::string& run, OperationSummary summary);
    void setPlaces(const std::string& run, RankPlaces places);
    void setStacks(const std::string& run, KeptEvidence stacks);
    void setFigures(const std::string& run, RunFigures figures);
    void setComparedRun(ComparedRun run);
    /// `result`: why there is nothing more of it, where that isn't its end.
    void endRun(const std::string& run, const Result<void>& result = {});
    void answerLaunchWith(Result<std::string> answer);
    void answerCommandsWith(Result<void> answer);
    /// Returns when all that was asked and published so far has been called back.
    void settle();

    // What was asked.
    std::vector<std::pair<std::string, Command>> commands() const;
    std::vector<JobSpec> launched() const;
    std::vector<std::string> removed() const;
    std::vector<std::pair<std::string, std::filesystem::path>> exported() const;
    int logReads() const;
    int operationReads() const;
    int rankLooks() const;
    std::uint64_t sequenceOf(const std::string& run) const;

    FakeHosts& hosts() override { return m_hosts; }
    std::vector<RunSummary> runs() const override;
    Subscription onRunsChanged(std::function<void()> changed) override;
    void launch(const JobSpec& spec, const LaunchOptions& options,
                Answer<std::string> answer) override;
    Subscription follow(const std::string& run, std::uint64_t sequence,
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
    struct Follower
    {
        std::string run{};
        std::function<void(std::vector<Event>)> events{};
        std::function<void(Result<void>)> ended{};
    };

    void work();
    void post(std::function<void()> task);
    void change(const std::string& run, const std::function<void(RunSummary&)>& edit);
    Subscription cancelOnThread(std::function<void()> erase);
    static void narrow(OperationSummary& summary, OperationSummary::TimeRange range);
    LogPage pageOf(const std::string& run, const LogQuery& query) const;

    mutable std::mutex m_mutex; ///< of everything below
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_tasks;
    bool m_isStopping = false;
    int m_nextKey = 0;
    std::vector<RunSummary> m_runs;
    std::map<std::string, std::vector<Event>> m_events;
    std::map<std::string, std::vector<LogChunk>> m_logs;
    std::map<std::string, OperationSummary> m_operations;
    std::map<std::string, RunFigures> m_figures;
    std::map<std::string, ComparedRun> m_compared;
    std::vector<std::pair<std::string, std::filesystem::path>> m_exported;
    std::map<std::string, RankPlaces> m_places;
    int m_rankLooks = 0;
    std::map<std::string, KeptEvidence> m_stacks;
    std::map<std::tuple<std::string, int, Stream, int>, std::uint64_t> m_logSizes;
    std::map<int, std::function<void()>> m_watchers;
    std::map<int, Follower> m_followers;
    std::vector<std::pair<std::string, Command>> m_commands;
    std::vector<JobSpec> m_launched;
    std::vector<std::string> m_removed;
    Result<std::string> m_launchAnswer = std::string("launched");
    Result<void> m_commandAnswer{};
    mutable int m_logReads = 0;
    int m_operationReads = 0;
    FakeHosts m_hosts{[this](std::function<void()> task) { post(std::move(task)); }};
    std::thread m_thread; ///< Last: sees the rest made.
};

} // namespace ringmaster
