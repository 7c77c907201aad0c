#include "engine/import/FlightRecorderRun.h"

#include "engine/diagnose/Evidence.h"
#include "engine/import/BoundedCount.h"
#include "engine/import/Codes.h"
#include "engine/import/ImportedRanks.h"
#include "engine/import/TorchNames.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/PythonText.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace ringmaster {

namespace {

using ledger::OperationKind;
using Dumps = std::vector<FlightRecorderDump>;
using Entry = FlightRecorderDump::Entry;

bool tellsMore(const FlightRecorderDump& one, const FlightRecorderDump& other)
{
    return std::pair(one.entries.size(), one.sites.size()) >
           std::pair(other.entries.size(), other.sites.size());
}

/// Both forms of one rank's dump, of the same moment.
bool areOfOneRank(const FlightRecorderDump& one, const FlightRecorderDump& other)
{
    return !one.entries.empty() && !other.entries.empty() &&
           one.entries.front().operation.enqueuedNs == other.entries.front().operation.enqueuedNs;
}

class DumpsOfJob
{
public:
    explicit DumpsOfJob(Dumps dumps) : m_dumps(std::move(dumps)) {}

    Result<ImportedRun> run()
    {
        RM_TRY(sortByRank());
        RM_TRY(compareTimes());
        findMembers();
        closeCalls();
        for (const FlightRecorderDump& dump : m_dumps)
            m_run.operations.push_back(batchOf(dump));
        findMoments();
        tellSource();
        std::map<int, std::int64_t> until;
        for (const FlightRecorderDump& dump : m_dumps) {
            if (dump.writtenNs != 0)
                until[dump.rank] = dump.writtenNs;
        }
        tellAttempt(m_run, m_worldSize);
        tellVerdicts(m_run, m_worldSize, until);
        return std::move(m_run);
    }

private:
    Result<void> sortByRank()
    {
        std::ranges::stable_sort(m_dumps, {}, &FlightRecorderDump::rank);
        Dumps kept;
        for (FlightRecorderDump& dump : m_dumps) {
            if (kept.empty() || kept.back().rank != dump.rank) {
                kept.push_back(std::move(dump));
                continue;
            }
            FlightRecorderDump& other = kept.back();
            const std::string rank = std::to_string(dump.rank);
            if (!areOfOneRank(dump, other))
                return fail(
                    code::ImportRankTwice,
                    {{"path", dump.file.string()}, {"other", other.file.string()}, {"rank", rank}});
            if (tellsMore(dump, other))
                std::swap(dump, other);
            m_notes.push_back({code::ImportedLeftOut,
                               {{"path", dump.file.filename().string()},
                                {"other", other.file.filename().string()},
                                {"rank", rank}},
                               {}});
        }
        m_dumps = std::move(kept);
        return {};
    }

    /// The first operation that two ranks called was called at about the same time.
    Result<void> compareTimes() const
    {
        constexpr std::int64_t HourNs = 3'600'000'000'000;
        std::map<std::pair<std::string, std::uint64_t>, std::pair<const Entry*, size_t>> first;
        for (size_t i = 0; i < m_dumps.size(); ++i) {
            for (const Entry& entry : m_dumps[i].entries) {
                const Operation& operation = entry.operation;
                if (entry.group != m_dumps[i].world || ledger::isPointToPoint(operation.kind) ||
                    operation.number == 0 || operation.enqueuedNs == 0)
                    continue;
                const auto [known, isNew] =
                    first.try_emplace({entry.group, operation.number}, &entry, i);
                const std::int64_t apart =
                    std::abs(known->second.first->operation.enqueuedNs - operation.enqueuedNs);
                if (!isNew && apart >= HourNs)
                    return fail(code::ImportApart,
                                {{"path", m_dumps[i].file.string()},
                                 {"other", m_dumps[known->second.second].file.string()},
                                 {"operation", diagnose::nameOf(operation)},
                                 {"number", std::to_string(operation.number)},
                                 {"hours", std::to_string(apart / HourNs)}});
            }
        }
        return {};
    }

