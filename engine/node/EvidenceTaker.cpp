#include "engine/node/EvidenceTaker.h"

#include "engine/diagnose/PySpyStacks.h"
#include "engine/diagnose/Stack.h"
#include "engine/event/EvidenceFolds.h"
#include "engine/machine/PySpyProgram.h"
#include "engine/node/Codes.h"
#include "engine/node/SystemPlace.h"
#include "engine/worker/Descendants.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace ringmaster {

using namespace std::chrono_literals;
using Process = RankEvidence::Process;
using Source = RankEvidence::Source;

namespace {

constexpr auto WorkerServerPatience = 700ms;
/// Reading the symbols of torch's libraries takes that at least.
constexpr auto ShortestNative = 300ms;
constexpr size_t MostOfPySpy = 4U << 20U;
constexpr size_t MostNative = 4;

size_t mostAtOnce()
{
    constexpr size_t Few = 4;
    return std::max<size_t>(Few, std::thread::hardware_concurrency());
}

/// Looked at with a stop, it would write less than it was to, and go on.
bool isWriting(const RankEvidence& rank)
{
    return rank.systemCall.starts_with("write") || rank.systemCall.starts_with("pwrite") ||
           rank.systemCall.starts_with("send");
}

Message problemOf(const ChildCommand::Outcome& outcome)
{
    constexpr size_t Longest = 200;
    if (outcome.wasTooSlow)
        return {code::NoStackSlow, {}, {}};
    if (isPySpyRefused(outcome.error))
        return {code::NoStackRefused, {}, {}};
    std::string reason = outcome.error.substr(0, std::min(Longest, outcome.error.find('\n')));
    return {code::NoStackFailed, {{"reason", std::move(reason)}}, {}};
}

std::vector<ThreadStack> threadsOf(const diagnose::Stack& stack)
{
    ThreadStack thread{.name = "MainThread", .isMain = true};
    for (const auto& frame : stack.frames)
        thread.frames.push_back({frame.function, frame.file, frame.line});
    return {std::move(thread)};
}

} // namespace

EvidenceTaker::EvidenceTaker(EventLoop& loop, Request request, Done done)
    : m_loop(loop), m_request(std::move(request)), m_done(std::move(done))
{
    for (Target& target : m_request.targets) {
        Look& look = m_looks.emplace_back();
        look.target = std::move(target);
        m_waiting.push_back(&look);
    }
    m_step = m_loop.callAfter(0s, [this] { startSome(); });
    m_limit = m_loop.callAfter(m_request.patience, [this] { timeIsUp(); });
}

EvidenceTaker::~EvidenceTaker() = default;

std::chrono::milliseconds EvidenceTaker::left() const
{
    const auto passed =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_began);
    return std::max(m_request.patience - passed, 0ms);
}

size_t EvidenceTaker::underWay() const
{
    return static_cast<size_t>(
        std::ranges::count_if(m_looks, [](const Look& look) { return look.child || look.server; }));
}

/// A pid that a program tells may be of another namespace, or anybody's.
void EvidenceTaker::identify(Look& look)
{
    Target& target = look.target;
    const auto below = [&] {
        return std::ranges::count(descendantsOf(target.launched), target.pid, &ProcessRow::pid) > 0;
    };
    if (target.pid == 0 || (target.pid != target.launched && !below()))
        target.pid = target.launched;
    look.found.globalRank = target.rank;
    look.found.pid = target.pid;
    look.found.operation = target.operation;
    readSystemPlace(target.pid, look.found);
}

void EvidenceTaker::startSome()
{
    while (!m_waiting.empty() && underWay() < mostAtOnce()) {
        Look& next = *m_waiting.front();
        m_waiting.pop_front();
        m_isNativePhase ? beginNative(next) : begin(next);
    }
    if (!m_waiting.empty() || underWay() > 0)
        return;
    if (m_isNativePhase || m_request.depth == Depth::Python)
        return finish();
    m_isNativePhase = true;
    chooseNative();
    startSome();
}

void EvidenceTaker::begin(Look& look)
{
    identify(look);
    look.pySpy = pySpyFor(look.target.pid);
    if (look.pySpy.empty()) {
        look.found.problem = {code::NoStackNoReader, {}, {}};
        return askServer(look);
    }
    auto child = ChildCommand::start(
        m_loop,
        {.arguments = {look.pySpy, "dump", "--nonblocking", "--json", "--pid",
                       std::to_string(look.target.pid)},
         .patience = left(),
         .mostOutput = MostOfPySpy},
        [this, &look](const ChildCommand::Outcome& outcome) { pySpyEnded(look, outcome); });
    if (child) {
        look.child = *std::move(child);
        return;
    }
    look.found.problem = {code::NoStackFailed, {{"reason", describe(child.error())}}, {}};
    askServer(look);
}

