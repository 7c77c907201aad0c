#include "engine/agent/EventLogHandler.h"

#include "engine/base/Files.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace ringmaster {
namespace {

using Json = nlohmann::ordered_json;

/// As Python's json.dumps writes it: a blank after every comma and colon, ASCII only.
std::string pythonJson(const Json& json)
{
    if (!json.is_structured())
        return json.dump(-1, ' ', true, Json::error_handler_t::replace);
    std::string text(json.is_object() ? "{" : "[");
    bool isFirst = true;
    for (const auto& [key, value] : json.items()) {
        text += isFirst ? "" : ", ";
        isFirst = false;
        if (json.is_object())
            text += pythonJson(Json(key)) + ": ";
        text += pythonJson(value);
    }
    return text + (json.is_object() ? "}" : "]");
}

Json orNull(const std::optional<int>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

double milliseconds(const Moment& from, const Moment& to)
{
    return static_cast<double>(to.monotonicNs - from.monotonicNs) / 1e6;
}

} // namespace

/// What differs between two lines; the rest is the agent's state.
struct EventLogHandler::Line
{
    std::string state{};
    const WorkerAssignment* worker = nullptr; ///< Null: the agent itself.
    std::optional<double> milliseconds{};
    std::optional<std::string> rawError{};
    std::optional<int> exitCode{};
    std::optional<int> workerPid{};
};

EventLogHandler::EventLogHandler(About about, Print print)
    : m_about(std::move(about)), m_print(std::move(print))
{
}

void EventLogHandler::observe(const EventBody& body, const Moment& at)
{
    if (!m_startedAt)
        m_startedAt = at;
    if (const auto* rendezvous = std::get_if<RendezvousStep>(&body))
        step(*rendezvous, at);
    else if (const auto* started = std::get_if<AttemptStarted>(&body))
        attempt(*started, at);
    else if (const auto* change = std::get_if<WorkerStateChanged>(&body))
        workerState(*change);
    else if (const auto* exit = std::get_if<WorkerExited>(&body))
        m_exits[exit->globalRank] = *exit;
    else if (const auto* restart = std::get_if<GroupRestarting>(&body))
        m_restarts += restart->budgetBefore - restart->budgetAfter;
    else if (std::holds_alternative<FirstCause>(body))
        m_workersFailed = true;
    else if (const auto* run = std::get_if<RunStateChanged>(&body); run && isFinal(run->state))
        end(*run, at);
}

void EventLogHandler::step(const RendezvousStep& step, const Moment& at)
{
    if (step.step == RendezvousStep::Step::Completed) {
        write({.state = "RENDEZVOUS", .milliseconds = milliseconds(m_lastStep, at)});
        m_round = step;
    }
    if (step.step != RendezvousStep::Step::Waiting)
        m_lastStep = at;
}

void EventLogHandler::attempt(const AttemptStarted& attempt, const Moment& at)
{
    write({.state = "ASSIGN_WORKER_RANKS", .milliseconds = milliseconds(m_lastStep, at)});
    m_attempt = attempt;
    m_groupRank = m_round.groupRank;
    m_groupWorldSize = m_round.groupWorldSize;
    m_exits.clear();
    m_pids.clear();
    m_workersFailed = false;
}

void EventLogHandler::workerState(const WorkerStateChanged& change)
{
    if (change.state != WorkerState::Healthy)
        return;
    m_pids[change.globalRank] = change.pid;
    write({.state = "START", .worker = worker(change.globalRank)});
}

void EventLogHandler::end(const RunStateChanged& change, const Moment& at)
{
    m_runSeconds = (at.monotonicNs - m_startedAt->monotonicNs) / 1'000'000'000;
    // torchrun records the workers' ends unless the agent itself fails.
    const bool agentFailed = change.state != RunState::Succeeded &&
                             !(change.state == RunState::Failed && m_workersFailed);
    if (agentFailed)
        return write({.state = "FAILED", .rawError = describe(change.reason)});
    for (const WorkerAssignment& assignment : m_attempt.workers)
        workerEnd(assignment, change.state == RunState::Failed);
    write({.state = "SUCCEEDED"});
}

void EventLogHandler::workerEnd(const WorkerAssignment& worker, bool groupFailed)
{
    const auto found = m_exits.find(worker.globalRank);
    if (found == m_exits.end() || found->second.status.succeeded())
        return write({.state = groupFailed ? "TERMINATED" : "SUCCEEDED", .worker = &worker});

    const WorkerExited& exit = found->second;
    Json error{{"message", "<NONE>"}};
    if (const auto file =
            exit.errorFile.empty() ? Result<std::string>() : readUntrustedFile(exit.errorFile);
        file && !file->empty()) {
        error = Json::parse(*file, nullptr, false);
    } else {
        m_hasEmptyTraits |= exit.status.signal == 0;
        if (m_hasEmptyTraits)
            error["errorTraits"] = {{"category", "system_terminated_error"},
                                    {"retryability", "False"}};
    }
    write({.state = "FAILED",
           .worker = &worker,
           .rawError = error.is_discarded() ? exit.errorText : pythonJson(error),
           .exitCode = exit.status.exitCode(),
           .workerPid = exit.pid});
}

void EventLogHandler::write(const Line& line)
{
    Json details{{"group_world_size", m_groupRank ? Json(m_groupWorldSize) : Json(nullptr)},
                 {"entry_point", m_about.entryPoint}};
    Json workerId(nullptr);
    Json globalRank(nullptr);
    if (line.worker != nullptr) {
        globalRank = line.worker->globalRank;
        details["local_rank"] = Json::array({line.worker->localRank});
        details["role_rank"] = Json::array({line.worker->roleRank});
        details["role_world_size"] = Json::array({line.worker->roleWorldSize});
        details["exit_code"] = Json::array({orNull(line.exitCode)});
        details["worker_pid"] = Json::array({orNull(line.workerPid)});
        const auto pid = m_pids.find(line.worker->globalRank);
        workerId = pid != m_pids.end() ? Json(std::to_string(pid->second)) : Json("None");
    }
    const Json event{
        {"name", "torchelastic.worker.status." + line.state},
        {"source", line.worker != nullptr ? "WORKER" : "AGENT"},
        {"timestamp", 0},
        {"metadata",
         {{"run_id", m_runId},
          {"global_rank", globalRank},
          {"group_rank", orNull(m_groupRank)},
          {"worker_id", workerId},
          {"role", line.worker != nullptr ? line.worker->role : m_about.role},
          {"hostname", m_about.hostName},
          {"state", line.state},
          {"total_run_time", m_runSeconds},
          {"rdzv_backend", m_about.backend},
          {"raw_error", line.rawError ? Json(*line.rawError) : Json(nullptr)},
          {"metadata", pythonJson(details)},
          {"agent_restarts", m_restarts},
          {"duration_ms", line.milliseconds ? Json(*line.milliseconds) : Json(nullptr)}}}};
    m_print(pythonJson(event) + "\n");
}

const WorkerAssignment* EventLogHandler::worker(int globalRank) const
{
    const auto found =
        std::ranges::find(m_attempt.workers, globalRank, &WorkerAssignment::globalRank);
    return found != m_attempt.workers.end() ? &*found : nullptr;
}

} // namespace ringmaster
