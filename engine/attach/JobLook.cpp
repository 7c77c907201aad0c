#include "engine/attach/JobLook.h"

#include "engine/attach/Codes.h"
#include "engine/attach/TrainingThread.h"
#include "engine/base/ChildCommand.h"
#include "engine/base/Clock.h"
#include "engine/base/EnvironmentText.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/PySpyStacks.h"
#include "engine/machine/ProcessWaitReader.h"
#include "engine/machine/PySpyProgram.h"
#include "engine/text/RankList.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;
using diagnose::ProcessView;
using diagnose::Stack;

namespace {

constexpr auto ReaderPatience = 3s;
constexpr auto RasPatience = 4s;
constexpr size_t MostOutput = 4U << 20U;
constexpr double IdleShare = 0.03; ///< Who waits still wakes up now and then.

ProcessView::State viewedStateOf(const ProcessIdentity& process)
{
    if (!isAlive(process))
        return ProcessView::State::Dead;
    const char letter = stateOf(process.pid);
    return letter == 'T' || letter == 't' ? ProcessView::State::Stopped : ProcessView::State::Alive;
}

/// By the environment of a rank; nothing where that can't be read.
std::optional<diagnose::NcclRasAddress> rasAddressOf(pid_t pid)
{
    const auto environment = readFile("/proc/" + std::to_string(pid) + "/environ");
    if (!environment)
        return std::nullopt;
    const auto valueOf = [&](std::string_view name) {
        const std::vector<std::string> values = valuesIn(*environment, name);
        return values.empty() ? std::string() : values.front();
    };
    return diagnose::ncclRasAddressOf(valueOf("NCCL_RAS_ENABLE"), valueOf("NCCL_RAS_ADDR"));
}

Message problemOf(const ChildCommand::Outcome& outcome)
{
    if (outcome.wasTooSlow)
        return {code::ForeignStackNoAnswer, {}, {}};
    if (isPySpyRefused(outcome.error))
        return {code::ForeignStackRefused, {}, {}};
    constexpr size_t LongestReason = 200;
    return {code::ForeignStackFailed, {{"reason", outcome.error.substr(0, LongestReason)}}, {}};
}

/// A process that is ending answers with nothing.
std::optional<Stack> stackIn(const std::string& text, pid_t pid, const std::string& thread)
{
    std::optional<Stack> stack = diagnose::readPySpyStack(text, pid, thread);
    if (stack && stack->frames.empty())
        stack.reset();
    return stack;
}

} // namespace

struct JobLook::Watched
{
    ForeignRank rank{};
    ProcessWaitReader waits{};
    std::int64_t firstCpuNs = 0;
    std::string firstText{}; ///< py-spy's.
    std::string text{};      ///< At the second look.
    bool isRead = false;     ///< Or it couldn't be, then.
    SeenRank seen{};

    void placeIn(const std::string& thread, std::int64_t firstNs, std::int64_t secondNs);
    std::unique_ptr<ChildCommand> reader{};
};

bool SeenJob::isRecorded() const
{
    return std::ranges::any_of(ranks, &SeenRank::isRecorded);
}

Message SeenJob::source() const
{
    if (!isRecorded())
        return {code::ForeignJobSeen, {}, {}};
    std::vector<int> silent;
    for (const SeenRank& rank : ranks)
        if (!rank.isRecorded)
            silent.push_back(rank.view.rank);
    if (silent.empty())
        return {code::ForeignJobRecorded, {}, {}};
    return {code::ForeignJobRecordedInPart, {{"ranks", rankList(silent)}}, {}};
}

JobLook::JobLook(const ForeignJob& job, std::chrono::milliseconds apart)
    : m_apart(apart), m_ledgers(job)
{
    for (const ForeignRank& rank : job.ranks) {
        auto watched = std::make_unique<Watched>();
        watched->rank = rank;
        watched->seen.view.rank = rank.rank;
        watched->seen.view.process.pid = rank.process.pid;
        m_ranks.push_back(std::move(watched));
    }
    m_ras.emplace(m_loop, m_ranks.empty() ? std::nullopt : rasAddressOf(pids().front()),
                  RasPatience, [this] { rasAnswered(); });
}

JobLook::~JobLook() = default;

std::vector<pid_t> JobLook::pids() const
{
    std::vector<pid_t> all;
    for (const auto& watched : m_ranks)
        all.push_back(watched->rank.process.pid);
    return all;
}

void JobLook::askRas()
{
    if (!m_ras->isAsking() && m_ras->askOf(pids()))
        ++m_rasAsked;
}

void JobLook::rasAnswered()
{
    // The second look hasn't waited for the first answer.
    if (m_secondNs != 0 && m_rasAsked == 1)
        askRas();
    stopWhenDone();
}

void JobLook::stopWhenDone()
{
    if (m_secondNs != 0 && m_toRead.empty() && m_underWay == 0 && !m_ras->isAsking())
        m_loop.stop();
}

SeenJob JobLook::take()
{
    m_firstNs = SystemClock().now().monotonicNs;
    look();
    m_again = m_loop.callAfter(m_apart, [this] {
        m_isSecondDue = true;
        lookAgain();
    });
    m_loop.run();
    SeenJob seen{.at = SystemClock().now(), .spanNs = m_secondNs - m_firstNs};
    placeRanks();
    for (const auto& watched : m_ranks) {
        watched->seen.view.process.nccl = m_ras->membersOf(watched->rank.process.pid);
        seen.ranks.push_back(std::move(watched->seen));
    }
    if (!m_ledgers.isEmpty())
        judge(seen);
    return seen;
}

