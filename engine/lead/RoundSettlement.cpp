#include "engine/lead/RoundSettlement.h"

#include "engine/base/Codes.h"

#include <utility>

namespace ringmaster {

RoundSettlement::RoundSettlement(const Limits& limits, HostFailures& failures, JobMembers& members,
                                 Host& host)
    : m_minNodes(limits.minNodes)
    , m_failures(failures)
    , m_members(members)
    , m_host(host)
    , m_budget(limits.maxRestarts)
{
}

void RoundSettlement::resume(int restartsUsed, bool isCharged,
                             const std::optional<Message>& brokenUp)
{
    m_budget.resume(restartsUsed, isCharged);
    if (brokenUp)
        m_why = *brokenUp;
}

void RoundSettlement::excuse(const Message& why)
{
    if (std::exchange(m_hasFailed, false))
        m_why = why;
}

void RoundSettlement::placeTaken(const Message& why)
{
    excuse(why);
    m_question = Question::None;
}

bool RoundSettlement::placesKnown()
{
    if (m_question != Question::Asked)
        return false;
    m_question = Question::Answered;
    return true;
}

/// Workers that are ended with their places are seen to end before that is known.
bool RoundSettlement::waitsForPlaces()
{
    if (m_question == Question::None)
        m_question = m_host.askPlaces() ? Question::Asked : Question::Answered;
    return m_question == Question::Asked;
}

RoundSettlement::Outcome RoundSettlement::settle(int attempt, std::int64_t nowNs)
{
    Outcome outcome;
    if (m_hasFailed) {
        if (waitsForPlaces())
            return {.kind = Outcome::Kind::Unknown};
        m_hasFailed = false;
        m_question = Question::None;
        outcome = chargeFailure(attempt, nowNs);
    } else if (m_why.code != code::None && attempt >= 0) {
        outcome.restart = m_budget.dontCharge(attempt, m_why);
    }
    m_why = {};
    return outcome;
}

RoundSettlement::Outcome RoundSettlement::chargeFailure(int attempt, std::int64_t nowNs)
{
    const auto cause = m_host.firstCause(attempt);
    const Message reason = cause ? cause->cause : m_why;
    if (m_budget.isSpent() || m_host.refusesRestart(attempt))
        return {.kind = Outcome::Kind::Over, .why = reason};
    JobMember* leftOut = nullptr;
    const std::string host = m_host.guiltyHost(attempt);
    if (const auto counted = m_failures.failed(host)) {
        m_host.hostFailed(*counted);
        leftOut = m_failures.isLeftOut(host) ? m_members.named(host) : nullptr;
    }
    if (leftOut != nullptr) {
        leftOut->isLeftOut = true;
        const int left = static_cast<int>(m_members.countPossible());
        if (left < m_minNodes)
            return {.kind = Outcome::Kind::Over,
                    .why = m_failures.whyItEnds(host, left, m_minNodes)};
    }
    return {.restart = m_budget.chargeFailure(attempt, reason, nowNs), .leftOut = leftOut};
}

std::optional<RoundSettlement::Outcome> RoundSettlement::displaced(int attempt, const Message& why,
                                                                   bool isFree, std::int64_t nowNs)
{
    m_hasFailed = false;
    m_question = Question::None;
    m_why = {};
    if (!m_budget.placesLost())
        return std::nullopt;
    const bool isCharged = m_budget.wasLossCharged(nowNs);
    if (isFree || isCharged)
        return Outcome{};
    if (m_budget.isSpent())
        return Outcome{.kind = Outcome::Kind::Over, .why = why};
    return Outcome{.restart = m_budget.charge(attempt, why)};
}

} // namespace ringmaster