    void findMembers()
    {
        m_worldSize = m_dumps.back().rank + 1;
        for (const FlightRecorderDump& dump : m_dumps) {
            for (const auto& [name, members] : dump.members)
                m_worldSize = std::max(m_worldSize, *std::ranges::max_element(members) + 1);
            for (const Entry& entry : dump.entries)
                m_users[entry.group].insert(dump.rank);
        }
        for (int rank = 0; rank < m_worldSize; ++rank)
            m_world.push_back(rank);
    }

    /// By its own dump, else as far as can be known.
    std::vector<int> membersOf(const FlightRecorderDump& dump, const std::string& group)
    {
        if (const auto said = dump.members.find(group); said != dump.members.end())
            return said->second;
        if (group == dump.world)
            return m_world;
        const std::set<int>& users = m_users[group];
        m_guessed.insert(group);
        return {users.begin(), users.end()};
    }

    /// Where no log says what has ended, what all have called is taken for it: the rest waits for
    /// those that haven't. A send or receive is over.
    void closeCalls()
    {
        if (std::ranges::any_of(m_dumps, [](const auto& dump) { return dump.hasEnds; }))
            return;
        std::map<std::string, std::map<int, std::uint64_t>> called;
        for (const FlightRecorderDump& dump : m_dumps) {
            for (const Entry& entry : dump.entries)
                called[entry.group][dump.rank] =
                    std::max(called[entry.group][dump.rank], entry.operation.number);
        }
        const auto calledByAll = [&](const FlightRecorderDump& dump, const std::string& group) {
            std::uint64_t all = UINT64_MAX;
            for (const int rank : membersOf(dump, group)) {
                if (std::ranges::find(m_dumps, rank, &FlightRecorderDump::rank) != m_dumps.end())
                    all = std::min(all, called[group][rank]);
            }
            return all;
        };
        for (FlightRecorderDump& dump : m_dumps) {
            std::map<std::string, std::uint64_t> known;
            for (Entry& entry : dump.entries) {
                const auto [all, isNew] = known.try_emplace(entry.group);
                if (isNew)
                    all->second = calledByAll(dump, entry.group);
                if (entry.operation.number <= all->second)
                    entry.operation.outcome = Operation::Outcome::Done;
            }
        }
    }

    OperationBatch batchOf(const FlightRecorderDump& dump)
    {
        OperationBatch batch{.rank = dump.rank, .sites = dump.sites};
        std::map<std::string, std::uint32_t> groups;
        std::map<std::tuple<std::uint32_t, OperationKind, int>, std::uint64_t> pairs;
        for (const Entry& entry : dump.entries) {
            const auto [group, isNew] =
                groups.try_emplace(entry.group, static_cast<std::uint32_t>(groups.size()));
            if (isNew)
                batch.groups.push_back({group->second, entry.group, membersOf(dump, entry.group)});
            Operation operation = entry.operation;
            operation.group = group->second;
            if (ledger::isPointToPoint(operation.kind)) {
                // Which of a pair it is can only be counted.
                if (!dump.isWhole || operation.peer < 0)
                    continue;
                operation.number = ++pairs[{group->second, operation.kind, operation.peer}];
            } else if (operation.number == 0) {
                continue;
            }
            operation.elements = entry.input != 0 ? entry.input : entry.output;
            operation.bytes = bytesOf(operation, entry, batch.groups[group->second].members);
            batch.operations.push_back(std::move(operation));
        }
        return batch;
    }

    static std::uint64_t bytesOf(const Operation& operation, const Entry& entry,
                                 const std::vector<int>& members)
    {
        constexpr std::uint64_t Most = std::uint64_t(1) << 62U;
        const std::uint64_t elements =
            wholeElements(operation.kind, entry.input, entry.output, members.size());
        return boundedProduct(elements, ledger::sizeOf(operation.type), Most);
    }

