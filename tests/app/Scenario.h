#pragma once

#include "tests/app/FakeCluster.h"

#include <array>
#include <map>

namespace ringmaster {

/// Runs as a real agent would tell them, for the pages' tests and pictures. Times are near now, so
/// that durations look as they would.
class Scenario
{
public:
    explicit Scenario(FakeCluster& cluster) : m_cluster(cluster) {}

    /// Eight ranks in their second attempt: rank 5 raised ValueError after 96 s.
    std::string restartedAndRunning();
    /// Four ranks: rank 2 raised an exception, the others were ended; the budget was 0.
    std::string failed();
    std::string finished();
    /// Between two attempts.
    std::string restarting();
    /// Three jobs that go on, one of them slow, with figures and samples.
    std::vector<std::string> several();
    /// Two finished runs of a job, with all that a comparison asks; the older one first.
    std::vector<RunSummary> comparable();
    /// Two ranks each on three hosts: gpu3 was cut off, gpu4 stood by and took its place, gpu3 is
    /// back and stands by; gpu2 was cut off 3 s ago, gpu5 is on its way.
    std::string onHosts();
    /// Five hosts, of which two can be used as they are, and what a preflight finds between them.
    void hostBook();
    /// What those that can be asked had in use so many seconds ago.
    static std::vector<HostReport> hostsInUse(double secondsAgo);
    /// `ranks` workers, all running.
    std::string large(int ranks, const std::string& run = "large");

    // What the diagnosis says of the second attempt's eight ranks: rank 2 is late, and then
    // stopped.
    void waits(const std::string& run);
    void hangs(const std::string& run);
    void waitIsOver(const std::string& run);
    /// Where they stand meanwhile: for whoever asks; kept before an attempt's end.
    void stacks(const std::string& run);
    void evidence(const std::string& run, int attempt = 0);

    enum class Attempts { Second, Both };
    /// What the eight ranks of these attempts have done together so far; rank 2 is 41 ms late.
    void collectives(const std::string& run, Attempts attempts = Attempts::Second);

    /// What the machine did in the last two minutes; not while nobody looked.
    void devices(const std::string& run, int gpus);

    /// A sweep of two backends over 13 sizes, of which so many rows are measured.
    std::string sweep(const std::string& name, int measured, const std::string& id = "sweep");
    void measure(const std::string& run, int first, int end);
    void endSweep(const std::string& run);

    static RunSummary summary(const std::string& id, RunState state, int ranks, double agoSeconds);
    /// So many seconds ago.
    static Moment ago(double seconds);

private:
    /// So many seconds before begin() was called for the run: its times are counted from one
    /// moment, however long it takes to tell them all.
    Moment ago(const std::string& run, double seconds) const;
    static Moment before(const Moment& moment, double seconds);
    /// summary() of a run that has begun here.
    RunSummary summaryOf(const std::string& run, RunState state, int ranks,
                         double agoSeconds) const;
    /// In the list of runs, as its agent would write it.
    void setHealth(const std::string& run, const JobHealth& health);
    /// The group as its hosts start it: each tells of its own two ranks.
    void attemptOn(const std::string& run, int number,
                   const std::vector<std::pair<std::string, std::string>>& hosts, double ago);
    void begin(const std::string& run, int ranks, int maxRestarts, double ago);
    void attempt(const std::string& run, int number, int ranks, double ago);
    /// The attempt's first collective: the seconds of its phases.
    void met(const std::string& run, int attempt, double ago, const std::array<double, 6>& phases);
    void sample(const std::string& run, int ranks, int attempt);
    void exit(const std::string& run, int attempt, int rank, double ago, ExitStatus status,
              bool byAgent);
    void fail(const std::string& run, int attempt, int rank, double ago);
    void log(const std::string& run, int ranks, double ago, int lines, int attempt = 0);

    FakeCluster& m_cluster;
    std::map<std::string, Moment> m_toldAt; ///< By run: when begin() was called.
};

} // namespace ringmaster
