#include "engine/diagnose/WaitVerdicts.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/PairVerdict.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

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

/// All that may be said of a wait that has lasted since then; each statement takes what it names.
Parameters parametersOf(const Wait& wait, std::int64_t sinceNs, std::int64_t nowNs)
{
    Parameters parameters = namesOf(wait.operation, wait.group);
    parameters["ranks"] = rankList(wait.waiting);
    parameters["members"] = rankList(wait.group.members);
    parameters["what"] = dataText(wait.operation);
    parameters.merge(since(sinceNs, nowNs));
    return parameters;
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
          const WaitLimits& limits, const std::vector<int>& circle)
        : m_ranks(ranks)
        , m_nowNs(nowNs)
        , m_mismatched(mismatched)
        , m_limits(limits)
        , m_circle(circle)
        , m_waits(findWaits(ranks, nowNs, limits.waiting))
    {
    }

    std::vector<VerdictCandidate> judge()
    {
        findMismatched();
        findCircle();
        m_graph.emplace(m_ranks, m_waits, m_said, m_limits.idle);
        m_hangs.emplace(m_ranks, *m_graph, m_limits, m_nowNs);
        for (const Wait& wait : m_waits) {
            if (m_said.contains(&wait) || isRepeated(wait) ||
                (!wait.absent.empty() && m_graph->isConsequence(wait)))
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

    /// Until then it may be ahead. Where it waits for the receiver it isn't, also while it is asked
    /// for its stack.
    bool canSendNothingElse(int rank, int receiver) const
    {
        const RankView* sender = viewOf(m_ranks, rank);
        return sender->process.state == ProcessView::State::Dead ||
               sender->process.idleNs >= m_limits.idle.count() ||
               waitsFor(rank, receiver, m_waits, m_ranks, std::chrono::nanoseconds(0));
    }

    /// What the receiver waits for can't come any more.
    bool canNeverSend(int rank, int receiver) const
    {
        const RankView* sender = viewOf(m_ranks, rank);
        return sender != nullptr && (sender->process.state == ProcessView::State::Dead ||
                                     waitsFor(rank, receiver, m_waits, m_ranks, m_limits.idle));
    }

    /// A receiver takes in its own order what several send to it: a send that waits proves nothing
    /// as long as the one that it receives from may still come.
    void judgePair(const Wait& wait, const UnmatchedSend& unmatched)
    {
        if (!canSendNothingElse(unmatched.sender, unmatched.receiver) ||
            !canNeverSend(unmatched.wanted, unmatched.receiver))
            return;
        m_said.insert(&wait);
        m_found.push_back({.key = "pair/" + keyOf(wait),
                           .verdict = verdictOf(unmatched, wait, m_ranks, m_nowNs)});
    }

    /// The sender's own wait for whom it sends to comes of it as well.
    void judgeStray(const Wait& wait, const StraySend& stray)
    {
        if (!canNeverSend(stray.sender, stray.awaiting))
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
        const std::vector<WaitEdge> cycle =
            findCycle(m_waits, m_ranks, m_limits.idle, m_said, m_circle);
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

    bool isRepeated(const Wait& wait) const
    {
        return std::ranges::any_of(
            m_roots, [&](const Wait* root) { return WaitGraph::isSameAbsence(wait, *root); });
    }

    /// The waits that come of this one, by way of those who wait here.
    void addConsequences(Verdict& verdict, const Wait& root) const
    {
        WaitGraph::Consequences consequences = m_graph->consequencesOf(root);
        for (const Wait* wait : consequences.waits) {
            Parameters parameters = parametersOf(*wait, wait->sinceNs, m_nowNs);
            parameters["absent"] = rankList(wait->absent);
            verdict.evidence.push_back({code::AlsoWait, std::move(parameters), {}});
        }
        verdict.waiting = std::move(consequences.waiting);
    }

    void judgeAbsence(const Wait& wait)
    {
        Parameters parameters = parametersOf(wait, wait.sinceNs, m_nowNs);
        const HangFinder::Proof proof = m_hangs->proofOfAbsence(wait);
        const bool isProved = proof.isThere();
        Verdict verdict{.guilty = m_hangs->guiltyOf(wait, proof), .sinceNs = wait.sinceNs};
        if (isProved) {
            verdict.kind = Verdict::Kind::Hang;
            verdict.stopped = proof.stopped();
            verdict.remedy = proof.remedy();
            verdict.isSure = proof.isSure();
        }
        parameters["absent"] = rankList(isProved ? proof.ranks() : wait.absent);
        const bool isQuietly = !isProved && m_hangs->areAllQuiet(wait);
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

    /// All have entered it: it is a hang where one of them can't go on, or none does anything.
    void judgeInside(const Wait& wait)
    {
        Verdict verdict{.kind = Verdict::Kind::Hang, .sinceNs = wait.sinceNs};
        const HangFinder::Proof proof = m_hangs->proofInside(wait);
        const bool isProved = proof.isThere();
        Parameters parameters = parametersOf(wait, isProved ? wait.sinceNs : wait.lastNs, m_nowNs);
        if (isProved) {
            verdict.guilty = proof.ranks();
            verdict.stopped = proof.stopped();
            std::vector<int> others = wait.waiting;
            std::erase_if(others,
                          [&](int rank) { return std::ranges::count(verdict.guilty, rank) > 0; });
            parameters["ranks"] = rankList(others);
            parameters["absent"] = rankList(verdict.guilty);
            verdict.waiting = std::move(others);
            verdict.remedy = proof.remedy();
        } else if (!m_hangs->areAllStuck(wait)) {
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

    const std::vector<RankView>& m_ranks;
    const std::int64_t m_nowNs;
    const MismatchedCalls& m_mismatched;
    const WaitLimits m_limits;
    const std::vector<int>& m_circle;
    const std::vector<Wait> m_waits;
    WaitGraph::WaitSet m_said; ///< In a circle, or because of calls that don't fit.
    std::optional<WaitGraph> m_graph;
    std::optional<HangFinder> m_hangs;
    std::vector<const Wait*> m_roots; ///< That have been judged.
    std::vector<VerdictCandidate> m_found;
};

} // namespace

std::vector<VerdictCandidate> judgeWaits(const std::vector<RankView>& ranks, std::int64_t nowNs,
                                         const MismatchedCalls& mismatched,
                                         const WaitLimits& limits, const std::vector<int>& circle)
{
    return Judge(ranks, nowNs, mismatched, limits, circle).judge();
}

std::vector<int> circleOf(const std::vector<VerdictCandidate>& found)
{
    const auto circle = std::ranges::find_if(found, [](const VerdictCandidate& known) {
        return known.verdict.statement.code == code::HangCycle;
    });
    return circle == found.end() ? std::vector<int>{} : circle->verdict.guilty;
}

bool isMereWait(const Verdict& verdict)
{
    return verdict.statement.code == code::RanksWait ||
           verdict.statement.code == code::RanksWaitToMake;
}

bool isOver(const Verdict& verdict)
{
    const Code statement = verdict.statement.code;
    return statement == code::VerdictOver || statement == code::WaitOver ||
           statement == code::MakingOver;
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
