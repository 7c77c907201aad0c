#include "engine/import/NcclInspectorRun.h"

#include "engine/import/Codes.h"
#include "engine/import/ImportedRanks.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <map>
#include <set>

namespace ringmaster {

namespace {

using ledger::OperationKind;
using Communicator = NcclInspectorLog::Communicator;

class ProcessesOfJob
{
public:
    explicit ProcessesOfJob(std::vector<NcclInspectorLog> logs) : m_logs(std::move(logs)) {}

    Result<ImportedRun> run()
    {
        splitProcesses();
        RM_TRY(findRanks());
        findMembers();
        for (const NcclInspectorLog& log : m_logs)
            takeBatch(log);
        tellSource();
        std::map<int, std::string> nodes;
        for (const NcclInspectorLog& log : m_logs)
            nodes[rankOf(log)] = log.host;
        tellAttempt(m_run, m_worldSize, nodes);
        return std::move(m_run);
    }

private:
    /// A process that has several GPUs has a rank for each: one log a rank, with the communicators
    /// in which it has the same one.
    void splitProcesses()
    {
        std::vector<NcclInspectorLog> logs;
        for (NcclInspectorLog& log : m_logs) {
            std::set<int> ranks;
            for (const Communicator& one : log.communicators) {
                if (one.id == log.largest()->id)
                    ranks.insert(one.rank);
            }
            if (ranks.size() < 2) {
                logs.push_back(std::move(log));
                continue;
            }
            for (const int rank : ranks)
                logs.push_back(partOf(log, rank));
        }
        m_processes = m_logs.size();
        m_logs = std::move(logs);
    }

    static NcclInspectorLog partOf(const NcclInspectorLog& log, int rank)
    {
        NcclInspectorLog part{.file = log.file, .host = log.host, .pid = log.pid};
        std::map<std::uint32_t, std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < log.communicators.size(); ++i) {
            if (log.communicators[i].rank != rank)
                continue;
            numbers[i] = static_cast<std::uint32_t>(part.communicators.size());
            part.communicators.push_back(log.communicators[i]);
        }
        for (NcclInspectorLog::Entry entry : log.entries) {
            if (const auto number = numbers.find(entry.operation.group); number != numbers.end()) {
                entry.operation.group = number->second;
                part.entries.push_back(std::move(entry));
            }
        }
        return part;
    }

    /// A process' rank is the one in the communicator of all. Where there is none, they are
    /// counted.
    Result<void> findRanks()
    {
        for (const NcclInspectorLog& log : m_logs) {
            if (log.entries.empty())
                return fail(code::ImportInspectorEmpty, {{"path", log.file.string()}});
            m_worldSize = std::max(m_worldSize, log.largest()->ranks);
        }
        const std::string& world = m_logs.front().largest()->id;
        m_isCounted = std::ranges::any_of(
            m_logs, [&](const NcclInspectorLog& log) { return log.largest()->id != world; });
        std::ranges::stable_sort(m_logs, {}, [&](const NcclInspectorLog& log) {
            return std::tuple(m_isCounted ? 0 : log.largest()->rank, log.host, log.pid);
        });
        if (m_isCounted)
            m_worldSize = std::max(m_worldSize, static_cast<int>(m_logs.size()));
        for (size_t i = 0; i < m_logs.size(); ++i) {
            const int rank = m_isCounted ? static_cast<int>(i) : m_logs[i].largest()->rank;
            if (!m_ranks.empty() && m_ranks.back() == rank)
                return fail(code::ImportRankTwice, {{"path", m_logs[i].file.string()},
                                                    {"other", m_logs[i - 1].file.string()},
                                                    {"rank", std::to_string(rank)}});
            m_ranks.push_back(rank);
        }
        return {};
    }

    int rankOf(const NcclInspectorLog& log) const
    {
        return m_ranks[static_cast<size_t>(&log - m_logs.data())];
    }

