#include "engine/control/WatchingCluster.h"

#include "engine/control/ByteChannel.h"
#include "engine/control/MachineExport.h"
#include "engine/control/MachineLaunching.h"
#include "engine/control/RemoteMachine.h"

#include <algorithm>

namespace ringmaster {

std::optional<MachineRun> MachineRun::parse(std::string_view id)
{
    const std::size_t colon = id.find(':'); // neither a host's name nor a run's id has one
    if (colon == std::string_view::npos)
        return std::nullopt;
    return MachineRun{std::string(id.substr(0, colon)), std::string(id.substr(colon + 1))};
}

Result<HostLink::Options> WatchingCluster::usualWay(const std::string& machine,
                                                    WatchedMachine::Way way)
{
    const RemoteMachine found = RM_TRY(RemoteMachine::find(machine));
    const std::vector<std::string> words{"serve"};
    return way == WatchedMachine::Way::Fresh ? found.freshWayTo(words, ByteChannel::Sentinel)
                                             : found.wayTo(words, ByteChannel::Sentinel);
}

WatchingCluster::WatchingCluster(Cluster& local, FindWay findWay,
                                 std::chrono::milliseconds commandPatience)
    : m_local(local)
    , m_findWay(std::move(findWay))
    , m_commandPatience(commandPatience)
    , m_localChanges(m_local.onRunsChanged([this] { m_runListeners.tell(); }))
{
}

WatchingCluster::~WatchingCluster()
{
    m_commands.wait(m_commandPatience);
    m_localChanges.cancel();
    m_reads.stop();
    m_ways.stop();
    m_loop.stop();
    // Waits for what is asked of machines; answers are given.
    for (const auto& [name, machine] : std::exchange(m_machines, {}))
        machine->close();
    for (const auto& weak : m_launches)
        if (const auto launch = weak.lock())
            launch->end();
    for (const auto& weak : m_exports)
        if (const auto exporting = weak.lock())
            exporting->end();
}

void WatchingCluster::watch(const std::vector<std::string>& machines)
{
    std::vector<Machine> gone;
    {
        const std::lock_guard lock(m_mutex);
        for (auto each = m_machines.begin(); each != m_machines.end();) {
            if (std::ranges::find(machines, each->first) != machines.end()) {
                ++each;
                continue;
            }
            gone.push_back(std::move(each->second));
            each = m_machines.erase(each);
        }
        for (const std::string& name : machines) {
            if (m_machines.contains(name))
                continue;
            auto machine = std::make_shared<WatchedMachine>(
                m_loop, m_ways, m_queue,
                WatchedMachine::Options{
                    .name = name,
                    .way = [this, name](WatchedMachine::Way way) { return m_findWay(name, way); }},
                [this] { m_runListeners.tell(); }, [this] { m_machineListeners.tell(); });
            m_machines[name] = machine;
            m_loop.post([machine] { machine->start(); });
        }
    }
    m_loop.post([this, gone = std::move(gone)]() mutable {
        for (const Machine& machine : gone)
            machine->close();
        gone.clear(); // here, where they live
        m_machineListeners.tell();
        m_runListeners.tell();
    });
}

std::vector<WatchedMachineState> WatchingCluster::machines() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<WatchedMachineState> states;
    for (const auto& [name, machine] : m_machines)
        states.push_back(machine->state());
    return states;
}

Subscription WatchingCluster::onMachinesChanged(std::function<void()> changed)
{
    return m_machineListeners.add(std::move(changed));
}

Subscription WatchingCluster::launchThere(MachineLaunch launch,
                                          std::function<void(LaunchStep, Message)> told,
                                          Answer<std::string> answer)
{
    auto launching = std::make_shared<MachineLaunching>(m_loop, m_ways, std::move(launch),
                                                        std::move(told), answer);
    {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_launches, [](const auto& each) { return each.expired(); });
        m_launches.push_back(launching);
    }
    launching->start();
    return Subscription([launching] { launching->cancel(); });
}

WatchingCluster::Machine WatchingCluster::find(const std::string& machine) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_machines.find(machine);
    return found == m_machines.end() ? nullptr : found->second;
}

std::vector<RunSummary> WatchingCluster::runs() const
{
    std::vector<RunSummary> runs = m_local.runs();
    std::vector<Machine> machines;
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& [name, machine] : m_machines)
            machines.push_back(machine);
    }
    for (const Machine& machine : machines) {
        for (RunSummary& run : machine->runs()) {
            run.id = MachineRun{machine->name(), std::move(run.id)}.id();
            runs.push_back(std::move(run));
        }
    }
    std::ranges::stable_sort(runs, std::greater(),
                             [](const RunSummary& run) { return run.startedAt.wallNs; });
    return runs;
}

Subscription WatchingCluster::onRunsChanged(std::function<void()> changed)
{
    return m_runListeners.add(std::move(changed));
}

