#include "engine/diagnose/WaitVerdicts.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/PairVerdict.h"
#include "engine/diagnose/ProcessEvidence.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <set>

namespace ringmaster::diagnose {

namespace {

using State = ProcessView::State;

std::string keyOf(const Wait& wait)
{
    std::string key = "wait/" + wait.group.name + "/" + rankList(wait.group.members) + "/" +
                      std::to_string(wait.operation.number);
    if (ledger::isPointToPoint(wait.operation.kind))
        key += "/" + std::string(ledger::nameOf(wait.operation.kind)) + "/" +
               rankList(wait.waiting) + "/" + std::to_string(wait.operation.peer) + "/" +
               std::to_string(wait.operation.tag);
    return key;
}

/// All that may be said of a wait; each statement takes what it names.
Parameters parametersOf(const Wait& wait, std::int64_t nowNs)
{
    Parameters parameters = namesOf(wait.operation, wait.group);
    parameters["ranks"] = rankList(wait.waiting);
    parameters["members"] = rankList(wait.group.members);
    parameters["what"] = dataText(wait.operation);
    parameters["since"] = std::to_string(wait.sinceNs);
    parameters["seconds"] = secondsPassed(nowNs - wait.sinceNs);
    return parameters;
}

/// For how long it has certainly done nothing at one place.
std::int64_t stuckNs(const ProcessView& process)
{
    std::int64_t sameNs = process.frozenNs;
    if (process.stack)
        sameNs = std::max(sameNs, process.stack->takenNs - process.stack->sameSinceNs);
    return std::min(process.idleNs, sameNs);
}

/// The same of a group that is made, which has no number, no data and no name yet.
Code forMaking(Code statement)
{
    if (statement == code::RanksWait)
        return code::RanksWaitToMake;
    if (statement == code::RanksWaitQuietly)
        return code::RanksWaitQuietlyToMake;
    if (statement == code::HangIdle)
        return code::HangIdleToMake;
    if (statement == code::HangDead)
        return code::HangDeadToMake;
    return statement == code::HangStopped ? code::HangStoppedToMake : statement;
}

/// One look's judgement, wait by wait.
class Judge
{
public:
    Judge(const std::vector<RankView>& ranks, std::int64_t nowNs, const MismatchedCalls& mismatched,
          const WaitLimits& limits)
        : m_ranks(ranks)
        , m_nowNs(nowNs)
        , m_mismatched(mismatched)
        , m_limits(limits)
        , m_waits(findWaits(ranks, nowNs, limits.waiting))
    {
    }

    std::vector<VerdictCandidate> judge()
    {
        findMismatched();
        findCircle();
        for (const Wait& wait : m_waits) {
            for (const int rank : wait.waiting) {
                if (!wait.absent.empty() || m_said.contains(&wait))
                    m_waitingFor[rank].push_back(&wait);
            }
        }
        for (const Wait& wait : m_waits) {
            if (m_said.contains(&wait) || isRepeated(wait) ||
                (!wait.absent.empty() && isConsequence(wait)))
                m_found.push_back({.key = keyOf(wait),
                                   .verdict = {.waiting = wait.waiting},
                                   .isSaidElsewhere = true});
            else if (wait.absent.empty())
                judgeInside(wait);
            else
                judgeAbsence(wait);
        }
        return std::move(m_found);
    }

private:
    /// What comes of calls that don't fit, of which is told once; a program may survive them.
    void findMismatched()
    {
        constexpr std::uint64_t Survived = 8;
        for (const Wait& wait : m_waits) {
            const auto found = m_mismatched.find(wait.group);
            const bool isAfter = found != m_mismatched.end() &&
                                 !ledger::isPointToPoint(wait.operation.kind) &&
                                 wait.operation.number >= found->second &&
                                 wait.operation.number - found->second < Survived;
            if (isAfter)
                m_said.insert(&wait);
            else if (const auto unmatched = findUnmatchedSend(m_ranks, wait))
                judgePair(wait, *unmatched);
            else if (const auto stray = findStraySend(m_ranks, wait))
                judgeStray(wait, *stray);
        }
    }

