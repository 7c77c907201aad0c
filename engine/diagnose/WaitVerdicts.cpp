#include "engine/diagnose/WaitVerdicts.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
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
               rankList(wait.waiting) + "/" + std::to_string(wait.operation.peer);
    return key;
}

/// All that may be said of a wait; each statement takes what it names.
Parameters parametersOf(const Wait& wait, std::int64_t nowNs)
{
    Parameters parameters = namesOf(wait.operation, wait.group);
    parameters["ranks"] = rankList(wait.waiting);
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

/// One look's judgement, wait by wait.
class Judge
{
public:
    Judge(const std::vector<RankView>& ranks, std::int64_t nowNs, const WaitLimits& limits)
        : m_ranks(ranks)
        , m_nowNs(nowNs)
        , m_limits(limits)
        , m_waits(findWaits(ranks, nowNs, limits.waiting))
    {
    }

    std::vector<VerdictCandidate> judge()
    {
        findCircle();
        for (const Wait& wait : m_waits) {
            for (const int rank : wait.waiting) {
                if (!wait.absent.empty())
                    m_waitingFor[rank].push_back(&wait);
            }
        }
        for (const Wait& wait : m_waits) {
            if (wait.absent.empty())
                judgeInside(wait);
            else if (m_inCircle.contains(&wait) || isConsequence(wait))
                m_found.push_back({.key = keyOf(wait), .isSaidElsewhere = true});
            else
                judgeAbsence(wait);
        }
        return std::move(m_found);
    }

private:
    void findCircle()
    {
        const std::vector<WaitEdge> cycle = findCycle(m_waits, m_ranks, m_limits.idle);
        if (cycle.empty())
            return;
        std::vector<int> members;
        Verdict verdict{.kind = Verdict::Kind::Hang, .remedy = {code::RemedySameOrder, {}, {}}};
        for (const WaitEdge& edge : cycle) {
            members.push_back(edge.waiting);
            m_inCircle.insert(edge.wait);
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

    bool leadsToRoot(int rank, std::set<int>& ways) const
    {
        if (!ways.insert(rank).second)
            return false;
        for (const Wait* wait : m_waitingFor.at(rank)) {
            if (m_inCircle.contains(wait))
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
                if (said.contains(&wait) || m_inCircle.contains(&wait) ||
                    std::ranges::count(wait.absent, reached[i]) == 0 || !isConsequence(wait))
                    continue;
                said.insert(&wait);
                Parameters parameters = parametersOf(wait, m_nowNs);
                parameters["absent"] = ranksPhrase(wait.absent);
                verdict.evidence.push_back({code::AlsoWait, std::move(parameters), {}});
                reached.insert(reached.end(), wait.waiting.begin(), wait.waiting.end());
            }
        }
    }

    /// Who of them can't come, or go on, and the code that says so.
    struct Proof
    {
        const RankView* view = nullptr;
        Code code = code::None;
    };

    Proof proofOf(const std::vector<int>& of, Code dead, Code stopped) const
    {
        for (const int rank : of) {
            const RankView* view = viewOf(m_ranks, rank);
            if (view != nullptr && view->process.state == State::Dead)
                return {view, dead};
            if (view != nullptr && view->process.state == State::Stopped)
                return {view, stopped};
        }
        return {};
    }

    Proof idleOf(const Wait& wait) const
    {
        for (const int rank : wait.absent) {
            const RankView* view = viewOf(m_ranks, rank);
            if (view == nullptr || view->process.state != State::Alive || waitsItself(rank))
                continue;
            const std::int64_t usual = view->track->usualPauseNs(wait.group);
            if (stuckNs(view->process) >=
                std::max<std::int64_t>(m_limits.stuck.count(), m_limits.timesUsual * usual))
                return {view, code::HangIdle};
        }
        return {};
    }

    void judgeAbsence(const Wait& wait)
    {
        Verdict verdict{.guilty = wait.absent, .sinceNs = wait.sinceNs};
        std::erase_if(verdict.guilty, [&](int rank) { return waitsItself(rank); });
        if (verdict.guilty.empty())
            verdict.guilty = wait.absent; // who knows what they will do
        Parameters parameters = parametersOf(wait, m_nowNs);
        Proof proof = proofOf(wait.absent, code::HangDead, code::HangStopped);
        if (proof.view == nullptr)
            proof = idleOf(wait);
        if (proof.view != nullptr) {
            verdict.kind = Verdict::Kind::Hang;
            verdict.guilty = {proof.view->rank};
            parameters["absent"] = std::to_string(proof.view->rank);
            verdict.statement = {proof.code, std::move(parameters), {}};
            verdict.remedy = remedyOf(proof);
        } else {
            parameters["absent"] = ranksPhrase(wait.absent);
            verdict.statement = {code::RanksWait, std::move(parameters), {}};
        }
        verdict.evidence =
            evidenceOf(proof.view != nullptr ? verdict.guilty : wait.absent, m_ranks, m_nowNs);
        for (Message& call : callsOf(wait.waiting, m_ranks, wait.group, wait.operation))
            verdict.evidence.push_back(std::move(call));
        addConsequences(verdict, wait);
        m_found.push_back({.key = keyOf(wait), .verdict = std::move(verdict), .wait = wait});
    }

    static Message remedyOf(const Proof& proof)
    {
        const Parameters process{{"rank", std::to_string(proof.view->rank)},
                                 {"pid", std::to_string(proof.view->process.pid)}};
        if (proof.view->process.state == State::Stopped)
            return {code::RemedyResume, process, {}};
        if (proof.view->process.state == State::Dead)
            return {code::RemedyDead, process, {}};
        return {code::RemedyLookInside, process, {}};
    }

    /// All have entered it: it is a hang where one of them can't go on, or none does anything.
    void judgeInside(const Wait& wait)
    {
        Parameters parameters = parametersOf(wait, m_nowNs);
        Verdict verdict{.kind = Verdict::Kind::Hang, .sinceNs = wait.sinceNs};
        const Proof proof = proofOf(wait.waiting, code::HangDeadInside, code::HangStoppedInside);
        if (proof.view != nullptr) {
            verdict.guilty = {proof.view->rank};
            std::vector<int> others = wait.waiting;
            std::erase(others, proof.view->rank);
            parameters["ranks"] = rankList(others);
            parameters["absent"] = std::to_string(proof.view->rank);
            verdict.remedy = remedyOf(proof);
        } else if (!areAllStuck(wait)) {
            return;
        } else {
            verdict.isSure = false;
            verdict.remedy = {code::RemedyNetworkInside, {}, {}};
        }
        verdict.statement = {
            proof.view != nullptr ? proof.code : code::HangInside, std::move(parameters), {}};
        verdict.evidence =
            evidenceOf(proof.view != nullptr ? verdict.guilty : wait.waiting, m_ranks, m_nowNs);
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
    const WaitLimits m_limits;
    const std::vector<Wait> m_waits;
    std::map<int, std::vector<const Wait*>> m_waitingFor; ///< By rank; of those that miss somebody.
    std::set<const Wait*> m_inCircle;
    std::vector<VerdictCandidate> m_found;
};

} // namespace

std::vector<VerdictCandidate> judgeWaits(const std::vector<RankView>& ranks, std::int64_t nowNs,
                                         const WaitLimits& limits)
{
    return Judge(ranks, nowNs, limits).judge();
}

Message overStatement(const Verdict& verdict, std::int64_t nowNs)
{
    if (verdict.sinceNs == 0 || verdict.statement.code == code::HangCycle)
        return {code::VerdictOver, {}, {}};
    Parameters parameters = verdict.statement.parameters;
    parameters.erase("since");
    parameters["seconds"] = secondsPassed(nowNs - verdict.sinceNs);
    return {code::WaitOver, std::move(parameters), {}};
}

} // namespace ringmaster::diagnose
