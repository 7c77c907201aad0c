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

/// Gathers those of one attempt. Lives where ledgers are read.
class FirstCollectives
{
public:
    void begin(size_t ranks);
    void reported(const HookReport& report);
    void ended(int globalRank, std::int64_t at);

    /// Once, when all ranks have been through theirs.
    std::optional<std::vector<FirstCollective>> take();

private:
    FirstCollective& of(int globalRank);

    size_t m_ranks = 0;
    std::map<int, FirstCollective> m_found;
};

/// Where an attempt's time went until its workers had met in a first collective. Lives on the
/// agent's thread.
class AttemptTimes
{
public:
    void seen(const EventBody& body, const Moment& at);

    /// The times of the rank that was last; nothing where the facts don't fit together.
    std::optional<Notice> met(const std::vector<FirstCollective>& ranks) const;

private:
    int m_attempt = 0;
    std::int64_t m_originNs = 0; ///< The launch, or the failure that led to this attempt.
    std::int64_t m_failedNs = 0; ///< The first failure since.
    std::int64_t m_joiningNs = 0;
    std::int64_t m_metNs = 0;
    std::map<int, std::int64_t> m_startedNs;
};

} // namespace ringmaster
