#include "engine/node/JobCourse.h"

#include "engine/agent/Codes.h"
#include "engine/node/Codes.h"

#include <algorithm>

namespace ringmaster {

JobCourse::Member* JobCourse::find(const std::string& agent)
{
    const auto found = std::ranges::find(m_members, agent, &Member::agent);
    return found != m_members.end() ? &*found : nullptr;
}

std::vector<JobCourse::Member*> JobCourse::in(Seat seat)
{
    std::vector<Member*> members;
    for (Member& member : m_members)
        if (member.seat == seat)
            members.push_back(&member);
    return members;
}

size_t JobCourse::count(Seat seat) const
{
    return static_cast<size_t>(std::ranges::count(m_members, seat, &Member::seat));
}

bool JobCourse::any(Seat seat) const
{
    return count(seat) > 0;
}

bool JobCourse::isRoundOpen() const
{
    return any(Seat::InRound) || any(Seat::Leaving);
}

void JobCourse::enter(RunState state, const Message& reason)
{
    if (m_state == state)
        return;
    m_state = state;
    m_host.stateChanged(state, reason);
}

void JobCourse::expected(const std::string& agent, const std::string& name, std::int64_t nowNs)
{
    // One that takes another's place has its seat in the order, too.
    const auto before = std::ranges::find(m_members, name, &Member::name);
    if (before != m_members.end())
        *before = {.agent = agent, .name = name};
    else
        m_members.push_back({.agent = agent, .name = name});
    if (m_waitsSinceNs == 0 && !isRoundOpen())
        m_waitsSinceNs = nowNs;
}

void JobCourse::offered(const std::string& agent, const MeetingStep& offer, std::int64_t nowNs)
{
    Member* member = find(agent);
    // Its offer may have been on the way when it was stopped.
    if (member == nullptr || member->seat == Seat::Ended)
        return;
    const Seat before = std::exchange(member->seat, Seat::Offering);
    member->offer = offer;
    member->isRunning = false;
    if (m_outcome) {
        m_host.closeMeeting(agent, {.hasSucceeded = m_outcome->state == RunState::Succeeded,
                                    .why = m_outcome->reason});
        return;
    }
    // Nobody had told it to leave: its workers have failed.
    if (before == Seat::InRound) {
        if (!std::exchange(m_hasFailed, true))
            m_why = Message{code::HostWorkersFailed, {{"host", member->name}}, {}};
        askAllToLeave(m_why);
    } else if (any(Seat::InRound) && !any(Seat::Leaving)) {
        const auto size = in(Seat::InRound).size();
        if (static_cast<int>(size) < m_limits.nodes.max)
            askAllToLeave({code::HostJoins, {{"host", member->name}}, {}});
        else
            tellSpares();
    }
    consider(nowNs);
}

void JobCourse::askAllToLeave(const Message& why)
{
    m_why = why;
    enter(RunState::Restarting, why);
    for (Member* member : in(Seat::InRound)) {
        member->seat = Seat::Leaving;
        m_host.leaveRound(member->agent, why);
    }
}

void JobCourse::finished(const std::string& agent, std::int64_t nowNs)
{
    Member* member = find(agent);
    if (member == nullptr || member->seat == Seat::Ended || m_outcome)
        return;
    member->seat = Seat::Finished;
    consider(nowNs);
}

void JobCourse::running(const std::string& agent)
{
    if (Member* member = find(agent))
        member->isRunning = true;
    const bool allRun = std::ranges::all_of(m_members, [](const Member& member) {
        return member.seat != Seat::InRound || member.isRunning;
    });
    if (allRun && any(Seat::InRound) && !any(Seat::Leaving) && !m_outcome)
        enter(RunState::Running);
}

void JobCourse::departed(Member& member, const Message& why, std::int64_t nowNs)
{
    m_lastLoss = why;
    const bool wasInRound = member.seat == Seat::InRound || member.seat == Seat::Leaving;
    member.isRunning = false;
    if (wasInRound && !m_outcome && any(Seat::InRound))
        askAllToLeave(why);
    else if (wasInRound)
        m_why = why;
    if (!any(Seat::Offering) && !isRoundOpen() && m_waitsSinceNs == 0)
        m_waitsSinceNs = nowNs;
}

void JobCourse::lost(const std::string& agent, const Message& why, std::int64_t nowNs)
{
    Member* member = find(agent);
    if (member == nullptr || member->seat == Seat::Ended || member->seat == Seat::Gone)
        return;
    Member before = *member;
    member->seat = Seat::Cut;
    member->isSpare = false;
    // What is finished is finished, reachable or not.
    if (before.seat == Seat::Finished)
        member->seat = Seat::Finished;
    departed(before, why, nowNs);
    consider(nowNs);
}

void JobCourse::back(const std::string& agent, std::int64_t nowNs)
{
    Member* member = find(agent);
    if (member == nullptr || member->seat != Seat::Cut)
        return;
    // Its round went on without it: whatever it does there is void.
    member->seat = Seat::Leaving;
    if (m_outcome)
        m_host.closeMeeting(agent, {.hasSucceeded = m_outcome->state == RunState::Succeeded,
                                    .why = m_outcome->reason});
    else
        m_host.leaveRound(agent, {code::HostReturns, {{"host", member->name}}, {}});
    consider(nowNs);
}

void JobCourse::gone(const std::string& agent, const Message& why, std::int64_t nowNs)
{
    Member* member = find(agent);
    if (member == nullptr || member->seat == Seat::Ended || member->seat == Seat::Gone)
        return;
    Member before = *member;
    member->seat = Seat::Gone;
    departed(before, why, nowNs);
    consider(nowNs);
}

void JobCourse::taken(const std::string& agent, const Message& why, std::int64_t nowNs)
{
    m_hasFailed = false;
    m_question = Question::None;
    gone(agent, why, nowNs);
}

void JobCourse::replaced(const std::string& agent, const std::string& by, const Message& why,
                         std::int64_t nowNs)
{
    Member* member = find(agent);
    if (member == nullptr)
        return;
    Member before = std::exchange(*member, Member{.agent = by, .name = member->name});
    departed(before, why, nowNs);
    consider(nowNs);
}

void JobCourse::delayed(const std::string& agent, std::int64_t nowNs)
{
    const Member* member = find(agent);
    if (member != nullptr && member->seat == Seat::Expected && m_waitsSinceNs != 0)
        m_waitsSinceNs = nowNs;
}

void JobCourse::ended(const std::string& agent, RunState state, const Message& reason,
                      std::int64_t nowNs)
{
    Member* member = find(agent);
    if (member == nullptr)
        return;
    const bool wasExpected = member->seat == Seat::Finished;
    // One that couldn't even begin: the others do without it, if they are enough.
    if (member->seat == Seat::Expected && state == RunState::Failed && !m_outcome)
        return gone(
            agent,
            {code::HostCannotBegin, {{"host", member->name}, {"reason", describe(reason)}}, {}},
            nowNs);
    member->seat = Seat::Ended;
    if (!m_outcome && !(wasExpected && state == RunState::Succeeded))
        close(state == RunState::Succeeded ? RunState::Failed : state, reason);
    consider(nowNs);
}

void JobCourse::displaced(const Message& why, std::int64_t nowNs)
{
    const bool hadBegun = std::exchange(m_hasRun, false);
    m_members.clear();
    m_hasFailed = false;
    m_question = Question::None;
    m_why = {};
    m_lastLoss = why;
    m_callSinceNs = 0;
    m_waitsSinceNs = nowNs;
    if (m_outcome)
        return finishIfNobodyIsLeft();
    if (!hadBegun)
        return;
    // Workers that are ended with their places may be seen to end before the places are known to be
    // lost.
    if (m_chargedAtNs != 0 && nowNs - m_chargedAtNs < SameCause.count())
        return enter(RunState::Restarting, why);
    if (m_used >= m_limits.maxRestarts)
        return close(RunState::Failed, why);
    enter(RunState::Restarting, why);
    chargeRestart(why, nowNs);
}

void JobCourse::impossible(const Message& why)
{
    m_members.clear();
    if (!m_outcome)
        close(RunState::Failed, why);
    else
        finishIfNobodyIsLeft();
}

void JobCourse::stopping(const Message& reason)
{
    if (m_outcome)
        return;
    m_outcome = Outcome{RunState::Stopped, reason};
    enter(RunState::Stopping, reason);
    finishIfNobodyIsLeft();
}

void JobCourse::restart(const Message& why, std::int64_t nowNs)
{
    if (m_outcome || !any(Seat::InRound))
        return;
    askAllToLeave(why);
    consider(nowNs);
}

void JobCourse::look(std::int64_t nowNs)
{
    consider(nowNs);
}

/// Workers that are ended with their places are seen to end before that is known.
bool JobCourse::waitsForPlaces()
{
    if (m_question == Question::None)
        m_question = m_host.askPlaces() ? Question::Asked : Question::Answered;
    return m_question == Question::Asked;
}

void JobCourse::placesKnown(std::int64_t nowNs)
{
    if (m_question != Question::Asked)
        return;
    m_question = Question::Answered;
    consider(nowNs);
}

/// True: there may be another attempt.
bool JobCourse::chargeFailure(std::int64_t nowNs)
{
    const auto cause = m_host.firstCause(m_attempt);
    const Message reason = cause ? cause->cause : m_why;
    if (m_used >= m_limits.maxRestarts) {
        close(RunState::Failed, reason);
        return false;
    }
    chargeRestart(reason, nowNs);
    return true;
}

void JobCourse::chargeRestart(const Message& why, std::int64_t nowNs)
{
    const int left = m_limits.maxRestarts - m_used++;
    m_chargedAtNs = nowNs;
    m_hasRun = false;
    m_host.restarting(
        {.attempt = m_attempt, .cause = why, .budgetBefore = left, .budgetAfter = left - 1});
}

void JobCourse::close(RunState state, const Message& reason)
{
    m_outcome = Outcome{state, reason};
    if (state != RunState::Succeeded)
        enter(RunState::Stopping, reason);
    for (const Member& member : m_members) {
        if (member.seat == Seat::Ended || member.seat == Seat::Gone || member.seat == Seat::Cut)
            continue;
        m_host.closeMeeting(member.agent,
                            {.hasSucceeded = state == RunState::Succeeded, .why = reason});
    }
    finishIfNobodyIsLeft();
}

void JobCourse::finishIfNobodyIsLeft()
{
    // One that is cut off ends by itself when its lead doesn't come back; one that hasn't come yet
    // is told when it does.
    const size_t away =
        count(Seat::Ended) + count(Seat::Gone) + count(Seat::Cut) + count(Seat::Expected);
    const bool isAnybodyLeft = away < m_members.size();
    if (isAnybodyLeft || std::exchange(m_isOver, true))
        return;
    m_host.over(m_outcome->state, m_outcome->reason);
}

} // namespace ringmaster
