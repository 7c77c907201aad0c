#include "engine/node/EvidenceRecorder.h"

#include "engine/agent/Codes.h"
#include "engine/base/Clock.h"
#include "engine/base/Log.h"
#include "engine/base/LoopCall.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Whoever reads the ledgers may be busy; on a machine with too much to do for a while.
constexpr std::chrono::milliseconds LedgerPatience = 1500ms;
/// After a crash nothing is looked at before it is known who was waited for.
constexpr std::chrono::milliseconds AfterACrash = 2500ms;

constexpr std::int64_t LeastWaitNs = std::chrono::nanoseconds(EvidenceRecorder::LeastWait).count();

using SteadyClock = std::chrono::steady_clock;

/// All of it together, where ranks are to be ended: within AgentOptions::lookPatience …
constexpr auto BeforeAnEnd = 3s;
/// … and where nobody waits but who asks.
constexpr auto WhenAsked = 5s;

std::chrono::milliseconds leftOf(std::chrono::seconds altogether, SteadyClock::time_point began)
{
    return altogether -
           std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - began);
}

bool isFailureHere(const Message& why)
{
    return why.code == code::WorkerFailed || why.code == code::KeeperLost;
}

/// After a crash only who was waited for is worth a moment; otherwise whoever does nothing is.
bool isWorthIt(const std::vector<RankStanding>& standings, const Message& why)
{
    return std::ranges::any_of(standings, [&](const RankStanding& rank) {
        return rank.waitedNs >= LeastWaitNs || rank.isStopped ||
               (!isFailureHere(why) && rank.idleNs >= LeastWaitNs);
    });
}

} // namespace

EvidenceRecorder::~EvidenceRecorder()
{
    if (!m_thread)
        return;
    // They belong to the loop, which goes before them.
    callOnLoop(m_thread->loop(), [this] { m_takers.clear(); });
    m_thread->stop();
}

void EvidenceRecorder::happened(const EventBody& body)
{
    if (const auto* attempt = std::get_if<AttemptStarted>(&body)) {
        m_attempt = attempt->attempt;
        m_pids.clear();
        m_hasTaken = false;
    }
    const auto* worker = std::get_if<WorkerStateChanged>(&body);
    if (worker == nullptr)
        return;
    if (worker->state == WorkerState::Healthy && worker->pid > 0)
        m_pids[worker->globalRank] = worker->pid;
    else
        m_pids.erase(worker->globalRank);
}

void EvidenceRecorder::examine(const Message& why, Agent::Ending ending, std::function<void()> done)
{
    if (m_pids.empty() || m_hasTaken)
        return done();
    const bool isCrash = ending == Agent::Ending::Asked && isFailureHere(why);
    const auto look = [this, why, ending, isCrash, began = SteadyClock::now(),
                       done = std::move(done)](const std::optional<Standings>& standings) {
        if (standings ? ending == Agent::Ending::Asked && !isWorthIt(*standings, why) : isCrash)
            return done();
        start(standings.value_or(Standings{}),
              {.depth = EvidenceTaker::Depth::Native, .patience = leftOf(BeforeAnEnd, began)},
              [this, why, done, attempt = m_attempt](Evidence evidence) {
                  evidence.attempt = attempt;
                  evidence.reason = why;
                  m_hasTaken = attempt == m_attempt;
                  if (!evidence.ranks.empty())
                      m_setting.keep(evidence);
                  done();
              });
    };
    learn(isCrash ? AfterACrash : LedgerPatience, look);
}

void EvidenceRecorder::take(std::function<void(KeptEvidence)> answer)
{
    m_askers.push_back(std::move(answer));
    if (m_askers.size() > 1)
        return; // they get what is under way
    const Moment at = SystemClock().now();
    const auto look = [this, at,
                       began = SteadyClock::now()](const std::optional<Standings>& standings) {
        start(standings.value_or(Standings{}),
              {.depth = EvidenceTaker::Depth::Python, .patience = leftOf(WhenAsked, began)},
              [this, at, attempt = m_attempt](Evidence evidence) {
                  evidence.attempt = attempt;
                  for (const auto& asker : std::exchange(m_askers, {}))
                      asker({at, evidence});
              });
    };
    learn(LedgerPatience, look);
}

/// Asks those who read the ledgers. Nothing is known of any rank where nobody reads one; whether
/// one has waited isn't known where they don't answer in time.
void EvidenceRecorder::learn(std::chrono::milliseconds patience,
                             std::function<void(std::optional<Standings>)> then)
{
    struct Question
    {
        std::function<void(std::optional<Standings>)> then{};
        EventLoop::Registration limit{};
    };
    const auto question = std::make_shared<Question>(Question{std::move(then), {}});
    const auto answered = [question](std::optional<Standings> standings) {
        question->limit = {};
        if (const auto call = std::exchange(question->then, nullptr))
            call(std::move(standings));
    };
    if (m_setting.ledgers == nullptr)
        return answered(Standings{});
    const std::weak_ptr alive = m_alive;
    question->limit = m_setting.loop.callAfter(patience, [alive, answered] {
        if (alive.lock())
            answered(std::nullopt);
    });
    m_setting.ledgers->describeRanks(
        [&loop = m_setting.loop, alive, answered](Standings standings) {
            loop.post([alive, answered, standings = std::move(standings)]() mutable {
                if (alive.lock())
                    answered(std::move(standings));
            });
        });
}

bool EvidenceRecorder::hasThread()
{
    if (m_thread)
        return true;
    try {
        m_thread = std::make_unique<LoopThread>("rm-evidence");
    } catch (const std::system_error& error) {
        log::warning("node", std::string("no evidence is taken: ") + error.what());
    }
    return m_thread != nullptr;
}

void EvidenceRecorder::start(const Standings& standings, EvidenceTaker::Request request,
                             std::function<void(Evidence)> then)
{
    for (const auto& [rank, pid] : m_pids) {
        EvidenceTaker::Target target{.rank = rank, .launched = pid};
        const auto known = std::ranges::find(standings, rank, &RankStanding::rank);
        if (known != standings.end()) {
            target.pid = known->pid;
            target.server = known->server;
            target.operation = known->operation;
        }
        request.targets.push_back(std::move(target));
    }
    if (request.targets.empty() || !hasThread())
        return then({});
    m_thread->post([this, request = std::move(request), then = std::move(then)] {
        const auto place = m_takers.emplace(m_takers.end());
        *place = std::make_unique<EvidenceTaker>(
            m_thread->loop(), request,
            [this, place, then, alive = std::weak_ptr(m_alive)](Evidence evidence) {
                m_setting.loop.post([alive, then, evidence = std::move(evidence)]() mutable {
                    if (alive.lock())
                        then(std::move(evidence));
                });
                m_takers.erase(place);
            });
    });
}

} // namespace ringmaster
