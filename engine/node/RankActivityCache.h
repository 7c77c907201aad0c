#pragma once

#include "engine/control/RankActivity.h"

#include <chrono>
#include <mutex>

namespace ringmaster {

/// What the ranks of an agent are in at this moment, between the thread that knows it and the one
/// that is asked. Nobody need write what nobody has asked for lately.
class RankActivityCache
{
public:
    static constexpr std::chrono::seconds Patience{3};

    bool isWanted() const;
    /// Of these the asker wants the stack, too.
    std::vector<int> stacksWanted() const;
    void show(std::vector<RankActivity> ranks);

    /// As last shown; nothing where that is long ago.
    std::vector<RankActivity> read(const std::vector<int>& stacks);

private:
    using Clock = std::chrono::steady_clock;

    bool isAsked() const;

    mutable std::mutex m_mutex; ///< Of all below.
    Clock::time_point m_askedAt{};
    Clock::time_point m_shownAt{};
    std::vector<int> m_stacks;
    std::vector<RankActivity> m_ranks;
};

} // namespace ringmaster
