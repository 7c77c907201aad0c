#include "engine/control/LocalCluster.h"

#include "engine/base/LoopCall.h"
#include "engine/base/Once.h"
#include "engine/base/Paths.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/OrphanSweep.h"
#include "engine/import/RunImport.h"

#include <future>

namespace ringmaster {

namespace {

/// For who still writes runs that are to be removed, all together, when the cluster ends.
constexpr std::chrono::seconds LastWriterPatience{2};

/// A window shows one run: of several the first.
Result<std::string> importedFrom(const RunCatalog& catalog, const std::filesystem::path& file)
{
    return RM_TRY(importRuns(catalog, file)).front();
}

/// What hasn't begun when the cluster ends is cancelled.
template <class T, class Work>
void answerOn(LoopThread& thread, const std::stop_source& ending, const Once<T>& once, Work work)
{
    thread.post([once, stop = ending.get_token(), work = std::move(work)] {
        if (!stop.stop_requested())
            once(work());
    });
}

/// All that it has been given by now.
void finish(LoopThread& thread)
{
    callOnLoop(thread.loop(), [] {});
    thread.stop();
}

/// The same; what takes longer than `patience` is asked to end.
void finish(LoopThread& thread, std::chrono::milliseconds patience, std::stop_source& patienceEnd)
{
    std::promise<void> done;
    thread.post([&done] { done.set_value(); });
    const std::future<void> isDone = done.get_future();
    if (isDone.wait_for(patience) != std::future_status::ready)
        patienceEnd.request_stop();
    isDone.wait();
    thread.stop();
}

} // namespace

LocalCluster::LocalCluster(Options options)
    : m_options(std::move(options))
    , m_folder(m_options.runs.empty() ? runsFolder() : m_options.runs)
    , m_catalog(m_folder)
    , m_agents(m_files.loop(), m_catalog, m_queue)
    , m_readers(m_catalog)
    , m_list(m_main.loop(), m_folder, [this] { m_listeners.tell(); })
    , m_launcher(m_main.loop(), m_options.command, m_options.launchPatience)
    , m_hosts(m_main, m_commands, m_options.command)
{
    m_main.post([this] { m_list.start(); });
    m_bulk.post([this] {
        if (m_ending.stop_requested())
            return;
        if (const auto folder = runtimeFolder())
            removeStaleControlSockets(*folder);
        (void)pruneRuns(m_catalog, m_options.retention, m_ending.get_token());
    });
}

LocalCluster::~LocalCluster()
{
    m_commands.wait(m_options.commandPatience);
    m_ending.request_stop();
    m_main.stop();
    // What was asked to be changed would else be as before in the next window.
    finish(m_files);
    for (const auto& follower : m_followers) {
        follower->close();
        follower->letGo();
    }
    m_agents.end();
    finish(m_bulk, LastWriterPatience, m_patienceEnd); // last: no agent waits for it
}

template <class T, class Work>
void LocalCluster::onFiles(Answer<T> answer, const char* what, Work work)
{
    answerOn<T>(m_files, m_ending, {std::move(answer), what}, std::move(work));
}

template <class T, class Work>
void LocalCluster::onBulk(Answer<T> answer, const char* what, Work work)
{
    answerOn<T>(m_bulk, m_ending, {std::move(answer), what}, std::move(work));
}

template <class Work>
void LocalCluster::change(LoopThread& thread, Answer<void> answer, const char* what, Work work)
{
    thread.post([once = Once<void>(m_commands.add(std::move(answer)), what),
                 work = std::move(work)] { once(work()); });
}

void LocalCluster::launch(const JobSpec& spec, const LaunchOptions& options,
                          Answer<std::string> answer)
{
    m_main.post([this, spec, options, once = Once<std::string>(std::move(answer), "the launch")] {
        m_launcher.launch(spec, options, once);
    });
}

Subscription LocalCluster::follow(const std::string& run, std::uint64_t sequence,
                                  std::function<void(std::vector<Event>)> events,
                                  std::function<void(Result<void>)> ended)
{
    auto follower = std::make_shared<Follower>(
        m_files.loop(), m_queue, m_catalog,
        Follower::Options{run, sequence, std::move(events), std::move(ended)});
    const std::weak_ptr weak = follower;
    m_files.post([this, held = std::move(follower)] {
        m_followers.insert(held);
        held->go();
    });
    // Only those that the cluster still has know a loop to be let go on.
    return Subscription([this, weak] {
        const auto alive = weak.lock();
        if (!alive)
            return;
        alive->close();
        m_files.post([this, weak] {
            const auto going = weak.lock();
            if (!going)
                return;
            going->letGo();
            m_followers.erase(going);
        });
    });
}

void LocalCluster::readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer)
{
    onFiles(std::move(answer), "reading the log",
            [this, run, query] { return m_readers.readLog(run, query); });
}

