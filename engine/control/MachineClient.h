#pragma once

#include "engine/attach/JobFindings.h"
#include "engine/attach/JobWatch.h"
#include "engine/base/FileDescriptor.h"
#include "engine/control/Cluster.h"
#include "engine/control/NumberNews.h"
#include "engine/control/OperationReading.h"
#include "engine/control/RpcQueue.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ringmaster {

namespace v1 {
class RunChange;
}

/// One connection to what `ringmaster agent serve` serves on another machine. Every call returns at
/// once; answers come exactly once, on the queue's thread. The destructor cancels what is under way
/// and waits for it: not to be called from within an answer.
class MachineClient
{
public:
    template <class T>
    using Answer = Cluster::Answer<T>;
    using Runs = std::map<std::string, RunSummary>; ///< By id.

    /// Of a machine that says it has more, nothing is believed.
    static constexpr std::size_t MostRuns = 10'000;

    /// `connection` is a socket, or the socket of a ByteChannel; `queue` outlives this.
    MachineClient(FileDescriptor connection, std::string machine, RpcQueue& queue);
    ~MachineClient();
    MachineClient(const MachineClient&) = delete;
    MachineClient& operator=(const MachineClient&) = delete;

    /// All runs, each time that one of them has changed. `ended` comes with the connection's end.
    [[nodiscard]] Subscription watchRuns(std::function<void(const Runs&)> changed,
                                         std::function<void(Result<void>)> ended);
    /// Events after `sequence`, in batches; the next one is fetched when `events` has returned.
    /// `ended` without an error: that was all.
    [[nodiscard]] Subscription follow(const std::string& run, std::uint64_t sequence,
                                      std::function<void(std::vector<Event>)> events,
                                      std::function<void(Result<void>)> ended);

    void readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer);
    void readOperations(const std::string& run, const OperationPart::Query& query,
                        Answer<OperationPart> answer);
    void readLogLines(const std::string& run, const std::vector<LogPlace>& places,
                      Answer<LogPage> answer);
    /// The part behind what has come of it.
    void searchLog(const std::string& run, const LogSearch& search, Answer<LogSearchPage> answer);
    /// `known`: the serial of what came last.
    void readNumbers(const std::string& run, const std::vector<std::string>& names,
                     std::uint64_t known, Answer<NumberNews> answer);
    void readComparedRun(const std::string& run, const std::vector<std::string>& names,
                         Answer<ComparedRun> answer);
    void readFigures(const std::string& run, Answer<RunFigures> answer);
    void readLastNumbers(const std::string& run, Answer<NumberSummary> answer);
    /// With times of this machine's clock.
    void lookAtRanks(const std::string& run, Answer<RankPlaces> answer);
    void takeStacks(const std::string& run, Answer<KeptEvidence> answer);
    void send(const std::string& run, const Command& command, Answer<void> answer);
    void remove(const std::string& run, Answer<void> answer);
    void setPinned(const std::string& run, bool pinned, Answer<void> answer);
    void setLabels(const std::string& run, const RunLabels& labels, Answer<void> answer);
    // Of the jobs there that something else started.
    void findJobs(Answer<std::vector<WatchedJob>> answer);
    void lookAtJob(const NamedJob& job, Answer<JobFindings> answer);
    void endJob(const NamedJob& job, Answer<void> answer);

private:
    void change(const v1::RunChange& request, Answer<void> answer);

    class Connection;
    std::shared_ptr<Connection> m_connection;
    std::string m_machine;
};

} // namespace ringmaster
