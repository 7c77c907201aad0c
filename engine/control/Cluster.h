#pragma once

#include "engine/base/Result.h"
#include "engine/control/HostRegistry.h"
#include "engine/control/OperationSummary.h"
#include "engine/control/RunComparison.h"
#include "engine/control/RunFigures.h"
#include "engine/event/Command.h"
#include "engine/event/EvidenceFolds.h"
#include "engine/event/Snapshot.h"
#include "engine/job/JobSpec.h"
#include "engine/record/LogSearch.h"
#include "engine/record/NumberSummary.h"
#include "engine/record/RunExport.h"
#include "engine/record/RunSummary.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace ringmaster {

/// Ends what it stands for when destroyed; afterwards its callback neither starts nor still runs.
class Subscription
{
public:
    Subscription() = default;
    explicit Subscription(std::function<void()> cancel) : m_cancel(std::move(cancel)) {}
    Subscription(Subscription&& other) noexcept : m_cancel(std::exchange(other.m_cancel, nullptr))
    {
    }
    Subscription& operator=(Subscription&& other) noexcept
    {
        cancel();
        m_cancel = std::exchange(other.m_cancel, nullptr);
        return *this;
    }
    ~Subscription() { cancel(); }

    void cancel()
    {
        if (const auto call = std::exchange(m_cancel, nullptr))
            call();
    }

private:
    std::function<void()> m_cancel;
};

/// The runs of this machine, live and finished: what the command and the dashboard hold. Every
/// method returns at once; callbacks come on a thread of the Cluster, never inside the call.
/// Callbacks that wait for an answer are called exactly once, also when the Cluster ends.
class Cluster
{
public:
    template <class T>
    using Answer = std::function<void(Result<T>)>;

    struct LaunchOptions
    {
        std::filesystem::path workingFolder{};
        std::vector<std::string> arguments{}; ///< Further options of `ringmaster run`.
    };

    virtual ~Cluster() = default;

    /// The hosts that jobs can run on; there as long as the Cluster.
    virtual HostRegistry& hosts() = 0;

    /// Newest first; as last seen.
    virtual std::vector<RunSummary> runs() const = 0;
    [[nodiscard]] virtual Subscription onRunsChanged(std::function<void()> changed) = 0;

    /// Starts a detached agent; answers with the run's id once its first event is there, else with
    /// what the agent printed.
    virtual void launch(const JobSpec& spec, const LaunchOptions& options,
                        Answer<std::string> answer) = 0;

    /// Events of a run after `sequence`, in order, without a gap, first those recorded and then
    /// those that come; batches. `ended` is called when no more can come. Works for live and for
    /// finished runs.
    [[nodiscard]] virtual Subscription follow(const std::string& run, std::uint64_t sequence,
                                              std::function<void(std::vector<Event>)> events,
                                              std::function<void(Result<void>)> ended) = 0;

    virtual void readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer) = 0;
    /// A part of a search; nobody else uses it until the answer is there.
    virtual void searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                           Answer<LogSearchPage> answer) = 0;
    /// One line a place, see RunFileReader.
    virtual void readLogLines(const std::string& run, std::vector<LogPlace> places,
                              Answer<std::vector<LogLine>> answer) = 0;
    /// Reads on in the run's file where the last call for the same run stopped, a bounded part.
    /// With a range, the table is about what ended in it, widened to what is kept apart.
    virtual void readOperations(const std::string& run,
                                std::optional<OperationSummary::TimeRange> range,
                                Answer<OperationSummary> answer) = 0;
    /// Reads on in the run's log, as readOperations() does; with the lines of those names.
    virtual void readNumbers(const std::string& run, const std::vector<std::string>& names,
                             Answer<NumberSummary> answer) = 0;
    /// Of the end of its log alone: what its workers have printed last, and how far they are.
    virtual void readLastNumbers(const std::string& run, Answer<NumberSummary> answer) = 0;
    /// Of a run that goes on: reads on where the last look at it stopped, for each run.
    virtual void readFigures(const std::string& run, Answer<RunFigures> answer) = 0;
    /// A whole run, to be laid beside others: takes up to seconds.
    virtual void readComparedRun(const std::string& run, const std::vector<std::string>& names,
                                 Answer<ComparedRun> answer) = 0;
    /// Asks the agent of a run that goes on; as long as that is asked, the agent keeps track.
    virtual void lookAtRanks(const std::string& run, Answer<RankPlaces> answer) = 0;
    /// Where the ranks of a run that goes on stand now; takes up to seconds.
    virtual void takeStacks(const std::string& run, Answer<KeptEvidence> answer) = 0;
    /// What is sent just before the Cluster ends still arrives, if it is answered within a second.
    virtual void send(const std::string& run, const Command& command, Answer<void> answer) = 0;

    /// Makes a `.ringrun` file known as a finished run; answers with its id.
    virtual void openFile(const std::filesystem::path& file, Answer<std::string> answer) = 0;

    /// Refused for a running one. Just before the Cluster ends it is still done, as send() is.
    virtual void remove(const std::string& run, Answer<void> answer) = 0;
    virtual void setPinned(const std::string& run, bool pinned, Answer<void> answer) = 0;
    virtual void setLabels(const std::string& run, const RunLabels& labels,
                           Answer<void> answer) = 0;
    /// Into one file, with the logs inside and secrets masked.
    virtual void exportRun(const std::string& run, const std::filesystem::path& file,
                           Answer<ExportReport> answer) = 0;
};

} // namespace ringmaster
