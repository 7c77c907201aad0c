#include "engine/base/Codes.h"
#include "engine/event/ProtoBodies.h"

namespace ringmaster {

void toProto(const RunStarted& body, v1::RunStarted& proto)
{
    proto.set_job_file(body.jobFile);
    proto.set_name(body.name);
    proto.set_torchrun_line(body.torchrunLine);
    proto.set_run_folder(body.runFolder);
    proto.set_working_folder(body.workingFolder);
    proto.set_ringmaster_version(body.ringmasterVersion);
    proto.set_agent_pid(body.agentPid);
    proto.set_detached(body.detached);
    proto.set_max_restarts(body.maxRestarts);
}

Result<RunStarted> fromProto(const v1::RunStarted& proto)
{
    return RunStarted{.jobFile = proto.job_file(),
                      .name = proto.name(),
                      .torchrunLine = proto.torchrun_line(),
                      .runFolder = proto.run_folder(),
                      .workingFolder = proto.working_folder(),
                      .ringmasterVersion = proto.ringmaster_version(),
                      .agentPid = proto.agent_pid(),
                      .detached = proto.detached(),
                      .maxRestarts = proto.max_restarts()};
}

void toProto(const WorkerAssignment& worker, v1::WorkerAssignment& proto)
{
    proto.set_local_rank(worker.localRank);
    proto.set_global_rank(worker.globalRank);
    proto.set_role_rank(worker.roleRank);
    proto.set_role_world_size(worker.roleWorldSize);
    proto.set_role(worker.role);
    proto.set_log_folder(worker.logFolder);
}

WorkerAssignment fromProto(const v1::WorkerAssignment& proto)
{
    return {proto.local_rank(),      proto.global_rank(), proto.role_rank(),
            proto.role_world_size(), proto.role(),        proto.log_folder()};
}

void toProto(const WorkerExited& body, v1::WorkerExited& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_global_rank(body.globalRank);
    proto.set_local_rank(body.localRank);
    proto.set_pid(body.pid);
    proto.mutable_status()->set_code(body.status.code);
    proto.mutable_status()->set_signal(body.status.signal);
    proto.mutable_status()->set_core_dumped(body.status.coreDumped);
    proto.set_ended_by_agent(body.endedByAgent);
    if (saysSomething(body.explanation))
        toProto(body.explanation, *proto.mutable_explanation());
    proto.set_error_type(body.errorType);
    proto.set_error_text(body.errorText);
    proto.set_traceback(body.traceback);
    proto.set_error_file(body.errorFile);
}

Result<WorkerExited> fromProto(const v1::WorkerExited& proto)
{
    return WorkerExited{
        .attempt = proto.attempt(),
        .globalRank = proto.global_rank(),
        .localRank = proto.local_rank(),
        .pid = proto.pid(),
        .status = {proto.status().code(), proto.status().signal(), proto.status().core_dumped()},
        .endedByAgent = proto.ended_by_agent(),
        .explanation = fromProto(proto.explanation()),
        .errorType = proto.error_type(),
        .errorText = proto.error_text(),
        .traceback = proto.traceback(),
        .errorFile = proto.error_file()};
}

void toProto(const FirstCause& body, v1::FirstCause& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_sure(body.sure);
    proto.set_global_rank(body.globalRank);
    proto.mutable_candidates()->Assign(body.candidates.begin(), body.candidates.end());
    proto.mutable_consequences()->Assign(body.consequences.begin(), body.consequences.end());
    if (saysSomething(body.cause))
        toProto(body.cause, *proto.mutable_cause());
    if (saysSomething(body.remedy))
        toProto(body.remedy, *proto.mutable_remedy());
    proto.set_traceback(body.traceback);
}

Result<FirstCause> fromProto(const v1::FirstCause& proto)
{
    return FirstCause{.attempt = proto.attempt(),
                      .sure = proto.sure(),
                      .globalRank = proto.global_rank(),
                      .candidates = {proto.candidates().begin(), proto.candidates().end()},
                      .consequences = {proto.consequences().begin(), proto.consequences().end()},
                      .cause = fromProto(proto.cause()),
                      .remedy = fromProto(proto.remedy()),
                      .traceback = proto.traceback()};
}

namespace {

void toProto(const RunStateChanged& body, v1::RunStateChanged& proto)
{
    proto.set_state(enumToProto<v1::RunState>(body.state));
    if (saysSomething(body.reason))
        ringmaster::toProto(body.reason, *proto.mutable_reason());
    proto.set_exit_code(body.exitCode);
}

Result<RunStateChanged> fromProto(const v1::RunStateChanged& proto)
{
    const auto state = RM_TRY(enumFromProto(proto.state(), RunState::Lost, "run state"));
    return RunStateChanged{state, ringmaster::fromProto(proto.reason()), proto.exit_code()};
}

void toProto(const RendezvousStep& body, v1::RendezvousStep& proto)
{
    proto.set_step(enumToProto<v1::RendezvousStep::Step>(body.step));
    proto.set_round(body.round);
    proto.set_group_rank(body.groupRank);
    proto.set_group_world_size(body.groupWorldSize);
    proto.set_master_address(body.masterAddress);
    proto.set_master_port(body.masterPort);
    if (saysSomething(body.detail))
        ringmaster::toProto(body.detail, *proto.mutable_detail());
}

Result<RendezvousStep> fromProto(const v1::RendezvousStep& proto)
{
    using Step = RendezvousStep::Step;
    const auto step = RM_TRY(enumFromProto(proto.step(), Step::Failed, "rendezvous step"));
    return RendezvousStep{.step = step,
                          .round = proto.round(),
                          .groupRank = proto.group_rank(),
                          .groupWorldSize = proto.group_world_size(),
                          .masterAddress = proto.master_address(),
                          .masterPort = proto.master_port(),
                          .detail = ringmaster::fromProto(proto.detail())};
}

void toProto(const AttemptStarted& body, v1::AttemptStarted& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_restart_count(body.restartCount);
    proto.set_round(body.round);
    proto.set_world_size(body.worldSize);
    proto.set_log_folder(body.logFolder);
    for (const WorkerAssignment& worker : body.workers)
        ringmaster::toProto(worker, *proto.add_workers());
}

Result<AttemptStarted> fromProto(const v1::AttemptStarted& proto)
{
    AttemptStarted body{.attempt = proto.attempt(),
                        .restartCount = proto.restart_count(),
                        .round = proto.round(),
                        .worldSize = proto.world_size(),
                        .logFolder = proto.log_folder()};
    for (const v1::WorkerAssignment& worker : proto.workers())
        body.workers.push_back(ringmaster::fromProto(worker));
    return body;
}

void toProto(const WorkerStateChanged& body, v1::WorkerStateChanged& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_global_rank(body.globalRank);
    proto.set_local_rank(body.localRank);
    proto.set_pid(body.pid);
    proto.set_state(enumToProto<v1::WorkerState>(body.state));
}

Result<WorkerStateChanged> fromProto(const v1::WorkerStateChanged& proto)
{
    const auto state = RM_TRY(enumFromProto(proto.state(), WorkerState::Failed, "worker state"));
    return WorkerStateChanged{proto.attempt(), proto.global_rank(), proto.local_rank(), proto.pid(),
                              state};
}

void toProto(const GroupRestarting& body, v1::GroupRestarting& proto)
{
    proto.set_attempt(body.attempt);
    if (saysSomething(body.cause))
        ringmaster::toProto(body.cause, *proto.mutable_cause());
    proto.set_budget_before(body.budgetBefore);
    proto.set_budget_after(body.budgetAfter);
    proto.set_delay_ns(body.delayNs);
}

Result<GroupRestarting> fromProto(const v1::GroupRestarting& proto)
{
    return GroupRestarting{proto.attempt(), ringmaster::fromProto(proto.cause()),
                           proto.budget_before(), proto.budget_after(), proto.delay_ns()};
}

void toProto(const ProcessSample& body, v1::ProcessSample& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_global_rank(body.globalRank);
    proto.set_cpu_fraction(body.cpuFraction);
    proto.set_resident_bytes(body.residentBytes);
}

Result<ProcessSample> fromProto(const v1::ProcessSample& proto)
{
    const double share = RM_TRY(finite(proto.cpu_fraction(), "sample of a process"));
    return ProcessSample{proto.attempt(), proto.global_rank(), share, proto.resident_bytes()};
}

void toProto(const Notice& body, v1::Notice& proto)
{
    proto.set_severity(enumToProto<v1::Notice::Severity>(body.severity));
    proto.set_global_rank(body.globalRank);
    if (saysSomething(body.message))
        ringmaster::toProto(body.message, *proto.mutable_message());
}

Result<Notice> fromProto(const v1::Notice& proto)
{
    const auto severity =
        RM_TRY(enumFromProto(proto.severity(), Notice::Severity::Error, "severity"));
    return Notice{severity, proto.global_rank(), ringmaster::fromProto(proto.message())};
}

/// The member of the oneof for each body; an overload a kind.
struct Member
{
    v1::EventBody& proto;
    v1::RunStarted& operator()(const RunStarted&) const { return *proto.mutable_run_started(); }
    v1::RunStateChanged& operator()(const RunStateChanged&) const
    {
        return *proto.mutable_run_state_changed();
    }
    v1::RendezvousStep& operator()(const RendezvousStep&) const
    {
        return *proto.mutable_rendezvous_step();
    }
    v1::AttemptStarted& operator()(const AttemptStarted&) const
    {
        return *proto.mutable_attempt_started();
    }
    v1::WorkerStateChanged& operator()(const WorkerStateChanged&) const
    {
        return *proto.mutable_worker_state_changed();
    }
    v1::WorkerExited& operator()(const WorkerExited&) const
    {
        return *proto.mutable_worker_exited();
    }
    v1::GroupRestarting& operator()(const GroupRestarting&) const
    {
        return *proto.mutable_group_restarting();
    }
    v1::FirstCause& operator()(const FirstCause&) const { return *proto.mutable_first_cause(); }
    v1::ProcessSample& operator()(const ProcessSample&) const
    {
        return *proto.mutable_process_sample();
    }
    v1::Notice& operator()(const Notice&) const { return *proto.mutable_notice(); }
    v1::SweepPlan& operator()(const SweepPlan&) const { return *proto.mutable_sweep_plan(); }
    v1::SweepRow& operator()(const SweepRow&) const { return *proto.mutable_sweep_row(); }
    v1::LessonStarted& operator()(const LessonStarted&) const
    {
        return *proto.mutable_lesson_started();
    }
    v1::LessonStep& operator()(const LessonStep&) const { return *proto.mutable_lesson_step(); }
    v1::Verdict& operator()(const Verdict&) const { return *proto.mutable_verdict(); }
    v1::LastOperation& operator()(const LastOperation&) const
    {
        return *proto.mutable_last_operation();
    }
    v1::HostChanged& operator()(const HostChanged&) const { return *proto.mutable_host_changed(); }
    v1::ClockMeasured& operator()(const ClockMeasured&) const
    {
        return *proto.mutable_clock_measured();
    }
    v1::RendezvousReport& operator()(const RendezvousReport&) const
    {
        return *proto.mutable_rendezvous_report();
    }
    v1::DeviceSample& operator()(const DeviceSample&) const
    {
        return *proto.mutable_device_sample();
    }
};

} // namespace

void toProto(const EventBody& body, v1::EventBody& proto)
{
    std::visit([&](const auto& alternative) { toProto(alternative, Member{proto}(alternative)); },
               body);
}

Result<EventBody> fromProto(const v1::EventBody& proto)
{
    switch (proto.kind_case()) {
    case v1::EventBody::kRunStarted: return fromProto(proto.run_started());
    case v1::EventBody::kRunStateChanged: return fromProto(proto.run_state_changed());
    case v1::EventBody::kRendezvousStep: return fromProto(proto.rendezvous_step());
    case v1::EventBody::kAttemptStarted: return fromProto(proto.attempt_started());
    case v1::EventBody::kWorkerStateChanged: return fromProto(proto.worker_state_changed());
    case v1::EventBody::kWorkerExited: return fromProto(proto.worker_exited());
    case v1::EventBody::kGroupRestarting: return fromProto(proto.group_restarting());
    case v1::EventBody::kFirstCause: return fromProto(proto.first_cause());
    case v1::EventBody::kProcessSample: return fromProto(proto.process_sample());
    case v1::EventBody::kNotice: return fromProto(proto.notice());
    case v1::EventBody::kSweepPlan: return ringmaster::fromProto(proto.sweep_plan());
    case v1::EventBody::kSweepRow: return ringmaster::fromProto(proto.sweep_row());
    case v1::EventBody::kLessonStarted: return ringmaster::fromProto(proto.lesson_started());
    case v1::EventBody::kLessonStep: return ringmaster::fromProto(proto.lesson_step());
    case v1::EventBody::kVerdict: return ringmaster::fromProto(proto.verdict());
    case v1::EventBody::kLastOperation: return ringmaster::fromProto(proto.last_operation());
    case v1::EventBody::kHostChanged: return ringmaster::fromProto(proto.host_changed());
    case v1::EventBody::kClockMeasured: return ringmaster::fromProto(proto.clock_measured());
    case v1::EventBody::kRendezvousReport: return ringmaster::fromProto(proto.rendezvous_report());
    case v1::EventBody::kDeviceSample: return ringmaster::fromProto(proto.device_sample());
    case v1::EventBody::KIND_NOT_SET: break;
    }
    return fail(code::MalformedMessage, {{"what", "event"}});
}

int kindOf(const EventBody& body)
{
    // The alternatives stand in the order of the contract's field numbers.
    static_assert(
        std::is_same_v<std::variant_alternative_t<v1::EventBody::kDeviceSample - 1, EventBody>,
                       DeviceSample>);
    static_assert(std::variant_size_v<EventBody> == v1::EventBody::kDeviceSample);
    return static_cast<int>(body.index()) + 1;
}

} // namespace ringmaster