    /// By rank in the communicator; of one that not all members have told of, none.
    void findMembers()
    {
        std::map<std::string, std::map<int, int>> seen;
        std::map<std::string, int> sizes;
        for (const NcclInspectorLog& log : m_logs) {
            for (const Communicator& one : log.communicators) {
                seen[one.id][one.rank] = rankOf(log);
                sizes[one.id] = std::max(sizes[one.id], one.ranks);
            }
        }
        for (const auto& [id, members] : seen) {
            std::vector<int>& known = m_members[id];
            for (int rank = 0; !m_isCounted && sizes[id] == m_worldSize && rank < m_worldSize;
                 ++rank)
                known.push_back(rank);
            if (!known.empty() || static_cast<int>(members.size()) != sizes[id])
                continue;
            for (const auto& [rank, global] : members)
                known.push_back(global);
        }
    }

    /// NCCL counts each kind of a communicator by itself; here an operation has one number among
    /// all of its group, the same on all ranks.
    std::uint64_t numberOf(const std::string& communicator, const Operation& operation)
    {
        auto& numbers = m_numbers[communicator];
        return numbers.try_emplace({operation.kind, operation.number}, numbers.size() + 1)
            .first->second;
    }

    void takeBatch(const NcclInspectorLog& log)
    {
        OperationBatch batch{.rank = rankOf(log)};
        for (size_t i = 0; i < log.communicators.size(); ++i) {
            const Communicator& one = log.communicators[i];
            const bool isNamed = !one.name.empty() && one.name != "unknown";
            batch.groups.push_back(
                {static_cast<std::uint32_t>(i), isNamed ? one.name : one.id, m_members[one.id]});
            if (m_members[one.id].empty())
                m_incomplete.insert(isNamed ? one.name : one.id);
        }
        for (const NcclInspectorLog::Entry& entry : log.entries) {
            Operation operation = entry.operation;
            if (!ledger::isPointToPoint(operation.kind))
                operation.number = numberOf(log.communicators[operation.group].id, operation);
            m_run.wasGoingOn(operation.enqueuedNs);
            m_run.wasGoingOn(operation.endedNs);
            m_areTimed = m_areTimed && entry.isTimed;
            batch.operations.push_back(std::move(operation));
        }
        m_run.operations.push_back(std::move(batch));
    }

    void tellSource()
    {
        m_run.note({code::ImportedInspector,
                    {{"count", std::to_string(m_processes)},
                     {"path", m_logs.front().file.parent_path().string()}},
                    {}});
        m_run.note({code::ImportedInspectorEnded, {}, {}});
        if (!m_areTimed)
            m_run.note({code::ImportedInspectorTimes, {}, {}});
        if (m_isCounted)
            m_run.note({code::ImportedInspectorRanks, {}, {}});
        std::vector<int> missing;
        for (int rank = 0; rank < m_worldSize; ++rank) {
            if (!std::ranges::binary_search(m_ranks, rank))
                missing.push_back(rank);
        }
        if (!missing.empty())
            m_run.note({code::ImportedRanksMissing, {{"ranks", rankList(missing)}}, {}});
        for (const std::string& group : m_incomplete)
            m_run.note({code::ImportedInspectorMembers, {{"group", group}}, {}});
        for (const NcclInspectorLog& log : m_logs) {
            const std::string rank = std::to_string(rankOf(log));
            if (log.dropped > 0)
                m_run.note({code::ImportedInspectorDropped,
                            {{"count", std::to_string(log.dropped)}, {"rank", rank}},
                            {}});
            if (log.isCutOff)
                m_run.note({code::ImportedCutOff, {{"path", log.file.filename().string()}}, {}});
        }
    }

    std::vector<NcclInspectorLog> m_logs;
    std::vector<int> m_ranks; ///< Of each log, ascending.
    size_t m_processes = 0;
    int m_worldSize = 0;
    bool m_isCounted = false;
    bool m_areTimed = true;
    std::map<std::string, std::vector<int>> m_members; ///< By communicator.
    std::map<std::string, std::map<std::pair<OperationKind, std::uint64_t>, std::uint64_t>>
        m_numbers;
    std::set<std::string> m_incomplete;
    ImportedRun m_run;
};

} // namespace

Result<ImportedRun> runOf(std::vector<NcclInspectorLog> logs)
{
    return ProcessesOfJob(std::move(logs)).run();
}

} // namespace ringmaster
