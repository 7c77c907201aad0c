#include "engine/control/LocalClusterImpl.h"

#include "engine/base/Paths.h"
#include "engine/control/ControlSocket.h"
#include "engine/ledger/OperationBlock.h"

namespace ringmaster {

namespace {

RankPlaces placesOf(const std::vector<RankState>& ranks)
{
    OperationTally tally;
    for (const RankState& rank : ranks)
        tally.add(rank.now);
    OperationSummary summary = tally.summary();
    return {summary.attempt, std::move(summary.places)};
}

/// Of a run whose agent works.
std::optional<std::int64_t> timeIfAlive(const RunFolder& folder)
{
    const auto agent = folder.agent();
    return agent && lifeOf(*agent) == AgentLife::Alive ? std::optional(SystemClock().now().wallNs)
                                                       : std::nullopt;
}

} // namespace

LocalCluster::Impl::Impl(Options options)
    : m_options(std::move(options))
    , m_folder(m_options.runs.empty() ? runsFolder() : m_options.runs)
    , m_catalog(m_folder)
    , m_list(m_main.loop(), m_folder, [this] { listChanged(); })
    , m_launcher(m_main.loop(), m_options.command, m_options.launchPatience)
    , m_hosts(m_main, m_options.command)
{
    m_main.post([this] { m_list.start(); });
    m_files.post([this] {
        if (const auto folder = runtimeFolder())
            removeStaleControlSockets(*folder);
        m_catalog.prune(m_options.retention);
    });
}

LocalCluster::Impl::~Impl()
{
    m_main.stop();
    m_files.stop();
    for (const auto& follower : m_followers) {
        follower->close();
        follower->letGo();
    }
    // Waits for what is asked of agents; answers are given.
    m_askers.clear();
}

void LocalCluster::Impl::listChanged()
{
    m_listeners.tell();
}

void LocalCluster::Impl::launch(const JobSpec& spec, const LaunchOptions& options,
                                Once<std::string> answer)
{
    m_main.post([this, spec, options, answer] { m_launcher.launch(spec, options, answer); });
}

Subscription LocalCluster::Impl::follow(Follower::Options options)
{
    auto follower =
        std::make_shared<Follower>(m_files.loop(), m_queue, m_catalog, std::move(options));
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

void LocalCluster::Impl::readLog(const std::string& run, const LogQuery& query,
                                 Once<LogPage> answer)
{
    m_files.post([this, run, query, answer] {
        answer(askLog<LogPage>(run,
                               [&](const RunFileReader& reader) { return reader.readLog(query); }));
    });
}

void LocalCluster::Impl::searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                                   Once<LogSearchPage> answer)
{
    constexpr size_t Part = 16U << 20U; // pages of logs and events come in between
    m_files.post([this, run, search = std::move(search), answer] {
        answer(askLog<LogSearchPage>(run, [&](const RunFileReader& reader) {
            return search->advance([&](const LogQuery& query) { return reader.readLog(query); },
                                   Part, false);
        }));
    });
}

void LocalCluster::Impl::readLogLines(const std::string& run, std::vector<LogPlace> places,
                                      Once<std::vector<LogLine>> answer)
{
    m_files.post([this, run, places = std::move(places), answer] {
        answer(askLog<std::vector<LogLine>>(
            run, [&](const RunFileReader& reader) { return reader.readLines(places); }));
    });
}

template <class T>
Result<T> LocalCluster::Impl::askLog(const std::string& run,
                                     const std::function<Result<T>(const RunFileReader&)>& ask)
{
    if (!m_openLog || m_openLog->run != run) {
        m_openLog.reset();
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        auto reader = RM_TRY(folder.openReader());
        m_openLog = OpenLog{run, std::move(reader)};
    }
    auto answer = ask(m_openLog->reader);
    if (!answer)
        m_openLog.reset();
    return answer;
}

void LocalCluster::Impl::readOperations(const std::string& run, std::optional<TimeRange> range,
                                        Once<OperationSummary> answer)
{
    m_files.post([this, run, range, answer] { answer(readOperationsNow(run, range)); });
}

Result<OperationSummary> LocalCluster::Impl::readOperationsNow(const std::string& run,
                                                               std::optional<TimeRange> range)
{
    constexpr size_t Part = 64; // blocks; logs and events of the same thread come in between
    if (!m_openOperations || m_openOperations->run != run) {
        m_openOperations.reset();
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        auto reader = RM_TRY(folder.openReader());
        m_openOperations = OpenOperations{run, std::move(reader)};
    }
    OpenOperations& open = *m_openOperations;
    const auto isMore = open.operations.readOn(open.reader, Part);
    if (!isMore) {
        m_openOperations.reset();
        return tl::unexpected(isMore.error());
    }
    OperationSummary summary = open.operations.tally().summary(range);
    summary.isMore = *isMore;
    return summary;
}

void LocalCluster::Impl::readNumbers(const std::string& run, const std::vector<std::string>& names,
                                     Once<NumberSummary> answer)
{
    m_files.post([this, run, names, answer] { answer(readNumbersNow(run, names)); });
}

Result<NumberSummary> LocalCluster::Impl::readNumbersNow(const std::string& run,
                                                         const std::vector<std::string>& names)
{
    constexpr size_t Part = 1U << 20U; // pages of logs and events come in between
    if (!m_openNumbers || m_openNumbers->run != run) {
        m_openNumbers.reset();
        RunFolder folder = RM_TRY(m_catalog.find(run));
        auto reader = RM_TRY(folder.openReader());
        auto numbers = RM_TRY(RunNumbers::open(reader));
        m_openNumbers = OpenNumbers{run, std::move(folder), std::move(reader), std::move(numbers)};
    }
    OpenNumbers& open = *m_openNumbers;
    const auto isMore = open.numbers.readOn(open.reader, Part);
    if (!isMore) {
        const Error error = isMore.error();
        m_openNumbers.reset();
        return tl::unexpected(error);
    }
    NumberSummary summary = open.numbers.summary(names, timeIfAlive(open.folder));
    summary.isMore = *isMore;
    return summary;
}

void LocalCluster::Impl::readLastNumbers(const std::string& run, Once<NumberSummary> answer)
{
    const auto read = [](const RunCatalog& catalog,
                         const std::string& id) -> Result<NumberSummary> {
        constexpr size_t End = 256U << 10U;
        const RunFolder folder = RM_TRY(catalog.find(id));
        const auto reader = RM_TRY(folder.openReader());
        const auto numbers = RM_TRY(RunNumbers::ofEnd(reader, End));
        return numbers.summary({}, timeIfAlive(folder));
    };
    m_files.post([this, run, read, answer] { answer(read(m_catalog, run)); });
}

void LocalCluster::Impl::readFigures(const std::string& run, Once<RunFigures> answer)
{
    m_files.post([this, run, answer] { answer(readFiguresNow(run)); });
}

Result<RunFigures> LocalCluster::Impl::readFiguresNow(const std::string& run)
{
    std::erase_if(m_figures, [this](const auto& entry) {
        const auto folder = m_catalog.find(entry.first);
        return !folder || !timeIfAlive(*folder);
    });
    auto found = m_figures.find(run);
    if (found == m_figures.end()) {
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        if (!timeIfAlive(folder))
            return fail(code::RunNotRunning, {{"run", run}});
        found = m_figures.emplace(run, RunFiguresReader(RM_TRY(folder.openReader()))).first;
    }
    auto figures = found->second.look(SystemClock().now().monotonicNs);
    if (!figures)
        m_figures.erase(found);
    return figures;
}

Result<AgentClient*> LocalCluster::Impl::lookerOf(const std::string& run)
{
    if (m_looker && m_looker->run == run)
        return m_looker->client.get();
    m_looker.reset();
    const RunFolder folder = RM_TRY(m_catalog.find(run));
    const auto agent = folder.agent();
    if (!agent || lifeOf(*agent) != AgentLife::Alive)
        return fail(code::RunNotRunning, {{"run", run}});
    auto client = RM_TRY(AgentClient::connect(agent->socket, run, m_queue));
    m_looker = Looker{run, std::move(client)};
    return m_looker->client.get();
}

void LocalCluster::Impl::lookAtRanks(const std::string& run, Once<RankPlaces> answer)
{
    m_files.post([this, run, answer] {
        const auto client = lookerOf(run);
        if (!client) {
            answer(tl::unexpected(client.error()));
            return;
        }
        (*client)->lookAtRanks({}, [this, run, answer](Result<std::vector<RankState>> ranks) {
            answer(std::move(ranks).map(placesOf));
            if (ranks)
                return;
            // Not here: a client isn't destroyed from within its answer.
            m_files.post([this, run] {
                if (m_looker && m_looker->run == run)
                    m_looker.reset();
            });
        });
    });
}

void LocalCluster::Impl::send(const std::string& run, const Command& command, Once<void> answer)
{
    m_files.post([this, run, command, answer] { sendNow(run, command, answer); });
}

/// A connection for one command or question.
Result<std::list<LocalCluster::Impl::Asker>::iterator>
LocalCluster::Impl::askerOf(const std::string& run)
{
    const RunFolder folder = RM_TRY(m_catalog.find(run));
    const auto agent = folder.agent();
    if (!agent || lifeOf(*agent) != AgentLife::Alive)
        return fail(code::RunNotRunning, {{"run", run}});
    auto client = RM_TRY(AgentClient::connect(agent->socket, run, m_queue));
    return m_askers.insert(m_askers.end(), Asker{std::move(client)});
}

void LocalCluster::Impl::sendNow(const std::string& run, const Command& command,
                                 const Once<void>& answer)
{
    const auto asker = askerOf(run);
    if (!asker) {
        answer(tl::unexpected(asker.error()));
        return;
    }
    (*asker)->client->send(command, [this, asker = *asker, answer](const Result<void>& result) {
        answer(result);
        // Not here: a client isn't destroyed from within its answer.
        m_files.post([this, asker] { m_askers.erase(asker); });
    });
}

void LocalCluster::Impl::takeStacks(const std::string& run, Once<KeptEvidence> answer)
{
    m_files.post([this, run, answer] { takeStacksNow(run, answer); });
}

void LocalCluster::Impl::takeStacksNow(const std::string& run, const Once<KeptEvidence>& answer)
{
    const auto asker = askerOf(run);
    if (!asker) {
        answer(tl::unexpected(asker.error()));
        return;
    }
    (*asker)->client->takeStacks([this, asker = *asker, answer](Result<KeptEvidence> taken) {
        answer(std::move(taken));
        m_files.post([this, asker] { m_askers.erase(asker); });
    });
}

} // namespace ringmaster
