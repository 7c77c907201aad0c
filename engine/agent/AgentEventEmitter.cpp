#include "engine/agent/AgentEventEmitter.h"

#include "engine/agent/FailureReport.h"
#include "engine/job/WorkerCommand.h"
#include "engine/worker/ErrorFile.h"

#include <unistd.h>

namespace ringmaster {
namespace {

EventLogHandler::About eventLogAbout(const JobSpec& spec, const AgentOptions& options)
{
    const Role& role = spec.roles.front();
    EnvironmentMap environment = options.environment;
    for (const auto& [name, value] : role.environment)
        environment[name] = value;
    const auto command = workerCommand(role, {.interpreter = options.interpreter}, environment);
    const bool isC10d = spec.isStandalone() || spec.rendezvous.method == RendezvousMethod::C10d;
    return {.hostName = options.hostName,
            .backend = isC10d ? "c10d" : "static",
            .entryPoint = std::filesystem::path(command.front()).filename().string(),
            .role = role.name};
}

} // namespace

AgentEventEmitter::AgentEventEmitter(const JobSpec& spec, const AgentOptions& options, Parts parts)
    : m_spec(spec)
    , m_options(options)
    , m_clock(parts.clock)
    , m_events(parts.events)
    , m_console(m_clock, parts.printed)
{
    if (m_spec.eventLogHandler == "console")
        m_eventLog.emplace(eventLogAbout(m_spec, m_options), parts.printed);
}

void AgentEventEmitter::emit(const EventBody& body, const Moment& at)
{
    if (m_hasEnded)
        return;
    if (m_eventLog)
        m_eventLog->observe(body, at);
    m_events.emit(body, at);
}

void AgentEventEmitter::step(RendezvousStep::Step step, const Message& detail)
{
    emit(RendezvousStep{.step = step, .detail = detail});
}

void AgentEventEmitter::joined(const Round& round)
{
    if (m_eventLog)
        m_eventLog->setRunId(round.runId);
    emit(RendezvousStep{.step = RendezvousStep::Step::Completed,
                        .round = round.number,
                        .groupRank = round.groupRank,
                        .groupWorldSize = round.groupWorldSize,
                        .masterAddress = round.masterAddress,
                        .masterPort = round.masterPort});
}

void AgentEventEmitter::notice(Notice::Severity severity, int globalRank, Message message)
{
    emit(Notice{.severity = severity, .globalRank = globalRank, .message = std::move(message)});
}

void AgentEventEmitter::runState(RunState state, const Message& reason, int exitCode)
{
    if (!m_hasEnded)
        m_state = state;
    emit(RunStateChanged{.state = state, .reason = reason, .exitCode = exitCode});
    m_hasEnded = m_hasEnded || isFinal(state);
}

void AgentEventEmitter::workerState(Worker& worker, WorkerState state, const Moment& at)
{
    worker.state = state;
    emit(WorkerStateChanged{.attempt = m_attempt,
                            .globalRank = worker.assignment.globalRank,
                            .localRank = worker.assignment.localRank,
                            .pid = worker.pid,
                            .state = state},
         at);
}

void AgentEventEmitter::report(const StopRequest& end, const WorkerGroup& group,
                               const std::optional<FirstCause>& cause)
{
    if (!end.isGroupFailure) {
        if (!end.lastWords.empty())
            m_console.plain(end.lastWords + "\n");
        return;
    }
    const FailureReport report({.name = entryPointName(m_spec.roles.front(), m_options.environment),
                                .hostName = m_options.hostName,
                                .torchVersion = m_options.torchVersion},
                               group.ends(), cause.value_or(FirstCause{}));
    m_console.plain(report.asTorchrun());
    m_console.plain(cause ? report.readable() : describe(end.reason) + "\n");
}

void AgentEventEmitter::copyErrorFile(const StopRequest& end, const WorkerGroup& group,
                                      const std::optional<FirstCause>& cause)
{
    const auto target = m_options.environment.find("TORCHELASTIC_ERROR_FILE");
    if (target == m_options.environment.end() || target->second.empty())
        return;
    ErrorReport error{.type = std::string(codeName(end.reason.code)),
                      .text = describe(end.reason),
                      .timestamp = m_clock.now().wallNs / 1'000'000'000};
    std::filesystem::path source;
    int exitCode = 0;
    const FailureReport report({}, group.ends(), cause.value_or(FirstCause{}));
    if (const Failure* root = report.root(); root != nullptr && end.isGroupFailure) {
        const WorkerExited& exit = root->exit;
        source = exit.errorFile;
        exitCode = exit.status.exitCode();
        error = {.type = exit.errorType,
                 .text = exit.errorText.empty() ? describe(exit.explanation) : exit.errorText,
                 .traceback = exit.traceback,
                 .timestamp = root->at.wallNs / 1'000'000'000};
    }
    const auto copied = ringmaster::copyErrorFile(source, error, exitCode, target->second);
    if (!copied)
        notice(Notice::Severity::Warning, -1, copied.error());
}

} // namespace ringmaster