    /// Until then it may be ahead.
    bool canSendNothingElse(int rank) const
    {
        const RankView* sender = viewOf(m_ranks, rank);
        return sender->process.state == State::Dead ||
               sender->process.idleNs >= m_limits.idle.count();
    }

    void judgePair(const Wait& wait, const UnmatchedSend& unmatched)
    {
        if (!canSendNothingElse(unmatched.sender))
            return;
        m_said.insert(&wait);
        m_found.push_back({.key = "pair/" + keyOf(wait),
                           .verdict = verdictOf(unmatched, wait, m_ranks, m_nowNs)});
    }

    /// The sender's own wait for whom it sends to comes of it as well.
    void judgeStray(const Wait& wait, const StraySend& stray)
    {
        if (!canSendNothingElse(stray.sender))
            return;
        m_said.insert(&wait);
        for (const Wait& other : m_waits) {
            if (other.operation.kind == ledger::OperationKind::Send && other.group == wait.group &&
                other.waiting == std::vector{stray.sender} &&
                other.absent == std::vector{stray.receiver})
                m_said.insert(&other);
        }
        m_found.push_back(
            {.key = "pair/" + keyOf(wait), .verdict = verdictOf(stray, wait, m_ranks, m_nowNs)});
    }

    void findCircle()
    {
        const std::vector<WaitEdge> cycle = findCycle(m_waits, m_ranks, m_limits.idle, m_said);
        if (cycle.empty())
            return;
        std::vector<int> members;
        Verdict verdict{.kind = Verdict::Kind::Hang, .remedy = {code::RemedySameOrder, {}, {}}};
        for (const WaitEdge& edge : cycle) {
            members.push_back(edge.waiting);
            m_said.insert(edge.wait);
            Parameters parameters = namesOf(edge.wait->operation, edge.wait->group);
            parameters["rank"] = std::to_string(edge.waiting);
            parameters["other"] = std::to_string(edge.absent);
            verdict.evidence.push_back({code::CycleEdge, std::move(parameters), {}});
            for (Message& call :
                 callsOf({edge.waiting}, m_ranks, edge.wait->group, edge.wait->operation))
                verdict.evidence.push_back(std::move(call));
            if (verdict.sinceNs == 0 || edge.wait->sinceNs < verdict.sinceNs)
                verdict.sinceNs = edge.wait->sinceNs;
        }
        addStacks(verdict, members);
        verdict.statement = {code::HangCycle, {{"ranks", rankList(members)}}, {}};
        verdict.guilty = members;
        std::ranges::sort(members);
        m_found.push_back({.key = "circle/" + rankList(members), .verdict = std::move(verdict)});
    }

    /// Of ranks whose place in the ledger is said already.
    void addStacks(Verdict& verdict, const std::vector<int>& of) const
    {
        for (Message& message : evidenceOf(of, m_ranks, m_nowNs)) {
            if (message.code == code::Stands || message.code == code::StandsInLine)
                verdict.evidence.push_back(std::move(message));
        }
    }

    bool waitsItself(int rank) const
    {
        const RankView* view = viewOf(m_ranks, rank);
        return view != nullptr && m_waitingFor.contains(rank) &&
               view->process.state == State::Alive && view->process.idleNs >= m_limits.idle.count();
    }

    /// Everybody who is absent waits for somebody, who is said to be waited for.
    bool isConsequence(const Wait& wait) const
    {
        return std::ranges::all_of(wait.absent, [&](int rank) {
            std::set<int> ways;
            return waitsItself(rank) && leadsToRoot(rank, ways);
        });
    }

    /// Several calls of one group are in flight and miss the same ranks: the longest is told. Who
    /// waits there may not have made the later calls yet.
    static bool isSameAbsence(const Wait& wait, const Wait& longest)
    {
        const auto isIn = [](const std::vector<int>& ranks) {
            return [&ranks](int rank) { return std::ranges::count(ranks, rank) > 0; };
        };
        std::vector<int> others = wait.absent;
        std::erase_if(others, isIn(longest.absent));
        return !wait.absent.empty() && wait.group == longest.group &&
               wait.absent.size() == longest.absent.size() + others.size() &&
               std::ranges::all_of(others, isIn(longest.waiting));
    }