    void findMoments()
    {
        for (const OperationBatch& batch : m_run.operations) {
            for (const Operation& operation : batch.operations) {
                for (const std::int64_t ns :
                     {operation.enqueuedNs, operation.startedNs, operation.endedNs})
                    m_run.wasGoingOn(ns);
            }
        }
        // Without an operation there is only the time of the files.
        if (m_run.beganNs == 0)
            m_run.beganNs = m_run.endedNs = m_dumps.front().writtenNs;
    }

    bool anyEntry(const auto& claim) const
    {
        return std::ranges::any_of(m_dumps, [&](const FlightRecorderDump& dump) {
            return std::ranges::any_of(dump.entries, claim);
        });
    }

    std::vector<int> ranksWithout(const auto& claim) const
    {
        std::vector<int> ranks = m_world;
        std::erase_if(ranks, [&](int rank) {
            const auto dump = std::ranges::find(m_dumps, rank, &FlightRecorderDump::rank);
            return claim(dump == m_dumps.end() ? nullptr : &*dump);
        });
        return ranks;
    }

    void tellClog()
    {
        m_run.note({code::ImportedClog,
                    {{"count", std::to_string(m_dumps.size())},
                     {"path", m_dumps.front().file.parent_path().string()}},
                    {}});
        m_run.note({code::ImportedClogTimes, {}, {}});
        if (std::ranges::none_of(m_dumps, [](const auto& dump) { return dump.hasEnds; }))
            m_run.note({code::ImportedClogNoEnds, {}, {}});
        if (std::ranges::any_of(m_dumps, [](const auto& dump) { return dump.replayed > 0; }))
            m_run.note({code::ImportedClogReplays, {}, {}});
    }

    void tellFlightRecorder()
    {
        std::set<std::string> backends;
        for (const FlightRecorderDump& dump : m_dumps) {
            for (const Entry& entry : dump.entries)
                backends.insert(std::string(ledger::nameOf(entry.operation.backend)));
        }
        backends.erase("");
        m_run.note(
            {code::ImportedDumps,
             {{"count", std::to_string(m_dumps.size())},
              {"backends",
               backends.empty() ? "no operation" : join({backends.begin(), backends.end()}, ", ")},
              {"path", m_dumps.front().file.parent_path().string()}},
             {}});
        m_run.note({code::ImportedMoment, {}, {}});
        if (!anyEntry([](const Entry& entry) { return entry.operation.endedNs != 0; }))
            m_run.note({code::ImportedNoEnds, {}, {}});
        if (backends.contains("gloo"))
            m_run.note({code::ImportedNoPairs, {}, {}});
    }

    /// What was read, and what can't be known of it.
    void tellSource()
    {
        switch (m_dumps.front().source) {
        case FlightRecorderDump::Source::FlightRecorder: tellFlightRecorder(); break;
        case FlightRecorderDump::Source::Clog: tellClog(); break;
        }
        const auto isThere = [](const FlightRecorderDump* dump) { return dump != nullptr; };
        if (const auto missing = ranksWithout(isThere); !missing.empty())
            m_run.note({code::ImportedRanksMissing, {{"ranks", rankList(missing)}}, {}});
        const auto isWhole = [](const FlightRecorderDump* dump) {
            return dump == nullptr || dump->isWhole;
        };
        if (const auto cut = ranksWithout(isWhole); !cut.empty())
            m_run.note({code::ImportedBeginningGone, {{"ranks", rankList(cut)}}, {}});
        for (const std::string& group : m_guessed)
            m_run.note({code::ImportedMembers, {{"group", group}}, {}});
        for (Message& note : m_notes)
            m_run.note(std::move(note));
    }

    Dumps m_dumps;
    std::vector<Message> m_notes;
    int m_worldSize = 0;
    std::vector<int> m_world;
    std::map<std::string, std::set<int>> m_users;
    std::set<std::string> m_guessed;
    ImportedRun m_run;
};

} // namespace

Result<ImportedRun> runOf(std::vector<FlightRecorderDump> dumps)
{
    return DumpsOfJob(std::move(dumps)).run();
}

} // namespace ringmaster
