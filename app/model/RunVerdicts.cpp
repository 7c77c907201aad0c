#include "app/model/RunVerdicts.h"

#include "engine/base/Codes.h"
#include "engine/diagnose/Codes.h"
#include "engine/event/States.h"

#include <algorithm>
#include <array>

namespace ringmaster::app {

namespace {

using Kind = RunVerdicts::Kind;

constexpr std::array Hangs{code::HangDead, code::HangStopped, code::HangCycle, code::HangIdle,
                           code::HangInside};
constexpr std::array Slow{code::StragglerRank, code::SlowWire};
constexpr std::array Evidence{
    code::AbsentOutside, code::AbsentNeverEntered, code::AbsentElsewhere, code::AbsentNotRecorded,
    code::AbsentDead,    code::AbsentStopped,      code::AbsentComputes,  code::AbsentIdle};
constexpr std::array Remedies{
    code::RemedyResume,    code::RemedySameOrder,     code::RemedySameCall, code::RemedyLookInside,
    code::RemedyStraggler, code::RemedyNetworkInside, code::RemedySlowWire};

template <class Codes>
bool isOneOf(const Codes& codes, Code code)
{
    return std::ranges::find(codes, code) != codes.end();
}

std::string valueOf(const Message& message, const std::string& name)
{
    const auto found = message.parameters.find(name);
    return found == message.parameters.end() ? std::string() : found->second;
}

bool haveSame(const Message& one, const Message& other, std::initializer_list<const char*> names)
{
    return std::ranges::all_of(
        names, [&](const char* name) { return valueOf(one, name) == valueOf(other, name); });
}

bool areOfOneOperation(const Message& one, const Message& other)
{
    return haveSame(one, other, {"operation", "number", "group"});
}

/// A circle names its operations in a sentence only.
bool isInCircle(const Message& circle, const Message& operation)
{
    const std::string name = valueOf(operation, "operation") + " #" + valueOf(operation, "number") +
                             " of group " + valueOf(operation, "group") + " for rank";
    return valueOf(circle, "waits").find(name) != std::string::npos;
}

Kind kindOf(Code statement)
{
    if (isOneOf(Hangs, statement))
        return Kind::Hang;
    if (isOneOf(Slow, statement))
        return Kind::Slow;
    return statement == code::MismatchRanks ? Kind::Mismatch : Kind::Waiting;
}

} // namespace

NoticeRole roleOf(const Notice& notice)
{
    const Code code = notice.message.code;
    if (code == code::RanksWait || code == code::WaitOver)
        return NoticeRole::Waiting;
    if (isOneOf(Evidence, code))
        return NoticeRole::Evidence;
    if (isOneOf(Remedies, code))
        return NoticeRole::Remedy;
    return kindOf(code) == Kind::Waiting ? NoticeRole::Other : NoticeRole::Verdict;
}

bool RunVerdicts::apply(const Event& event)
{
    if (const auto* notice = std::get_if<Notice>(&event.body))
        return tell(*notice);
    // What was called wrongly may have been the end of the attempt; who waited is history.
    const auto isHistory = [&](const Standing& known) {
        if (std::holds_alternative<AttemptStarted>(event.body))
            return true;
        if (std::holds_alternative<GroupRestarting>(event.body))
            return known.kind != Kind::Mismatch;
        const auto* run = std::get_if<RunStateChanged>(&event.body);
        return run != nullptr && isFinal(run->state) &&
               (run->state == RunState::Succeeded || known.kind < Kind::Hang);
    };
    return std::erase_if(m_standing, isHistory) != 0;
}

bool RunVerdicts::tell(const Notice& notice)
{
    switch (roleOf(notice)) {
    case NoticeRole::Other: return false;
    case NoticeRole::Waiting:
        if (notice.message.code == code::WaitOver)
            return isOver(notice.message);
        state(Kind::Waiting, notice.message);
        return true;
    case NoticeRole::Verdict: state(kindOf(notice.message.code), notice.message); return true;
    case NoticeRole::Evidence:
        if (Standing* known = latest()) {
            if (std::exchange(known->isInherited, false))
                known->evidence.clear();
            if (known->evidence.size() >= MaxEvidence)
                return false;
            known->evidence.push_back(notice.message);
            return true;
        }
        return false;
    case NoticeRole::Remedy:
        if (Standing* known = latest()) {
            known->remedy = notice.message;
            return true;
        }
        return false;
    }
    return false;
}

void RunVerdicts::state(Kind kind, const Message& statement)
{
    Standing next{.kind = kind, .statement = statement};
    next.remedy.code = code::None;
    m_latest = statement;
    std::erase_if(m_standing, [&](Standing& known) {
        if (kind == Kind::Slow)
            return known.statement.code == statement.code &&
                   haveSame(known.statement, statement, {"rank", "operation", "group"});
        if (kind != Kind::Hang || known.kind != Kind::Waiting ||
            !areOfOneOperation(known.statement, statement))
            return false;
        next.evidence = std::move(known.evidence);
        next.isInherited = true;
        return true;
    });
    makeRoom();
    const auto place =
        std::ranges::find_if(m_standing, [&](const Standing& known) { return known.kind < kind; });
    m_standing.insert(place, std::move(next));
}

bool RunVerdicts::isOver(const Message& message)
{
    return std::erase_if(m_standing, [&](const Standing& known) {
               if (known.statement.code == code::HangCycle)
                   return isInCircle(known.statement, message);
               return (known.kind == Kind::Waiting || known.kind == Kind::Hang) &&
                      areOfOneOperation(known.statement, message);
           }) != 0;
}

RunVerdicts::Standing* RunVerdicts::latest()
{
    const auto found = std::ranges::find(m_standing, m_latest, &Standing::statement);
    return found == m_standing.end() ? nullptr : &*found;
}

void RunVerdicts::makeRoom()
{
    if (m_standing.size() < MaxStanding)
        return;
    const auto oldestWait = std::ranges::find(m_standing, Kind::Waiting, &Standing::kind);
    m_standing.erase(oldestWait == m_standing.end() ? m_standing.end() - 1 : oldestWait);
}

} // namespace ringmaster::app
