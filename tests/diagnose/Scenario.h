#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/ledger/OperationNames.h"

#include <memory>

namespace ringmaster::diagnose {

/// Ranks that enter and leave operations, second by second, as their ledgers would tell.
class Scenario
{
public:
    static constexpr std::int64_t Second = 1'000'000'000;
    static constexpr std::int64_t Start = 1000 * Second;

    /// A call as one rank makes it.
    struct Call
    {
        ledger::OperationKind kind = ledger::OperationKind::AllReduce;
        std::uint64_t elements = 1000;
        ledger::DataType type = ledger::DataType::Float32;
        ledger::Reduction reduction = ledger::Reduction::Sum;
        int peer = -1;
        ledger::Caller caller = ledger::Caller::Waits;
        ledger::Backend backend = ledger::Backend::Gloo;
        std::uint16_t site = 0;
        int tag = 0;
    };
    static const Call Sum; ///< all_reduce

    explicit Scenario(int ranks)
    {
        std::vector<int> all;
        for (int rank = 0; rank < ranks; ++rank) {
            all.push_back(rank);
            m_tracks.push_back(std::make_unique<RankTrack>());
        }
        group(0, "0", all);
        for (int rank = 0; rank < ranks; ++rank)
            m_views.push_back({.rank = rank,
                               .isRecorded = true,
                               .track = m_tracks[static_cast<size_t>(rank)].get(),
                               .process = {.state = ProcessView::State::Alive,
                                           .pid = 100 + rank,
                                           .idleNs = 10 * Second}});
    }

    void group(std::uint32_t number, const std::string& name, const std::vector<int>& members)
    {
        for (const auto& track : m_tracks)
            track->described(LedgerGroup{number, name, members});
    }

    /// For Call::site.
    void site(std::uint16_t number, const std::string& file, const std::string& function,
              std::uint32_t line)
    {
        for (const auto& track : m_tracks)
            track->described(CallSite{number, file, function, line});
    }

    /// Returns the operation's id, for leave().
    std::uint64_t enter(int rank, double atSecond, const Call& call, std::uint32_t group = 0)
    {
        Operation operation;
        operation.id = ++m_lastId;
        operation.kind = call.kind;
        operation.type = call.type;
        operation.reduction = call.reduction;
        operation.elements = call.elements;
        operation.bytes = call.elements * ledger::sizeOf(call.type);
        operation.peer = call.peer;
        operation.tag = call.tag;
        operation.caller = call.caller;
        operation.backend = call.backend;
        operation.site = call.site;
        operation.group = group;
        const bool isPair = ledger::isPointToPoint(call.kind);
        operation.number =
            ++m_numbers[{rank, group, isPair ? call.kind : ledger::OperationKind::Other,
                         isPair ? call.peer : -1, isPair ? call.tag : 0}];
        operation.enqueuedNs = at(atSecond);
        m_running[operation.id] = operation;
        m_tracks[static_cast<size_t>(rank)]->seen(operation);
        return operation.id;
    }

    void leave(int rank, double atSecond, std::uint64_t id)
    {
        Operation operation = m_running[id];
        operation.outcome = Operation::Outcome::Done;
        operation.endedNs = at(atSecond);
        m_tracks[static_cast<size_t>(rank)]->seen(operation);
    }

    /// It is over, or as good as: when, nobody says, nor whether it really is.
    void leaveUnseen(int rank, std::uint64_t id)
    {
        Operation operation = m_running[id];
        operation.outcome = Operation::Outcome::Done;
        m_tracks[static_cast<size_t>(rank)]->seen(operation);
    }

    /// It comes back with an error.
    void fail(int rank, double atSecond, std::uint64_t id)
    {
        m_running[id].outcome = Operation::Outcome::Failed;
        m_running[id].endedNs = at(atSecond);
        m_tracks[static_cast<size_t>(rank)]->seen(m_running[id]);
    }

    /// It makes the program's group of that number, as the ledger tells: returns what leave()
    /// wants.
    std::uint64_t makes(int rank, double atSecond, int number, const std::vector<int>& members,
                        ledger::OperationKind kind = ledger::OperationKind::NewGroup)
    {
        const auto described = static_cast<std::uint32_t>(1000 + number);
        m_tracks[static_cast<size_t>(rank)]->described(LedgerGroup{
            described, std::string(ledger::nameOf(kind)) + " " + std::to_string(number), members});
        return enter(rank, atSecond,
                     {.kind = kind,
                      .elements = 0,
                      .type = ledger::DataType::None,
                      .reduction = ledger::Reduction::None,
                      .backend = ledger::Backend::Unknown},
                     described);
    }

    /// All of the group enter and leave at once.
    void together(double atSecond, const Call& call, std::uint32_t group = 0)
    {
        const GroupKey key = m_tracks[0]->keyOf(group);
        for (const int rank : key.members)
            leave(rank, atSecond + 0.01, enter(rank, atSecond, call, group));
    }

    static constexpr const char* TorchFile =
        "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py";

    /// Its main thread was seen there, and in nothing else for `sameSeconds`.
    void stands(int rank, const std::string& function, const std::string& file,
                const std::string& code = {}, double sameSeconds = 0, int line = 88)
    {
        const std::int64_t sameNs = static_cast<std::int64_t>(sameSeconds * double(Second));
        process(rank).stack = Stack{.source = "torch",
                                    .frames = {{function, file, line}},
                                    .text = "Thread (most recent call first):",
                                    .code = code,
                                    .takenNs = Start + 1000 * Second,
                                    .sameSinceNs = Start + 1000 * Second - sameNs};
    }

    ProcessView& process(int rank) { return m_views[static_cast<size_t>(rank)].process; }
    RankView& view(int rank) { return m_views[static_cast<size_t>(rank)]; }
    const std::vector<RankView>& views() const { return m_views; }
    static std::int64_t at(double second)
    {
        return Start + static_cast<std::int64_t>(second * double(Second));
    }

private:
    std::vector<std::unique_ptr<RankTrack>> m_tracks;
    std::vector<RankView> m_views;
    std::map<std::tuple<int, std::uint32_t, ledger::OperationKind, int, int>, std::uint64_t>
        m_numbers;
    std::map<std::uint64_t, Operation> m_running;
    std::uint64_t m_lastId = 0;
};

inline const Scenario::Call Scenario::Sum{};

} // namespace ringmaster::diagnose
