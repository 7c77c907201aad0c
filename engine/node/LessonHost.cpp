#include "engine/node/LessonHost.h"

#include "engine/base/Clock.h"
#include "engine/base/Files.h"
#include "engine/base/LoopCall.h"
#include "engine/base/ProcessSignal.h"
#include "engine/control/LocalSocket.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Faults.h"

#include <csignal>
#include <future>
#include <utility>

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// From the start until somebody follows the run, and after the last one who did.
constexpr auto FirstPatience = 60s;
constexpr auto Patience = 5s;
constexpr size_t LargestProgram = 1U << 20U;
/// How often, and how many times, it is looked whether a signal has come.
constexpr auto SignalLookInterval = 2ms;
constexpr int MostSignalLooks = 1000;

int signalOf(InjectFault::Kind kind)
{
    switch (kind) {
    case InjectFault::Kind::Kill: return SIGKILL;
    case InjectFault::Kind::Pause: return SIGSTOP;
    case InjectFault::Kind::Resume: return SIGCONT;
    case InjectFault::Kind::Delay:
    case InjectFault::Kind::WrongShape:
    case InjectFault::Kind::WrongType:
    case InjectFault::Kind::CorruptData: break;
    }
    return 0;
}

} // namespace

Result<std::unique_ptr<LessonHost>> LessonHost::open(EventLoop& loop, Setting setting)
{
    FileDescriptor listener = RM_TRY(listenLocally(setting.socket));
    RM_TRY(setNonBlocking(listener.get()));
    std::unique_ptr<LessonHost> host(new LessonHost(loop, std::move(setting)));
    host->serve(std::move(listener));
    return host;
}

LessonHost::LessonHost(EventLoop& loop, Setting setting)
    : m_loop(loop), m_setting(std::move(setting))
{
    if (m_setting.endsUnwatched)
        endSoon(FirstPatience);
}

LessonHost::~LessonHost()
{
    callOnLoop(m_thread.loop(), [this] { m_server.reset(); });
    m_thread.stop();
    ::unlink(m_setting.socket.c_str());
}

void LessonHost::serve(FileDescriptor listener)
{
    auto shared = std::make_shared<FileDescriptor>(std::move(listener));
    m_thread.post([this, shared] {
        m_server = std::make_unique<lesson::TracerServer>(
            m_thread.loop(), std::move(*shared),
            lesson::TracerServer::Setting{
                .happened = [this](const LessonStep& step) { happened(step); },
                .tooLong = [this] { tooLong(); }});
        if (!m_setting.options.isHeld)
            m_server->move({.move = MoveLesson::Move::ToEnd});
    });
}

void LessonHost::post(std::function<void(lesson::TracerServer&)> task)
{
    m_thread.post([this, task = std::move(task)] { task(*m_server); });
}

HookPart LessonHost::hookPart() const
{
    return {"tracer",
            m_setting.socket.string() + "\n" + m_setting.options.program.parent_path().string()};
}

LessonStarted LessonHost::started(const JobSpec& spec) const
{
    return {.pack = m_setting.options.pack,
            .program = m_setting.options.program.string(),
            .source = readFile(m_setting.options.program, LargestProgram).value_or(""),
            .backend = spec.backendHint,
            .ranks = spec.roles.front().workers.number,
            .isHeld = m_setting.options.isHeld};
}

void LessonHost::seen(const EventBody& body)
{
    if (const auto* attempt = std::get_if<AttemptStarted>(&body)) {
        m_attempt = attempt->attempt;
        m_ranks = attempt->worldSize;
        m_pids.clear();
        m_stopAwaited.clear();
        // The attempt's workers are started once it is emitted: none comes before the server knows.
        await([attempt](auto& server) {
            server.attemptStarted(attempt->attempt, attempt->worldSize);
        });
    } else if (const auto* worker = std::get_if<WorkerStateChanged>(&body)) {
        if (worker->state == WorkerState::Healthy) {
            m_pids[worker->globalRank] = worker->pid;
            post([rank = worker->globalRank, pid = worker->pid](auto& server) {
                server.workerStarted(rank, pid);
            });
        }
    } else if (const auto* exit = std::get_if<WorkerExited>(&body)) {
        post([rank = exit->globalRank](auto& server) { server.workerExited(rank); });
        flush();
    }
}

/// What was told until `task` was done is emitted when this returns.
void LessonHost::await(const std::function<void(lesson::TracerServer&)>& task)
{
    callOnLoop(m_thread.loop(), [this, &task] { task(*m_server); });
    deliver();
}

/// What the tracers have said so far is emitted when this returns.
void LessonHost::flush()
{
    await([](auto& server) { server.flush(); });
}

void LessonHost::happened(const LessonStep& step)
{
    const std::lock_guard lock(m_mutex);
    m_steps.push_back(step);
    if (m_steps.size() > 1)
        return;
    m_loop.post([this, alive = std::weak_ptr(m_alive)] {
        if (!alive.expired())
            deliver();
    });
}

