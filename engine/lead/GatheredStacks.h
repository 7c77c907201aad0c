#pragma once

#include "engine/base/Result.h"
#include "engine/event/EvidenceFolds.h"

#include <functional>
#include <utility>

namespace ringmaster {

/// Where the ranks of several hosts stand, put together as the hosts' agents answer. On the lead's
/// loop.
class GatheredStacks
{
public:
    using Answer = std::function<void(KeptEvidence)>;

    /// `answer` comes when nobody holds this any more: each host that is asked does, until it has
    /// answered.
    GatheredStacks(Moment at, Answer answer) : m_taken{at, {}}, m_answer(std::move(answer)) {}
    ~GatheredStacks() { m_answer(std::move(m_taken)); }
    GatheredStacks(const GatheredStacks&) = delete;
    GatheredStacks& operator=(const GatheredStacks&) = delete;

    void add(const Result<KeptEvidence>& part);

private:
    KeptEvidence m_taken;
    Answer m_answer;
};

} // namespace ringmaster