template <class T, class Call>
void WatchingCluster::ask(const std::string& name, const Answer<T>& answer, Call call)
{
    m_loop.post([machine = find(name), name, answer = Once<T>(answer, "asking " + name), call] {
        if (machine)
            machine->ask(answer, call);
        else
            answer(fail(code::MachineNotWatched, {{"host", name}}));
    });
}

template <class T, class Call>
bool WatchingCluster::askedThere(const std::string& run, const Answer<T>& answer, Call call)
{
    const auto there = MachineRun::parse(run);
    if (!there)
        return false;
    ask<T>(there->machine, answer,
           [run = there->run, call](MachineClient& client, Answer<T> given) {
               call(client, run, std::move(given));
           });
    return true;
}

template <class T, class... Parameters, class... Arguments>
void WatchingCluster::askOf(const std::string& machine, const Answer<T>& answer,
                            void (MachineClient::*question)(Parameters...), Arguments... arguments)
{
    ask<T>(machine, answer, [question, arguments...](MachineClient& client, Answer<T> given) {
        (client.*question)(arguments..., std::move(given));
    });
}

template <class T, class... Parameters, class... Arguments>
void WatchingCluster::askWhereItIs(const std::string& run, Answer<T> answer,
                                   void (Cluster::*here)(Parameters...),
                                   void (MachineClient::*there)(Parameters...),
                                   Arguments... arguments)
{
    const auto call = [there, arguments...](MachineClient& client, const std::string& id,
                                            Answer<T> given) {
        (client.*there)(id, arguments..., std::move(given));
    };
    if (!askedThere<T>(run, answer, call))
        (m_local.*here)(run, arguments..., std::move(answer));
}

void WatchingCluster::findJobs(const std::string& machine, Answer<std::vector<WatchedJob>> answer)
{
    askOf(machine, answer, &MachineClient::findJobs);
}

void WatchingCluster::lookAtJob(const std::string& machine, const NamedJob& job,
                                Answer<JobFindings> answer)
{
    askOf(machine, answer, &MachineClient::lookAtJob, job);
}

void WatchingCluster::endJob(const std::string& machine, const NamedJob& job, Answer<void> answer)
{
    askOf(machine, answer, &MachineClient::endJob, job);
}

void WatchingCluster::launch(const JobSpec& spec, const LaunchOptions& options,
                             Answer<std::string> answer)
{
    m_local.launch(spec, options, std::move(answer));
}

Subscription WatchingCluster::follow(const std::string& run, std::uint64_t sequence,
                                     std::function<void(std::vector<Event>)> events,
                                     std::function<void(Result<void>)> ended)
{
    const auto there = MachineRun::parse(run);
    if (!there)
        return m_local.follow(run, sequence, std::move(events), std::move(ended));
    auto follow = std::make_shared<WatchedMachine::Follow>();
    follow->run = there->run;
    follow->sequence = sequence;
    follow->events = std::move(events);
    follow->ended = std::move(ended);
    const Machine machine = find(there->machine);
    m_loop.post([machine, follow, name = there->machine] {
        if (machine)
            machine->follow(follow);
        else
            follow->gate.pass([&] {
                follow->ended(fail(code::MachineNotWatched, {{"host", name}}));
            });
    });
    return Subscription([this, machine, follow] {
        follow->gate.close();
        m_loop.post([machine, follow] {
            if (machine)
                machine->unfollow(follow);
        });
    });
}

void WatchingCluster::readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer)
{
    askWhereItIs(run, std::move(answer), &Cluster::readLog, &MachineClient::readLog, query);
}

void WatchingCluster::searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                                Answer<LogSearchPage> answer)
{
    const auto call = [search](MachineClient& client, const std::string& id,
                               Answer<LogSearchPage> given) {
        if (search->isCancelled())
            return given(LogSearchPage{.matches = search->told(), .part = 1, .isAtEnd = true});
        client.searchLog(id, *search,
                         [search, given = std::move(given)](Result<LogSearchPage> page) {
                             if (page)
                                 search->take(*page);
                             given(std::move(page));
                         });
    };
    if (!askedThere<LogSearchPage>(run, answer, call))
        m_local.searchLog(run, std::move(search), std::move(answer));
}

void WatchingCluster::readLogLines(const std::string& run, std::vector<LogPlace> places,
                                   Answer<std::vector<LogLine>> answer)
{
    if (!MachineRun::parse(run))
        return m_local.readLogLines(run, std::move(places), std::move(answer));
    m_reads.readLogLines(
        std::move(places),
        [this, run](const std::vector<LogPlace>& part, const Answer<LogPage>& given) {
            askedThere<LogPage>(
                run, given,
                [part](MachineClient& client, const std::string& id, Answer<LogPage> page) {
                    client.readLogLines(id, part, std::move(page));
                });
        },
        Once<std::vector<LogLine>>(std::move(answer), "reading the log of " + run));
}