void LessonHost::deliver()
{
    std::vector<LessonStep> steps;
    {
        const std::lock_guard lock(m_mutex);
        steps.swap(m_steps);
    }
    for (const LessonStep& step : steps)
        m_setting.emit(step);
}

void LessonHost::tooLong()
{
    m_loop.post([this, alive = std::weak_ptr(m_alive)] {
        if (alive.expired())
            return;
        const auto steps = std::to_string(lesson::TracerServer::Setting().mostSteps);
        m_setting.emit(Notice{.severity = Notice::Severity::Error,
                              .message = {code::LessonTooLong, {{"steps", steps}}, {}}});
        m_setting.command(StopRun{});
    });
}

std::optional<Result<void>> LessonHost::execute(const Command& command)
{
    if (const auto* move = std::get_if<MoveLesson>(&command)) {
        m_moves.push_back(*move);
        if (m_killed.empty())
            passMoves();
        return Result<void>();
    }
    if (const auto* fault = std::get_if<InjectFault>(&command))
        return inject(*fault);
    return std::nullopt;
}

Result<void> LessonHost::inject(const InjectFault& fault)
{
    if (const int signal = signalOf(fault.kind); signal != 0)
        return signalWorker(fault, signal);
    std::promise<bool> isArmed;
    post([&](auto& server) { isArmed.set_value(server.inject(fault)); });
    if (!isArmed.get_future().get())
        return fail(code::RankNotTraced, {{"rank", std::to_string(fault.globalRank)}});
    return {};
}

/// What a tracer does on purpose it tells; of a signal it knows nothing.
Result<void> LessonHost::signalWorker(const InjectFault& fault, int signal)
{
    if (fault.globalRank < 0 || fault.globalRank >= m_ranks)
        return fail(code::RankNotTraced, {{"rank", std::to_string(fault.globalRank)}});
    if (fault.kind == InjectFault::Kind::Pause) {
        m_setting.command(SignalWorker{fault.globalRank, signal});
        tellOnceStopped(fault, 0);
        return {};
    }
    if (m_stopAwaited.erase(fault.globalRank) > 0)
        tellFault({.kind = InjectFault::Kind::Pause, .globalRank = fault.globalRank});
    // Before its signal: what comes of a death others tell at once.
    tellFault(fault);
    m_setting.command(SignalWorker{fault.globalRank, signal});
    if (fault.kind == InjectFault::Kind::Kill)
        moveOnceGone(m_pids[fault.globalRank], 0);
    return {};
}

/// The signal takes its time: whoever hears that the rank is paused may let the others go, and
/// itself.
void LessonHost::tellOnceStopped(InjectFault fault, int looks)
{
    const std::string state = statOf(m_pids[fault.globalRank]).substr(0, 2);
    if (looks >= MostSignalLooks || state.empty() || state == " T" || state == " t") {
        m_stopAwaited.erase(fault.globalRank);
        return tellFault(fault);
    }
    m_stopAwaited[fault.globalRank] = m_loop.callAfter(
        SignalLookInterval, [this, fault, looks] { tellOnceStopped(fault, looks + 1); });
}

/// Whoever has read that the rank was killed may move the others, and a move that comes before the
/// signal would let the killed one go on.
void LessonHost::moveOnceGone(pid_t pid, int looks)
{
    const std::string stat = statOf(pid);
    if (looks < MostSignalLooks && !stat.empty() && !isZombie(stat)) {
        m_killed[pid] = m_loop.callAfter(SignalLookInterval,
                                         [this, pid, looks] { moveOnceGone(pid, looks + 1); });
        return;
    }
    m_killed.erase(pid);
    if (!m_killed.empty())
        return;
    post([](auto& server) { server.flush(); }); // The gate hears that it is gone.
    passMoves();
}

void LessonHost::passMoves()
{
    post([moves = std::exchange(m_moves, {})](auto& server) {
        for (const MoveLesson& move : moves)
            server.move(move);
    });
}

void LessonHost::tellFault(const InjectFault& fault)
{
    flush();
    m_setting.emit(LessonStep{.attempt = m_attempt,
                              .globalRank = fault.globalRank,
                              .kind = LessonStep::Kind::Fault,
                              .atNs = SystemClock().now().monotonicNs,
                              .text = std::string(lesson::nameOf(fault.kind))});
}

void LessonHost::watched(bool isWatched)
{
    if (isWatched)
        m_unwatched.cancel();
    else if (m_setting.endsUnwatched)
        endSoon(Patience);
}

void LessonHost::endSoon(std::chrono::seconds patience)
{
    m_unwatched = m_loop.callAfter(patience, [this] {
        m_setting.emit(Notice{.severity = Notice::Severity::Warning,
                              .message = {code::LessonAbandoned, {}, {}}});
        m_setting.command(StopRun{});
    });
}

} // namespace ringmaster