/// Not before the first look is over: on a busy machine py-spy may take longer than lies between.
void JobLook::lookAgain()
{
    if (!m_isSecondDue || m_underWay > 0 || !m_toRead.empty())
        return;
    m_isSecondDue = false;
    // Not from within the answer of a reader, whose place is taken then.
    m_again = m_loop.callAfter(std::chrono::milliseconds(0), [this] {
        readDevices();
        m_secondNs = SystemClock().now().monotonicNs;
        look();
    });
}

void JobLook::judge(SeenJob& seen)
{
    m_ledgers.read();
    const std::int64_t nowNs = SystemClock().now().monotonicNs;
    std::vector<diagnose::RankView> views;
    for (SeenRank& rank : seen.ranks) {
        if (const RankLedger* ledger = m_ledgers.of(rank.view.rank)) {
            rank.isRecorded = true;
            rank.operation = diagnose::operationOf(ledger->track(), nowNs);
        }
        views.push_back(rank.view);
        // Only for as long as it has been looked at.
        if (views.back().process.cpuShare <= IdleShare)
            views.back().process.idleNs = seen.spanNs;
    }
    seen.verdicts = m_ledgers.judge(std::move(views), nowNs);
}

void JobLook::look()
{
    const bool isFirst = m_secondNs == 0;
    const std::int64_t nowNs = isFirst ? m_firstNs : m_secondNs;
    for (const auto& watched : m_ranks) {
        const pid_t pid = watched->rank.process.pid;
        ProcessView& process = watched->seen.view.process;
        process.state = viewedStateOf(watched->rank.process);
        if (process.state == ProcessView::State::Dead)
            continue;
        process.wait = watched->waits.look(pid, nowNs);
        const ProcessUsage usage = usageOf(pid).value_or(ProcessUsage{});
        watched->seen.memoryBytes = usage.residentBytes;
        if (isFirst)
            watched->firstCpuNs = usage.cpuNs;
        else if (nowNs > m_firstNs)
            process.cpuShare = static_cast<double>(usage.cpuNs - watched->firstCpuNs) /
                               static_cast<double>(nowNs - m_firstNs);
        m_toRead.push_back(watched.get());
    }
    askRas();
    readStacks();
}

void JobLook::readDevices()
{
    const auto held = heldDevices();
    for (const auto& watched : m_ranks)
        if (const auto known = held.find(watched->rank.process.pid); known != held.end())
            watched->seen.devices = known->second;
}

void JobLook::readStacks()
{
    while (!m_toRead.empty() && m_underWay < MostAtOnce) {
        Watched& watched = *m_toRead.back();
        m_toRead.pop_back();
        const pid_t pid = watched.rank.process.pid;
        const std::string program = pySpyFor(pid);
        if (program.empty()) {
            stackRead(watched, {}, {code::ForeignStackNoReader, {}, {}});
            continue;
        }
        ++m_underWay;
        auto reader = ChildCommand::start(m_loop,
                                          {.arguments = {program, "dump", "--nonblocking", "--json",
                                                         "--pid", std::to_string(pid)},
                                           .patience = ReaderPatience,
                                           .mostOutput = MostOutput},
                                          [this, &watched](const ChildCommand::Outcome& outcome) {
                                              --m_underWay;
                                              const bool isRead =
                                                  outcome.exitCode == 0 && !outcome.wasTooSlow;
                                              stackRead(watched, isRead ? outcome.output : "",
                                                        isRead ? Message{} : problemOf(outcome));
                                              readStacks();
                                          });
        if (!reader) {
            --m_underWay;
            stackRead(watched, {},
                      {code::ForeignStackFailed, {{"reason", describe(reader.error())}}, {}});
            continue;
        }
        watched.reader = *std::move(reader);
    }
    lookAgain();
    stopWhenDone();
}

void JobLook::stackRead(Watched& watched, std::string text, Message problem)
{
    if (m_secondNs == 0) {
        watched.firstText = std::move(text);
        return;
    }
    watched.text = std::move(text);
    watched.isRead = true;
    watched.seen.view.process.noStack = std::move(problem);
}

void JobLook::placeRanks()
{
    std::vector<std::vector<ThreadStack>> threads;
    for (const auto& watched : m_ranks) {
        watched->seen.threads =
            diagnose::readPySpyJson(watched->text).value_or(std::vector<ThreadStack>());
        threads.push_back(watched->seen.threads);
    }
    const std::string thread = trainingThreadOf(threads);
    for (const auto& watched : m_ranks)
        if (watched->isRead)
            watched->placeIn(thread, m_firstNs, m_secondNs);
}

void JobLook::Watched::placeIn(const std::string& thread, std::int64_t firstNs,
                               std::int64_t secondNs)
{
    const pid_t pid = rank.process.pid;
    const std::optional<Stack> first = stackIn(firstText, pid, thread);
    ProcessView& process = seen.view.process;
    process.stack = stackIn(text, pid, thread);
    if (!process.stack && process.noStack.code == code::None)
        process.noStack = {code::ForeignStackFailed, {{"reason", "py-spy tells of no call."}}, {}};
    if (process.noStack.code != code::None)
        process.noStack.parameters.emplace("rank", std::to_string(rank.rank));
    if (!process.stack)
        return;
    seen.hasMoved = first && process.stack->frames != first->frames;
    process.stack->takenNs = secondNs;
    process.stack->sameSinceNs = first && !seen.hasMoved ? firstNs : secondNs;
}

} // namespace ringmaster
