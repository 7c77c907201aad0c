#include "engine/import/Codes.h"
#include "engine/import/NcclTests.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

constexpr const char* OutOfPlace = "nccl";
constexpr const char* InPlace = "nccl in place";

/// "all_reduce_perf" measures all_reduce; by the same name a file may say what is in it.
std::string collectiveIn(const std::string& name)
{
    constexpr auto Names = std::to_array<std::pair<std::string_view, std::string_view>>({
        {"allreduce", "all_reduce"},
        {"allgather", "all_gather"},
        {"reducescatter", "reduce_scatter"},
        {"alltoall", "all_to_all"},
        {"broadcast", "broadcast"},
        {"sendrecv", "sendrecv"},
        {"hypercube", "hypercube"},
        {"scatter", "scatter"},
        {"gather", "gather"},
        {"reduce", "reduce"},
    });
    std::string letters;
    for (const char letter : name) {
        if (letter != '_' && letter != '-')
            letters +=
                static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
    }
    for (const auto& [wanted, collective] : Names) {
        if (letters.find(wanted) != std::string::npos)
            return std::string(collective);
    }
    return {};
}

double busFactorOf(const std::string& collective, int ranks)
{
    const auto kind =
        collective == "sendrecv"
            ? ledger::OperationKind::Send
            : ledger::operationKindOf(collective).value_or(ledger::OperationKind::Other);
    return ledger::busFactor(kind, ranks);
}

class SweepOfTable
{
public:
    explicit SweepOfTable(const NcclTestsTable& table) : m_table(table) {}

    Result<ImportedRun> run()
    {
        m_collective = collectiveIn(m_table.program);
        if (m_collective.empty())
            m_collective = collectiveIn(m_table.file.filename().string());
        if (m_collective.empty())
            return fail(code::ImportNoCollective, {{"path", m_table.file.string()}});
        m_run.name = "sweep " + m_collective + " (nccl-tests)";
        m_run.wasGoingOn(m_table.writtenNs);
        tellRanks();
        tellPlan();
        tellRows(m_table.outOfPlace, OutOfPlace);
        tellRows(m_table.inPlace, InPlace);
        tellSource();
        tellEnd();
        return std::move(m_run);
    }

private:
    /// Each host as one with an agent of its own has it: by them calibrations are found. Where
    /// nobody says how many ranks there were, there are none to show.
    void tellRanks()
    {
        const std::set<std::string> hosts(m_table.hosts.begin(), m_table.hosts.end());
        for (const std::string& host : hosts)
            m_run.tell(
                m_run.beganNs,
                HostChanged{.agent = host, .host = host, .state = HostChanged::State::Finished});
        m_run.tell(m_run.beganNs, RunStateChanged{RunState::Running});
        for (const std::string& host : hosts) {
            AttemptStarted attempt{.worldSize = m_table.ranks()};
            std::vector<ImportedRun::Fact> ends;
            for (int rank = 0; rank < m_table.ranks(); ++rank) {
                if (m_table.hosts[static_cast<size_t>(rank)] != host)
                    continue;
                const auto local = static_cast<int>(attempt.workers.size());
                attempt.workers.push_back({.localRank = local,
                                           .globalRank = rank,
                                           .roleRank = rank,
                                           .roleWorldSize = m_table.ranks()});
                if (m_table.isWhole)
                    ends.push_back({m_run.endedNs,
                                    WorkerStateChanged{.globalRank = rank,
                                                       .localRank = local,
                                                       .state = WorkerState::Succeeded},
                                    host, host});
            }
            m_run.facts.push_back({m_run.beganNs, std::move(attempt), host, host});
            m_run.facts.insert(m_run.facts.end(), ends.begin(), ends.end());
        }
    }

    void tellPlan()
    {
        const std::vector<SweepRow>& rows =
            m_table.outOfPlace.empty() ? m_table.inPlace : m_table.outOfPlace;
        SweepPlan plan{.collectives = {m_collective},
                       .type = rows.front().type,
                       .reduction = rows.front().reduction,
                       .ranks = m_table.ranks(),
                       .hosts = std::max(1, static_cast<int>(hosts().size())),
                       .iterations = m_table.iterations,
                       .warmup = m_table.warmup};
        for (const SweepRow& row : rows)
            plan.sizes.push_back(row.bytes);
        std::ranges::sort(plan.sizes);
        plan.sizes.erase(std::unique(plan.sizes.begin(), plan.sizes.end()), plan.sizes.end());
        for (const auto& [backend, each] :
             {std::pair(OutOfPlace, &m_table.outOfPlace), std::pair(InPlace, &m_table.inPlace)}) {
            if (!each->empty())
                plan.backends.emplace_back(backend);
            plan.isChecked = plan.isChecked && std::ranges::all_of(*each, [](const SweepRow& row) {
                                 return row.wrong >= 0;
                             });
        }
        m_plan = plan;
        m_run.tell(m_run.endedNs, std::move(plan));
    }

    void tellRows(const std::vector<SweepRow>& rows, const char* backend)
    {
        for (SweepRow row : rows) {
            row.index = m_next++;
            row.collective = m_collective;
            row.backend = backend;
            row.device = "cuda";
            row.ranks = m_plan.ranks;
            row.hosts = m_plan.hosts;
            if (row.iterations == 0)
                row.iterations = m_table.iterations;
            // Two decimals of GB/s say nothing of small sizes; size and time do.
            if (row.algorithmBandwidth <= 0 && !m_table.isOfCpu) {
                row.algorithmBandwidth =
                    static_cast<double>(row.bytes) * 1e9 / static_cast<double>(row.timeNs);
                if (row.ranks > 0)
                    row.busBandwidth =
                        row.algorithmBandwidth * busFactorOf(m_collective, row.ranks);
            }
            m_run.tell(m_run.endedNs, std::move(row));
        }
    }

    std::set<std::string> hosts() const { return {m_table.hosts.begin(), m_table.hosts.end()}; }

    void tellSource()
    {
        const auto listed = [](const std::set<std::string>& names) {
            return join({names.begin(), names.end()}, ", ");
        };
        m_run.note({code::ImportedNcclTests,
                    {{"program", m_table.program.empty() ? m_collective : m_table.program},
                     {"path", m_table.file.string()}},
                    {}});
        if (m_table.ranks() > 0)
            m_run.note({code::ImportedNcclTestsDevices,
                        {{"ranks", std::to_string(m_table.ranks())},
                         {"hosts", listed(hosts())},
                         {"devices", listed(m_table.devices)}},
                        {}});
        else
            m_run.note({code::ImportedNcclTestsNoRanks, {}, {}});
        m_run.note({code::ImportedNcclTestsTime, {}, {}});
        if (m_table.isOfCpu)
            m_run.note({code::ImportedNcclTestsCpu, {}, {}});
    }

    void tellEnd()
    {
        if (m_table.wrong.value_or(0) > 0)
            m_run.end = {.state = RunState::Failed,
                         .reason = {code::ImportedNcclTestsWrong,
                                    {{"count", std::to_string(*m_table.wrong)}},
                                    {}}};
        else if (m_table.isWhole)
            m_run.end = {.state = RunState::Succeeded, .reason = {}};
        else
            m_run.note({code::ImportedNcclTestsNoEnd, {}, {}});
    }

    const NcclTestsTable& m_table;
    std::string m_collective;
    SweepPlan m_plan;
    std::uint64_t m_next = 0;
    ImportedRun m_run;
};

} // namespace

Result<ImportedRun> runOf(const NcclTestsTable& table)
{
    return SweepOfTable(table).run();
}

} // namespace ringmaster