void EvidenceTaker::pySpyEnded(Look& look, const ChildCommand::Outcome& outcome)
{
    look.child.reset();
    auto threads = outcome.exitCode == 0 ? diagnose::readPySpyJson(outcome.output) : std::nullopt;
    if (threads) {
        look.found.threads = *std::move(threads);
        look.found.source = Source::PySpy;
        return over(look);
    }
    look.found.problem = problemOf(outcome);
    askServer(look);
}

void EvidenceTaker::askServer(Look& look)
{
    const bool canAnswer =
        look.found.process != Process::Stopped && look.found.process != Process::Ended;
    look.server = std::make_unique<WorkerServerRequest>(
        m_loop, std::min(WorkerServerPatience, left()),
        [this, &look](const std::optional<std::string>& text) { serverAnswered(look, text); });
    if (!canAnswer || !look.server->start(look.target.server)) {
        look.server.reset();
        over(look);
    }
}

void EvidenceTaker::serverAnswered(Look& look, const std::optional<std::string>& text)
{
    const auto stack = text ? diagnose::readPythonStack(*text) : std::nullopt;
    if (stack && !stack->frames.empty()) {
        look.found.threads = threadsOf(*stack);
        look.found.source = Source::WorkerServer;
        look.found.problem = {};
    }
    // It is still on the stack here.
    m_loop.post([ended = std::shared_ptr<WorkerServerRequest>(std::move(look.server))] {});
    over(look);
}

void EvidenceTaker::over(Look& look)
{
    look.isOver = true;
    m_step = m_loop.callAfter(0s, [this] { startSome(); });
}

/// One of each place, the rarest first: where one rank stands apart, it is the one to see.
void EvidenceTaker::chooseNative()
{
    if (left() < ShortestNative)
        return;
    Evidence evidence;
    for (const Look& look : m_looks)
        evidence.ranks.push_back(look.found);
    std::vector<EvidenceFold> folds = foldsOf(evidence);
    std::ranges::stable_sort(folds, {}, [](const EvidenceFold& fold) { return fold.ranks.size(); });
    for (const EvidenceFold& fold : folds) {
        const auto found = std::ranges::find_if(
            m_looks, [&](const Look& look) { return look.found.globalRank == fold.ranks.front(); });
        const bool mayBe = found != m_looks.end() && !found->pySpy.empty() &&
                           (found->found.process == Process::Running ||
                            found->found.process == Process::Waiting) &&
                           !isWriting(found->found);
        if (mayBe && m_waiting.size() < MostNative)
            m_waiting.push_back(&*found);
    }
}

void EvidenceTaker::beginNative(Look& look)
{
    auto child = ChildCommand::start(
        m_loop,
        {.arguments = {look.pySpy, "dump", "--native", "--json", "--pid",
                       std::to_string(look.target.pid)},
         .patience = m_request.patience,
         .mostOutput = MostOfPySpy},
        [this, &look](const ChildCommand::Outcome& outcome) { nativeEnded(look, outcome); });
    if (!child)
        return;
    look.child = *std::move(child);
}

void EvidenceTaker::nativeEnded(Look& look, const ChildCommand::Outcome& outcome)
{
    look.child.reset();
    if (auto threads =
            outcome.exitCode == 0 ? diagnose::readPySpyJson(outcome.output) : std::nullopt)
        look.found.nativeThreads = *std::move(threads);
    m_step = m_loop.callAfter(0s, [this] { startSome(); });
}

void EvidenceTaker::timeIsUp()
{
    for (Look& look : m_looks) {
        look.child.reset();
        look.server.reset();
        if (!look.isOver && look.found.pid == 0)
            identify(look);
        if (!look.isOver)
            look.found.problem = {code::NoStackSlow, {}, {}};
    }
    finish();
}

void EvidenceTaker::finish()
{
    m_limit.cancel();
    Evidence evidence{.tookNs = std::chrono::nanoseconds(Clock::now() - m_began).count()};
    for (Look& look : m_looks)
        evidence.ranks.push_back(std::move(look.found));
    limitEvidence(evidence);
    auto tell = [done = std::exchange(m_done, nullptr), evidence = std::move(evidence)]() mutable {
        done(std::move(evidence));
    };
    // Not posted: what is posted comes after this is destroyed, too.
    m_step = m_loop.callAfter(0s, std::move(tell));
}

} // namespace ringmaster