void WatchingCluster::readOperations(const std::string& run,
                                     std::optional<OperationSummary::TimeRange> range,
                                     Answer<OperationSummary> answer)
{
    if (!MachineRun::parse(run))
        return m_local.readOperations(run, range, std::move(answer));
    m_reads.readOperations(
        run, range,
        [this, run](const OperationPart::Query& query, const Answer<OperationPart>& given) {
            askedThere<OperationPart>(
                run, given,
                [query](MachineClient& client, const std::string& id, Answer<OperationPart> part) {
                    client.readOperations(id, query, std::move(part));
                });
        },
        Once<OperationSummary>(std::move(answer), "reading operations of " + run));
}

void WatchingCluster::readNumbers(const std::string& run, const std::vector<std::string>& names,
                                  Answer<NumberSummary> answer)
{
    if (!MachineRun::parse(run))
        return m_local.readNumbers(run, names, std::move(answer));
    m_reads.readNumbers(
        run, names,
        [this, run, names](std::uint64_t known, const Answer<NumberNews>& given) {
            askedThere<NumberNews>(run, given,
                                   [names, known](MachineClient& client, const std::string& id,
                                                  Answer<NumberNews> news) {
                                       client.readNumbers(id, names, known, std::move(news));
                                   });
        },
        Once<NumberSummary>(std::move(answer), "reading numbers of " + run));
}

void WatchingCluster::readLastNumbers(const std::string& run, Answer<NumberSummary> answer)
{
    askWhereItIs(run, std::move(answer), &Cluster::readLastNumbers,
                 &MachineClient::readLastNumbers);
}

void WatchingCluster::readFigures(const std::string& run, Answer<RunFigures> answer)
{
    askWhereItIs(run, std::move(answer), &Cluster::readFigures, &MachineClient::readFigures);
}

void WatchingCluster::readComparedRun(const std::string& run, const std::vector<std::string>& names,
                                      Answer<ComparedRun> answer)
{
    const auto call = [run, names](MachineClient& client, const std::string& id,
                                   Answer<ComparedRun> given) {
        client.readComparedRun(id, names,
                               [run, given = std::move(given)](Result<ComparedRun> compared) {
                                   if (compared)
                                       compared->id = run; // as one knows it here
                                   given(std::move(compared));
                               });
    };
    if (!askedThere<ComparedRun>(run, answer, call))
        m_local.readComparedRun(run, names, std::move(answer));
}

void WatchingCluster::lookAtRanks(const std::string& run, Answer<RankPlaces> answer)
{
    askWhereItIs(run, std::move(answer), &Cluster::lookAtRanks, &MachineClient::lookAtRanks);
}

void WatchingCluster::takeStacks(const std::string& run, Answer<KeptEvidence> answer)
{
    askWhereItIs(run, std::move(answer), &Cluster::takeStacks, &MachineClient::takeStacks);
}

/// The local Cluster waits for its own, whose answers may come when this one is gone.
Cluster::Answer<void> WatchingCluster::awaited(const std::string& run, Answer<void> answer)
{
    return MachineRun::parse(run) ? m_commands.add(std::move(answer)) : answer;
}

void WatchingCluster::send(const std::string& run, const Command& command, Answer<void> answer)
{
    askWhereItIs(run, awaited(run, std::move(answer)), &Cluster::send, &MachineClient::send,
                 command);
}

void WatchingCluster::openFile(const std::filesystem::path& file, Answer<std::string> answer)
{
    m_local.openFile(file, std::move(answer));
}

void WatchingCluster::remove(const std::string& run, Answer<void> answer)
{
    askWhereItIs(run, awaited(run, std::move(answer)), &Cluster::remove, &MachineClient::remove);
}

void WatchingCluster::setPinned(const std::string& run, bool pinned, Answer<void> answer)
{
    askWhereItIs(run, awaited(run, std::move(answer)), &Cluster::setPinned,
                 &MachineClient::setPinned, pinned);
}

void WatchingCluster::setLabels(const std::string& run, const RunLabels& labels,
                                Answer<void> answer)
{
    askWhereItIs(run, awaited(run, std::move(answer)), &Cluster::setLabels,
                 &MachineClient::setLabels, labels);
}

void WatchingCluster::exportRun(const std::string& run, const std::filesystem::path& file,
                                Answer<ExportReport> answer)
{
    const auto there = MachineRun::parse(run);
    if (!there)
        return m_local.exportRun(run, file, std::move(answer));
    auto exporting = std::make_shared<MachineExport>(
        m_loop, m_ways,
        MachineExport::Request{.machine = there->machine, .run = there->run, .file = file},
        [answer = std::move(answer)](Result<MachineExport::Outcome> outcome) {
            answer(outcome ? Result<ExportReport>(std::move(outcome->report))
                           : tl::unexpected(outcome.error()));
        });
    {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_exports, [](const auto& each) { return each.expired(); });
        m_exports.push_back(exporting);
    }
    exporting->start();
}

} // namespace ringmaster