void LocalCluster::searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                             Answer<LogSearchPage> answer)
{
    onFiles(std::move(answer), "searching the log",
            [this, run, search = std::move(search)] { return m_readers.searchLog(run, *search); });
}

void LocalCluster::readLogLines(const std::string& run, std::vector<LogPlace> places,
                                Answer<std::vector<LogLine>> answer)
{
    onFiles(std::move(answer), "reading the log", [this, run, places = std::move(places)] {
        return m_readers.readLogLines(run, places);
    });
}

void LocalCluster::readOperations(const std::string& run,
                                  std::optional<OperationSummary::TimeRange> range,
                                  Answer<OperationSummary> answer)
{
    onFiles(std::move(answer), "reading the operations",
            [this, run, range] { return m_readers.readOperations(run, range); });
}

void LocalCluster::readNumbers(const std::string& run, const std::vector<std::string>& names,
                               Answer<NumberSummary> answer)
{
    onFiles(std::move(answer), "reading the numbers",
            [this, run, names] { return m_readers.readNumbers(run, names); });
}

void LocalCluster::readLastNumbers(const std::string& run, Answer<NumberSummary> answer)
{
    onFiles(std::move(answer), "reading the numbers",
            [this, run] { return m_readers.readLastNumbers(run); });
}

void LocalCluster::readFigures(const std::string& run, Answer<RunFigures> answer)
{
    onFiles(std::move(answer), "reading the figures",
            [this, run] { return m_readers.readFigures(run); });
}

void LocalCluster::readComparedRun(const std::string& run, const std::vector<std::string>& names,
                                   Answer<ComparedRun> answer)
{
    // With readers of its own: the others are the files' thread's.
    onBulk(std::move(answer), "reading the run",
           [this, run, names] { return RunReaders(m_catalog).readComparedRun(run, names); });
}

void LocalCluster::lookAtRanks(const std::string& run, Answer<RankPlaces> answer)
{
    m_files.post([this, run, once = Once<RankPlaces>(std::move(answer), "looking at the ranks")] {
        m_agents.lookAtRanks(run, once);
    });
}

void LocalCluster::takeStacks(const std::string& run, Answer<KeptEvidence> answer)
{
    m_files.post([this, run, once = Once<KeptEvidence>(std::move(answer), "taking stacks")] {
        m_agents.takeStacks(run, once);
    });
}

void LocalCluster::send(const std::string& run, const Command& command, Answer<void> answer)
{
    m_files.post(
        [this, run, command, once = Once<void>(m_commands.add(std::move(answer)), "the command")] {
            m_agents.send(run, command, once);
        });
}

void LocalCluster::openFile(const std::filesystem::path& file, Answer<std::string> answer)
{
    onBulk(std::move(answer), "opening the file",
           [this, file] { return importedFrom(m_catalog, file); });
}

void LocalCluster::remove(const std::string& run, Answer<void> answer)
{
    change(m_bulk, std::move(answer), "removing the run", [this, run]() -> Result<void> {
        // When the cluster ends, nobody waits for the end of what the run has left, nor for podman.
        const auto patience =
            m_ending.stop_requested() ? std::chrono::milliseconds(0) : OrphanPatience;
        const auto hidden = RM_TRY(hideRun(m_catalog, run, patience, m_patienceEnd.get_token()));
        // The others that are to be removed come first. What is still left of one when the cluster
        // ends is removed by whoever prunes next.
        m_bulk.post([this, hidden] { RunCatalog::discard(hidden, m_ending.get_token()); });
        return {};
    });
}

void LocalCluster::setPinned(const std::string& run, bool pinned, Answer<void> answer)
{
    // In turn with what removes runs: one that is said to be kept isn't about to go.
    change(m_bulk, std::move(answer), "keeping the run", [this, run, pinned]() -> Result<void> {
        return RM_TRY(m_catalog.find(run)).setPinned(pinned);
    });
}

void LocalCluster::setLabels(const std::string& run, const RunLabels& labels, Answer<void> answer)
{
    change(m_files, std::move(answer), "labelling the run", [this, run, labels]() -> Result<void> {
        return RM_TRY(m_catalog.find(run)).setLabels(labels);
    });
}

void LocalCluster::exportRun(const std::string& run, const std::filesystem::path& file,
                             Answer<ExportReport> answer)
{
    onBulk(std::move(answer), "writing the run", [this, run, file]() -> Result<ExportReport> {
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        return ringmaster::exportRun(folder, file,
                                     {.isCancelled = [this] { return m_ending.stop_requested(); }});
    });
}

} // namespace ringmaster
