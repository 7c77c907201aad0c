#include "engine/agent/GroupTermination.h"

#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/base/SignalName.h"
#include "engine/event/Codes.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

template <class Duration>
std::string secondsOf(Duration time)
{
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

} // namespace

GroupTermination::GroupTermination(const JobSpec& spec, const AgentOptions& options, Parts parts)
    : m_spec(spec)
    , m_options(options)
    , m_parts(std::move(parts))
    , m_examination(m_parts.loop, std::move(m_parts.examine))
{
}

void GroupTermination::begin(const Request& request, bool isOpening)
{
    m_request = request;
    m_isOpening = isOpening;
    m_lookedFor = {};
    m_killedAt.reset();
    examine(Ending::Asked, [this] { signalFirst(); });
}

void GroupTermination::repeat(const Request& request)
{
    const int before = std::exchange(m_request, request).signal;
    // Who saves already must not be told twice.
    if (before != request.signal && !m_examination.isOn())
        signalGroup();
}

void GroupTermination::workerStarted(Worker& worker)
{
    if (!m_examination.isOn())
        signalWorker(worker);
}

void GroupTermination::examine(Ending ending, const std::function<void()>& then)
{
    m_timer.cancel();
    if (std::ranges::none_of(m_parts.group.workers(), &Worker::isRunning))
        return then();
    const auto patience =
        std::max(m_options.lookPatience - m_lookedFor, std::chrono::nanoseconds{});
    m_examination.begin(m_request.why, ending, patience,
                        [this, then, patience, began = m_parts.clock.now()] {
                            m_lookedFor += std::min(since(began), patience);
                            then();
                        });
}

std::chrono::nanoseconds GroupTermination::since(const Moment& moment) const
{
    return std::chrono::nanoseconds(m_parts.clock.now().monotonicNs - moment.monotonicNs);
}

void GroupTermination::signalFirst()
{
    signalGroup();
    tellGrace();
    m_timer = m_parts.loop.callAfter(m_spec.restart.grace, [this] { graceIsOver(); });
    m_hint = m_parts.loop.callAfter(m_options.hintPatience, [this] { tellWhoStillRuns(); });
    if (!m_isOpening && m_parts.group.isGone())
        m_parts.graceEnded();
}

/// A look may have come first: only from now on it counts.
void GroupTermination::tellGrace()
{
    std::vector<int> asked;
    for (const Worker& worker : m_parts.group.workers()) {
        if (worker.isRunning() || worker.hasSession)
            asked.push_back(worker.assignment.globalRank);
    }
    if (asked.empty())
        return;
    m_parts.emitter.notice(Notice::Severity::Info, -1,
                           {.code = code::WorkersAskedToEnd,
                            .parameters = {{"ranks", rankList(asked)},
                                           {"grace", secondsOf(m_spec.restart.grace)},
                                           {"signal", signalName(m_request.signal)}}});
}

void GroupTermination::signalGroup()
{
    for (Worker& worker : m_parts.group.workers())
        if (worker.isRunning())
            signalWorker(worker);
}

void GroupTermination::signalWorker(Worker& worker)
{
    worker.wasAsked = true;
    m_parts.emitter.warn("Sending process " + std::to_string(worker.pid) + " closing signal " +
                         signalName(m_request.signal));
    m_parts.processes.stop(worker.assignment.localRank, m_request.signal);
}

/// Whoever has asked for the end may want it sooner.
void GroupTermination::tellWhoStillRuns()
{
    std::vector<int> running;
    for (const Worker& worker : m_parts.group.workers()) {
        if (worker.isRunning())
            running.push_back(worker.assignment.globalRank);
    }
    if (!m_request.isByUser || running.empty())
        return;
    m_parts.emitter.notice(Notice::Severity::Warning, -1,
                           {.code = code::WorkersStillRun,
                            .parameters = {{"ranks", rankList(running)},
                                           {"seconds", secondsOf(m_options.hintPatience)},
                                           {"grace", secondsOf(m_spec.restart.grace)},
                                           {"signal", signalName(m_request.signal)}}});
}

void GroupTermination::graceIsOver()
{
    if (m_isOpening)
        return;
    for (const Worker& worker : m_parts.group.workers()) {
        if (!worker.isRunning())
            continue;
        m_parts.emitter.warn("Unable to shutdown process " + std::to_string(worker.pid) + " via " +
                             std::to_string(m_request.signal) + ", forcefully exiting via 9");
        m_parts.emitter.notice(
            Notice::Severity::Warning, worker.assignment.globalRank,
            {.code = code::WorkerIgnoresSignal,
             .parameters = {{"rank", std::to_string(worker.assignment.globalRank)},
                            {"seconds", secondsOf(m_spec.restart.grace)},
                            {"signal", signalName(m_request.signal)}}});
    }
    examine(Ending::Killed, [this] { killWorkers(); });
}

/// What works for them hears of it as it does when they end by themselves.
void GroupTermination::killWorkers()
{
    m_hint.cancel();
    bool isAnyLeft = false;
    for (const Worker& worker : m_parts.group.workers()) {
        // A shell has ended; what it ran may go on.
        if (!worker.isRunning() && !worker.hasSession)
            continue;
        isAnyLeft = true;
        m_parts.processes.stop(worker.assignment.localRank, SIGKILL);
    }
    if (!isAnyLeft)
        return m_parts.graceEnded();
    m_killedAt = m_parts.clock.now();
    m_timer = m_parts.loop.callAfter(m_options.restPatience, [this] { m_parts.graceEnded(); });
}

void GroupTermination::close()
{
    m_isOpening = false;
    m_examination.cancel();
    m_hint.cancel();
    m_awaitsOutput = false;
    m_closedAt = m_parts.clock.now();
    std::chrono::nanoseconds patience = m_options.killPatience - std::exchange(m_lookedFor, {});
    if (const auto killedAt = std::exchange(m_killedAt, std::nullopt))
        patience -= std::min<std::chrono::nanoseconds>(since(*killedAt), m_options.restPatience);
    m_timer = m_parts.loop.callAfter(patience, [this] {
        // Where the loop itself was held up, what has come meanwhile is heard first.
        m_timer = m_parts.loop.callAfter(0ms, [this] { closeLater(); });
    });
    m_parts.processes.close();
}

/// A slow disk is nobody's failure; one that doesn't answer is.
void GroupTermination::closeLater()
{
    if (!m_parts.processes.areGone())
        return m_parts.survived(m_parts.processes.survivors());
    m_awaitsOutput = true;
    m_parts.emitter.notice(Notice::Severity::Warning, -1, {.code = code::OutputStillWritten});
    m_timer = m_parts.loop.callAfter(m_options.outputPatience, [this] { giveUpOutput(); });
}

void GroupTermination::giveUpOutput()
{
    if (!std::exchange(m_awaitsOutput, false))
        return;
    m_timer.cancel();
    m_parts.survived({{.code = code::OutputNotKept,
                       .parameters = {{"seconds", secondsOf(since(m_closedAt))},
                                      {"path", m_parts.group.attempt().logFolder}}}});
}

void GroupTermination::cancel()
{
    m_awaitsOutput = false;
    m_examination.cancel();
    m_timer.cancel();
    m_hint.cancel();
}

} // namespace ringmaster
