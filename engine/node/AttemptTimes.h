#pragma once

#include "engine/event/Event.h"
#include "engine/worker/hook/StartHook.h"

#include <map>
#include <optional>
#include <vector>

namespace ringmaster {

/// A rank's way to its first collective, as its ledger and its start-up hook tell. Monotonic.
struct FirstCollective
{
    int globalRank = -1;
    std::int64_t endedNs = 0;  ///< 0: not yet.
    std::int64_t importNs = 0; ///< That importing torch took.
    std::int64_t initNs = -1;  ///< That init_process_group took; -1: not reported yet.
};

/// Those of all ranks of an attempt.
struct FirstCollectiveTimes
{
    int attempt = 0;
    std::vector<FirstCollective> ranks{};
};

/// Gathers those of one attempt. Lives where ledgers are read.
class FirstCollectives
{
public:
    void begin(int attempt, size_t ranks);
    void reported(const HookReport& report);
    void ended(int globalRank, std::int64_t at);

    /// Once, when all ranks have been through theirs.
    std::optional<FirstCollectiveTimes> take();

private:
    FirstCollective& of(int globalRank);

    int m_attempt = 0;
    size_t m_ranks = 0;
    std::map<int, FirstCollective> m_found;
};

/// Where an attempt's time went until its workers had firstCollectiveDone in a first collective.
/// Lives on the agent's thread.
class AttemptTimes
{
public:
    struct Told
    {
        Notice notice{};
        std::int64_t atNs = 0; ///< When the last rank was through; monotonic.
    };

    void seen(const EventBody& body, const Moment& at);

    /// The times of the rank that was last; nothing where the facts don't fit together.
    std::optional<Told> firstCollectiveDone(const FirstCollectiveTimes& first) const;

private:
    /// The agent's part of an attempt's stages.
    struct Stages
    {
        std::int64_t originNs = 0; ///< The launch, or the failure that led to this attempt.
        std::int64_t joiningNs = 0;
        std::int64_t metNs = 0;
        std::int64_t starterNs = 0; ///< That the imports of a new warm starter took.
        std::map<int, std::int64_t> startedNs{};
    };
    static constexpr size_t MostAttempts =
        4; ///< A short attempt is told when the next one has begun.

    void stepped(RendezvousStep::Step step, std::int64_t now);
    void noticed(const Message& message);

    Stages m_next; ///< Its attempt has no number yet.
    std::map<int, Stages> m_stages;
    std::int64_t m_failedNs = 0; ///< The first failure since the last rendezvous began.
};

} // namespace ringmaster