    bool isRepeated(const Wait& wait) const
    {
        return std::ranges::any_of(m_roots,
                                   [&](const Wait* root) { return isSameAbsence(wait, *root); });
    }

    bool leadsToRoot(int rank, std::set<int>& ways) const
    {
        if (!ways.insert(rank).second)
            return false;
        for (const Wait* wait : m_waitingFor.at(rank)) {
            if (m_said.contains(wait))
                return true;
            for (const int next : wait->absent) {
                if (!waitsItself(next) || leadsToRoot(next, ways))
                    return true;
            }
        }
        return false;
    }

    /// The waits that come of this one, by way of those who wait here.
    void addConsequences(Verdict& verdict, const Wait& root) const
    {
        constexpr size_t Most = 8;
        std::set<const Wait*> said{&root};
        std::vector<int> reached = root.waiting;
        for (size_t i = 0; i < reached.size() && said.size() <= Most; ++i) {
            for (const Wait& wait : m_waits) {
                if (said.contains(&wait) || m_said.contains(&wait))
                    continue;
                const bool isReached = std::ranges::count(wait.absent, reached[i]) > 0;
                if (!isSameAbsence(wait, root) && !(isReached && isConsequence(wait)))
                    continue;
                said.insert(&wait);
                Parameters parameters = parametersOf(wait, m_nowNs);
                parameters["absent"] = rankList(wait.absent);
                verdict.evidence.push_back({code::AlsoWait, std::move(parameters), {}});
                reached.insert(reached.end(), wait.waiting.begin(), wait.waiting.end());
            }
        }
        std::ranges::sort(reached);
        reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
        verdict.waiting = std::move(reached);
    }

    /// Who of them can't come, or go on, and the code that says so.
    struct Proof
    {
        std::vector<const RankView*> views{}; ///< Empty: there is none.
        Code code = code::None;

        std::vector<int> ranks() const
        {
            std::vector<int> ranks;
            for (const RankView* view : views)
                ranks.push_back(view->rank);
            return ranks;
        }

        std::vector<int> stopped() const
        {
            std::vector<int> ranks = this->ranks();
            std::erase_if(ranks, [&](int rank) {
                return (*std::ranges::find(views, rank, &RankView::rank))->process.state !=
                       State::Stopped;
            });
            return ranks;
        }
    };

    Proof proofOf(const std::vector<int>& of, Code dead, Code stopped) const
    {
        for (const auto& [state, code] :
             {std::pair(State::Dead, dead), std::pair(State::Stopped, stopped)}) {
            Proof proof{.code = code};
            for (const int rank : of) {
                const RankView* view = viewOf(m_ranks, rank);
                if (view != nullptr && view->process.state == state)
                    proof.views.push_back(view);
            }
            if (!proof.views.empty())
                return proof;
        }
        return {};
    }

    /// It stands in an operation: what it waits for there is another question.
    static bool isInside(const RankView& view)
    {
        const auto& running = view.track->running();
        const bool waits = std::ranges::any_of(running, [](const auto& known) {
            return known.second.caller == ledger::Caller::Waits;
        });
        return waits ||
               (!running.empty() && (!view.process.stack || isInCall(*view.process.stack)));
    }

    /// It has done nothing at one place for longer than is usual.
    bool isIdle(const RankView& view, const GroupKey& group) const
    {
        const std::int64_t usual = view.track->usualPauseNs(group);
        return view.process.state == State::Alive && !waitsItself(view.rank) && !isInside(view) &&
               stuckNs(view.process) >=
                   std::max<std::int64_t>(m_limits.stuck.count(), m_limits.timesUsual * usual);
    }

    /// What a device does isn't seen.
    static bool isInDriver(const RankView* view)
    {
        return view->process.state == State::Alive && view->process.wait &&
               view->process.wait->kind == ProcessWait::Kind::Device;
    }

