#pragma once

#include "engine/agent/Agent.h"
#include "engine/base/LoopThread.h"
#include "engine/event/EvidenceFolds.h"
#include "engine/node/EvidenceTaker.h"
#include "engine/node/LedgerRecorder.h"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ringmaster {

/// An agent's evidence: where its ranks stand is taken before those are ended that have waited or
/// don't answer, and when somebody asks. On the agent's thread; the taking is on one of its own
/// ("rm-evidence").
class EvidenceRecorder
{
public:
    struct Setting
    {
        EventLoop& loop;
        LedgerRecorder* ledgers = nullptr; ///< Null: what the ranks are in isn't recorded.
        std::function<void(const Evidence&)> keep{};
    };

    explicit EvidenceRecorder(Setting setting) : m_setting(std::move(setting)) {}
    ~EvidenceRecorder();
    EvidenceRecorder(const EvidenceRecorder&) = delete;
    EvidenceRecorder& operator=(const EvidenceRecorder&) = delete;

    /// Who runs.
    void happened(const EventBody& body);

    /// As Agent::Parts::examine.
    void examine(const Message& why, Agent::Ending ending, std::function<void()> done);

    /// For somebody who asks; comes once on the loop, unless this is destroyed before.
    void take(std::function<void(KeptEvidence)> answer);

    /// Shorter waits and silences are usual.
    static constexpr std::chrono::seconds LeastWait{3};

private:
    using Standings = std::vector<RankStanding>;

    void learn(std::chrono::milliseconds patience,
               std::function<void(std::optional<Standings>)> then);
    /// The targets are added.
    void start(const Standings& standings, EvidenceTaker::Request request,
               std::function<void(Evidence)> then);
    bool hasThread();

    const Setting m_setting;
    int m_attempt = -1;
    std::map<int, int> m_pids;                               ///< Of those that run, by rank.
    bool m_hasTaken = false;                                 ///< Before the end of this attempt.
    std::vector<std::function<void(KeptEvidence)>> m_askers; ///< Of the one that is under way.

    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
    std::unique_ptr<LoopThread> m_thread;               ///< From the first need on.
    std::list<std::unique_ptr<EvidenceTaker>> m_takers; ///< That thread's.
};

} // namespace ringmaster
