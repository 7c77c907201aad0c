#include "engine/import/ProfilerRun.h"

#include "engine/import/Codes.h"
#include "engine/import/ImportedRanks.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ringmaster {

namespace {

class TracesOfJob
{
public:
    explicit TracesOfJob(std::vector<ProfilerTrace> traces) : m_traces(std::move(traces)) {}

    Result<ImportedRun> run()
    {
        RM_TRY(sortTraces());
        const bool areAlike = areCountable();
        for (ProfilerTrace& trace : m_traces) {
            if (!trace.areNumbered)
                number(trace, areAlike);
            else if (trace.areCounted && !areAlike)
                separate(trace);
            takeBatch(trace);
        }
        tellSource(areAlike);
        std::map<int, std::string> nodes;
        for (const ProfilerTrace& trace : m_traces)
            nodes[trace.rank] = trace.host;
        tellAttempt(m_run, m_worldSize, nodes);
        return std::move(m_run);
    }

private:
    Result<void> sortTraces()
    {
        std::ranges::stable_sort(m_traces, {}, &ProfilerTrace::rank);
        for (size_t i = 0; i < m_traces.size(); ++i) {
            const ProfilerTrace& trace = m_traces[i];
            if (i > 0 && m_traces[i - 1].rank == trace.rank)
                return fail(code::ImportRankTwice, {{"path", trace.file.string()},
                                                    {"other", m_traces[i - 1].file.string()},
                                                    {"rank", std::to_string(trace.rank)}});
            if (trace.operations.empty())
                return fail(code::ImportTraceEmpty, {{"path", trace.file.string()}});
            m_worldSize = std::max({m_worldSize, trace.worldSize, trace.rank + 1});
        }
        m_world.resize(static_cast<size_t>(m_worldSize));
        std::iota(m_world.begin(), m_world.end(), 0);
        return {};
    }

    /// Whether the n-th collective of a group is the same on all of its ranks: they call the same
    /// kinds in the same order.
    bool areCountable() const
    {
        return std::ranges::all_of(m_traces, &ProfilerTrace::areNumbered) ? areAlikeByGroup()
                                                                          : areAlike();
    }

    bool areAlikeByGroup() const
    {
        std::map<std::string, std::vector<ledger::OperationKind>> kindsOfAll;
        for (const ProfilerTrace& trace : m_traces) {
            std::map<std::string, std::vector<ledger::OperationKind>> kindsOfRank;
            for (const Operation& operation : trace.operations) {
                if (!ledger::isPointToPoint(operation.kind))
                    kindsOfRank[trace.groups[operation.group].name].push_back(operation.kind);
            }
            for (auto& [group, kinds] : kindsOfRank) {
                const auto [known, isNew] = kindsOfAll.try_emplace(group, kinds);
                if (!isNew && known->second != kinds)
                    return false;
            }
        }
        return true;
    }

    /// Without saying groups: every one has all ranks.
    bool areAlike() const
    {
        const auto kindsOf = [](const ProfilerTrace& trace) {
            std::vector<ledger::OperationKind> kinds;
            for (const Operation& operation : trace.operations) {
                if (!ledger::isPointToPoint(operation.kind))
                    kinds.push_back(operation.kind);
            }
            return kinds;
        };
        return std::ranges::all_of(m_traces, [&](const ProfilerTrace& trace) {
            return kindsOf(trace) == kindsOf(m_traces.front()) &&
                   std::ranges::all_of(trace.groups, [&](const LedgerGroup& group) {
                       return group.members.empty() || group.members == m_world;
                   });
        });
    }

    void number(ProfilerTrace& trace, bool areAlike) const
    {
        trace.groups = {{0, areAlike ? "0" : "", areAlike ? m_world : std::vector<int>()}};
        std::uint64_t collectives = 0;
        std::map<std::tuple<ledger::OperationKind, int, int>, std::uint64_t> pairs;
        for (Operation& operation : trace.operations) {
            operation.group = 0;
            operation.number = ledger::isPointToPoint(operation.kind)
                                   ? ++pairs[{operation.kind, operation.peer, operation.tag}]
                                   : ++collectives;
        }
    }

    /// Each rank's for itself.
    static void separate(ProfilerTrace& trace)
    {
        for (LedgerGroup& group : trace.groups)
            group.members.clear();
    }

    void takeBatch(const ProfilerTrace& trace)
    {
        for (const Operation& operation : trace.operations) {
            m_run.wasGoingOn(operation.enqueuedNs);
            m_run.wasGoingOn(operation.endedNs);
        }
        m_run.operations.push_back(
            {.rank = trace.rank, .operations = trace.operations, .groups = trace.groups});
    }

    void tellSource(bool areAlike)
    {
        m_run.note({code::ImportedTraces,
                    {{"count", std::to_string(m_traces.size())},
                     {"path", m_traces.front().file.parent_path().string()}},
                    {}});
        std::vector<int> missing = m_world;
        std::erase_if(missing, [&](int rank) {
            return std::ranges::find(m_traces, rank, &ProfilerTrace::rank) != m_traces.end();
        });
        if (!missing.empty())
            m_run.note({code::ImportedRanksMissing, {{"ranks", rankList(missing)}}, {}});
        const bool areNumbered = std::ranges::all_of(
            m_traces, [](const auto& trace) { return trace.areNumbered && !trace.areCounted; });
        if (!areNumbered)
            m_run.note({areAlike ? code::ImportedTraceOrder : code::ImportedTraceGroups, {}, {}});
    }

    std::vector<ProfilerTrace> m_traces;
    int m_worldSize = 0;
    std::vector<int> m_world;
    ImportedRun m_run;
};

} // namespace

Result<ImportedRun> runOf(std::vector<ProfilerTrace> traces)
{
    return TracesOfJob(std::move(traces)).run();
}

} // namespace ringmaster