    /// It waits for a file's lock that another rank has, which works or waits for nobody as yet.
    bool comesAfterAnother(const RankView& view, const GroupKey& group) const
    {
        const auto& wait = view.process.wait;
        if (!wait || wait->kind != ProcessWait::Kind::FileLock || wait->holder == 0)
            return false;
        return std::ranges::any_of(m_ranks, [&](const RankView& other) {
            return other.process.pid == wait->holder && other.machine == view.machine &&
                   other.process.state == State::Alive && !waitsItself(other.rank) &&
                   (!isIdle(other, group) || diagnose::mayGoOn(other.process));
        });
    }

    bool mayGoOn(const RankView& view, const GroupKey& group) const
    {
        return diagnose::mayGoOn(view.process) || comesAfterAnother(view, group);
    }

    Proof idleOf(const Wait& wait) const
    {
        Proof proof{.code = code::HangIdle};
        for (const int rank : wait.absent) {
            const RankView* view = viewOf(m_ranks, rank);
            if (view != nullptr && isIdle(*view, wait.group) && !mayGoOn(*view, wait.group))
                proof.views.push_back(view);
        }
        return proof;
    }

    bool areAllQuiet(const Wait& wait) const
    {
        return std::ranges::all_of(wait.absent, [&](int rank) {
            const RankView* view = viewOf(m_ranks, rank);
            return view != nullptr && isIdle(*view, wait.group) &&
                   (isQuietOrWakesUp(view->process) || comesAfterAnother(*view, wait.group));
        });
    }

    /// All who are absent, but for those who wait themselves; with a proof, but for those who may
    /// still come.
    std::vector<int> guiltyOf(const Wait& wait, const Proof& proof) const
    {
        std::vector<int> guilty = wait.absent;
        std::erase_if(guilty, [&](int rank) {
            const RankView* view = viewOf(m_ranks, rank);
            const bool isProved = std::ranges::count(proof.views, view) > 0;
            const bool mayCome =
                !proof.views.empty() &&
                (proof.code != code::HangIdle || view == nullptr ||
                 view->process.idleNs < m_limits.idle.count() || mayGoOn(*view, wait.group));
            return !isProved && (waitsItself(rank) || mayCome);
        });
        return guilty.empty() ? wait.absent : guilty; // who knows what they will do
    }

    void judgeAbsence(const Wait& wait)
    {
        Parameters parameters = parametersOf(wait, m_nowNs);
        Proof proof = proofOf(wait.absent, code::HangDead, code::HangStopped);
        if (proof.views.empty())
            proof = idleOf(wait);
        Verdict verdict{.guilty = guiltyOf(wait, proof), .sinceNs = wait.sinceNs};
        const bool isProved = !proof.views.empty();
        if (isProved) {
            verdict.kind = Verdict::Kind::Hang;
            verdict.stopped = proof.stopped();
            verdict.remedy = remedyOf(proof);
            verdict.isSure = std::ranges::none_of(proof.views, isInDriver);
        }
        parameters["absent"] = rankList(isProved ? proof.ranks() : wait.absent);
        const bool isQuietly = !isProved && areAllQuiet(wait);
        verdict.statement = {isProved    ? proof.code
                             : isQuietly ? code::RanksWaitQuietly
                                         : code::RanksWait,
                             std::move(parameters),
                             {}};
        if (ledger::makesGroup(wait.operation.kind))
            verdict.statement.code = forMaking(verdict.statement.code);
        verdict.evidence = evidenceOf(isProved ? verdict.guilty : wait.absent, m_ranks, m_nowNs);
        for (Message& call : callsOf(wait.waiting, m_ranks, wait.group, wait.operation))
            verdict.evidence.push_back(std::move(call));
        addConsequences(verdict, wait);
        m_roots.push_back(&wait);
        m_found.push_back({.key = keyOf(wait), .verdict = std::move(verdict), .wait = wait});
    }

    static Message remedyOf(const Proof& proof)
    {
        const RankView& view = *proof.views.front();
        const Parameters process{{"rank", std::to_string(view.rank)},
                                 {"pid", std::to_string(view.process.pid)}};
        if (view.process.state == State::Stopped)
            return {code::RemedyResume, process, {}};
        if (view.process.state == State::Dead)
            return {code::RemedyDead, process, {}};
        return stuckRemedy(view);
    }

