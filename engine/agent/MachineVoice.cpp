#include "engine/agent/FailureReport.h"
#include "engine/agent/Machine.h"
#include "engine/base/Files.h"
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
    const bool isC10d =
        spec.rendezvous.standalone || spec.rendezvous.method == RendezvousMethod::C10d;
    return {.hostName = options.hostName,
            .backend = isC10d ? "c10d" : "static",
            .entryPoint = std::filesystem::path(command.front()).filename().string(),
            .role = role.name};
}

} // namespace

Agent::Machine::Machine(JobSpec spec, AgentOptions options, Parts parts)
    : m_spec(std::move(spec))
    , m_options(std::move(options))
    , m_loop(parts.loop)
    , m_clock(parts.clock)
    , m_events(parts.events)
    , m_host(parts.host)
    , m_console(m_clock, [this](std::string_view text) { m_host.printed(text); })
    , m_policy(m_spec.restart)
    , m_sampler(
          m_loop, m_clock, [this] { return sampled(); },
          [this](const ProcessSampler::Sample& sample) {
              emit(ProcessSample{.attempt = m_group.attempt().attempt,
                                 .globalRank = sample.globalRank,
                                 .cpuFraction = sample.cpuFraction,
                                 .residentBytes = sample.residentBytes});
          })
    , m_rendezvous(parts.rendezvous(*this))
    , m_processes(parts.processes(*this))
{
    if (m_spec.eventLogHandler == "console")
        m_eventLog.emplace(eventLogAbout(m_spec, m_options),
                           [this](std::string_view line) { m_host.printed(line); });
}

void Agent::Machine::emit(const EventBody& body, const Moment& at)
{
    if (m_eventLog)
        m_eventLog->observe(body, at);
    m_events.emit(body, at);
}

void Agent::Machine::emitStep(RendezvousStep::Step step, const Message& detail)
{
    RendezvousStep event{.step = step, .detail = detail};
    if (step == RendezvousStep::Step::Completed) {
        event.round = m_round.number;
        event.groupRank = m_round.groupRank;
        event.groupWorldSize = m_round.groupWorldSize;
        event.masterAddress = m_round.masterAddress;
        event.masterPort = m_round.masterPort;
    }
    emit(event);
}

void Agent::Machine::notice(Notice::Severity severity, int globalRank, Message message)
{
    emit(Notice{.severity = severity, .globalRank = globalRank, .message = std::move(message)});
}

void Agent::Machine::setRunState(RunState state, const Message& reason, int exitCode)
{
    m_runState = state;
    emit(RunStateChanged{.state = state, .reason = reason, .exitCode = exitCode});
}

void Agent::Machine::setWorkerState(Worker& worker, WorkerState state, const Moment& at)
{
    worker.state = state;
    emit(WorkerStateChanged{.attempt = m_group.attempt().attempt,
                            .globalRank = worker.assignment.globalRank,
                            .localRank = worker.assignment.localRank,
                            .pid = worker.pid,
                            .state = state},
         at);
}

void Agent::Machine::report(const End& end)
{
    if (end.isGroupFailure) {
        const FailureReport report(
            {.name = entryPointName(m_spec.roles.front(), m_options.environment),
             .hostName = m_options.hostName},
            m_group.ends(), m_firstCause.value_or(FirstCause{}));
        m_console.plain(report.asTorchrun());
        m_console.plain(m_firstCause ? report.readable() : describe(end.reason) + "\n");
    } else if (end.reason.code == Code::SignalReceived && hasEverStarted()) {
        m_console.plain("torch.distributed.elastic.multiprocessing.api.SignalException: Process " +
                        std::to_string(::getpid()) +
                        " got signal: " + std::to_string(m_lastSignal) + "\n");
    } else if (!end.lastWords.empty()) {
        m_console.plain(end.lastWords + "\n");
    }
}

/// Whoever started the agent may have asked for the root cause, as torchrun's users do.
void Agent::Machine::copyErrorFileToParent(const End& end)
{
    const std::string target = environment("TORCHELASTIC_ERROR_FILE");
    if (target.empty())
        return;
    ErrorReport error{.type = std::string(codeName(end.reason.code)),
                      .text = describe(end.reason),
                      .timestamp = m_clock.now().wallNs / 1'000'000'000};
    std::filesystem::path source;
    int exitCode = 0;
    const FailureReport report({}, m_group.ends(), m_firstCause.value_or(FirstCause{}));
    if (const Failure* root = report.root(); root != nullptr && end.isGroupFailure) {
        source = root->exit.errorFile;
        exitCode = root->exit.status.exitCode();
        error = {.type = root->exit.errorType,
                 .text = root->exit.errorText.empty() ? describe(root->exit.explanation)
                                                      : root->exit.errorText,
                 .traceback = root->exit.traceback,
                 .timestamp = root->at.wallNs / 1'000'000'000};
    }
    if (const auto copied = copyErrorFile(source, error, exitCode, target); !copied)
        notice(Notice::Severity::Warning, -1, copied.error());
}

std::string Agent::Machine::environment(const std::string& name) const
{
    const auto found = m_options.environment.find(name);
    return found != m_options.environment.end() ? found->second : std::string();
}

Agent::Machine::Restart Agent::Machine::uncharged(const Message& cause) const
{
    return {.cause = cause,
            .decision = {.budgetBefore = m_policy.left(), .budgetAfter = m_policy.left()}};
}

void Agent::Machine::makeTimer()
{
    if (m_watchdog || environment("TORCHELASTIC_ENABLE_FILE_TIMER") != "1")
        return;
    std::filesystem::path file = environment("TORCHELASTIC_TIMER_FILE");
    if (file.empty())
        file = m_options.temporaryFolder / ("watchdog_timer_" + randomToken(16));
    auto timer = WatchdogTimer::create(m_loop, m_clock, file, *this);
    if (timer)
        m_watchdog = std::move(*timer);
    else
        notice(Notice::Severity::Warning, -1, timer.error());
}

void Agent::Machine::setWatched(bool watched)
{
    m_sampler.setOn(watched && m_phase < Phase::Leaving);
}

std::vector<ProcessSampler::Target> Agent::Machine::sampled() const
{
    std::vector<ProcessSampler::Target> targets;
    for (const Worker& worker : m_group.workers())
        if (worker.isRunning())
            targets.push_back({worker.assignment.globalRank, worker.pid});
    return targets;
}

} // namespace ringmaster