    /// All have entered it: it is a hang where one of them can't go on, or none does anything.
    void judgeInside(const Wait& wait)
    {
        Parameters parameters = parametersOf(wait, m_nowNs);
        Verdict verdict{.kind = Verdict::Kind::Hang, .sinceNs = wait.sinceNs};
        const Proof proof = proofOf(wait.waiting, code::HangDeadInside, code::HangStoppedInside);
        const bool isProved = !proof.views.empty();
        if (isProved) {
            verdict.guilty = proof.ranks();
            verdict.stopped = proof.stopped();
            std::vector<int> others = wait.waiting;
            std::erase_if(others,
                          [&](int rank) { return std::ranges::count(verdict.guilty, rank) > 0; });
            parameters["ranks"] = rankList(others);
            parameters["absent"] = rankList(verdict.guilty);
            verdict.waiting = std::move(others);
            verdict.remedy = remedyOf(proof);
        } else if (!areAllStuck(wait)) {
            return;
        } else {
            verdict.isSure = false;
            verdict.waiting = wait.waiting;
            verdict.remedy = {code::RemedyNetworkInside, {}, {}};
        }
        verdict.statement = {isProved ? proof.code : code::HangInside, std::move(parameters), {}};
        verdict.evidence = evidenceOf(isProved ? verdict.guilty : wait.waiting, m_ranks, m_nowNs);
        m_found.push_back({.key = keyOf(wait), .verdict = std::move(verdict), .wait = wait});
    }

    bool areAllStuck(const Wait& wait) const
    {
        std::int64_t usual = 0;
        for (const int rank : wait.waiting) {
            const RankView* view = viewOf(m_ranks, rank);
            if (view->process.state != State::Alive ||
                view->process.idleNs < m_limits.stuck.count())
                return false;
            usual = std::max(usual, view->track->usualDurationNs(wait.group, wait.operation));
        }
        // Without anything to compare it with, a long transfer is given a minute.
        if (usual == 0)
            usual = m_limits.stuck.count() * 6 / m_limits.timesUsual;
        return m_nowNs - wait.lastNs >=
               std::max<std::int64_t>(m_limits.stuck.count(), m_limits.timesUsual * usual);
    }

    const std::vector<RankView>& m_ranks;
    const std::int64_t m_nowNs;
    const MismatchedCalls& m_mismatched;
    const WaitLimits m_limits;
    const std::vector<Wait> m_waits;
    std::map<int, std::vector<const Wait*>> m_waitingFor; ///< By rank; of those that miss somebody.
    std::vector<const Wait*> m_roots;                     ///< That have been judged.
    std::set<const Wait*> m_said; ///< In a circle, or because of calls that don't fit.
    std::vector<VerdictCandidate> m_found;
};

} // namespace

std::vector<VerdictCandidate> judgeWaits(const std::vector<RankView>& ranks, std::int64_t nowNs,
                                         const MismatchedCalls& mismatched,
                                         const WaitLimits& limits)
{
    return Judge(ranks, nowNs, mismatched, limits).judge();
}

Message overStatement(const Verdict& verdict, std::int64_t nowNs)
{
    if (verdict.sinceNs == 0 || verdict.statement.code == code::HangCycle)
        return {code::VerdictOver, {}, {}};
    Parameters parameters = verdict.statement.parameters;
    if (!parameters.contains("number"))
        return {code::VerdictOver, {}, {}};
    parameters.erase("since");
    parameters["seconds"] = secondsPassed(nowNs - verdict.sinceNs);
    const Code statement = verdict.statement.code;
    const bool isMaking = statement == code::RanksWaitToMake ||
                          statement == code::RanksWaitQuietlyToMake ||
                          statement == code::HangIdleToMake || statement == code::HangDeadToMake ||
                          statement == code::HangStoppedToMake;
    return {isMaking ? code::MakingOver : code::WaitOver, std::move(parameters), {}};
}

} // namespace ringmaster::diagnose
