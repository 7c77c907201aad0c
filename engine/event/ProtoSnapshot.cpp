#include "engine/event/ProtoBodies.h"

namespace ringmaster {

namespace {

void toProto(const WorkerSnapshot& worker, v1::WorkerSnapshot& proto)
{
    ringmaster::toProto(worker.assignment, *proto.mutable_assignment());
    proto.set_node(worker.node);
    proto.set_attempt(worker.attempt);
    proto.set_pid(worker.pid);
    proto.set_state(enumToProto<v1::WorkerState>(worker.state));
    ringmaster::toProto(worker.since, *proto.mutable_since());
    if (worker.lastExit)
        ringmaster::toProto(*worker.lastExit, *proto.mutable_last_exit());
    if (saysSomething(worker.lastOperation))
        ringmaster::toProto(worker.lastOperation, *proto.mutable_last_operation());
    proto.set_agent(worker.agent);
}

Result<WorkerSnapshot> fromProto(const v1::WorkerSnapshot& proto)
{
    const auto state = RM_TRY(enumFromProto(proto.state(), WorkerState::Failed, "worker state"));
    WorkerSnapshot worker{.assignment = ringmaster::fromProto(proto.assignment()),
                          .node = proto.node(),
                          .attempt = proto.attempt(),
                          .pid = proto.pid(),
                          .state = state,
                          .since = ringmaster::fromProto(proto.since())};
    if (proto.has_last_exit())
        worker.lastExit = RM_TRY(ringmaster::fromProto(proto.last_exit()));
    worker.lastOperation = ringmaster::fromProto(proto.last_operation());
    worker.agent = proto.agent();
    return worker;
}

void toProto(const HostSnapshot& host, v1::HostSnapshot& proto)
{
    proto.set_agent(host.agent);
    proto.set_host(host.host);
    proto.set_node(host.node);
    proto.set_state(enumToProto<v1::HostChanged::State>(host.state));
    if (saysSomething(host.reason))
        ringmaster::toProto(host.reason, *proto.mutable_reason());
    ringmaster::toProto(host.since, *proto.mutable_since());
    if (host.clock)
        ringmaster::toProto(*host.clock, *proto.mutable_clock());
}

Result<HostSnapshot> fromProto(const v1::HostSnapshot& proto)
{
    const auto state =
        RM_TRY(enumFromProto(proto.state(), HostChanged::State::Reconnecting, "host state"));
    HostSnapshot host{.agent = proto.agent(),
                      .host = proto.host(),
                      .node = proto.node(),
                      .state = state,
                      .reason = ringmaster::fromProto(proto.reason()),
                      .since = ringmaster::fromProto(proto.since())};
    if (proto.has_clock())
        host.clock = RM_TRY(ringmaster::fromProto(proto.clock()));
    return host;
}

} // namespace

void toProto(const RunSnapshot& snapshot, v1::RunSnapshot& proto)
{
    proto.set_run(snapshot.run);
    toProto(snapshot.started, *proto.mutable_started());
    proto.set_state(enumToProto<v1::RunState>(snapshot.state));
    toProto(snapshot.stateSince, *proto.mutable_state_since());
    if (saysSomething(snapshot.reason))
        toProto(snapshot.reason, *proto.mutable_reason());
    proto.set_exit_code(snapshot.exitCode);
    toProto(snapshot.startedAt, *proto.mutable_started_at());
    toProto(snapshot.endedAt, *proto.mutable_ended_at());
    proto.set_attempt(snapshot.attempt);
    proto.set_restarts_used(snapshot.restartsUsed);
    proto.set_restart_budget(snapshot.restartBudget);
    proto.set_world_size(snapshot.worldSize);
    for (const WorkerSnapshot& worker : snapshot.workers)
        toProto(worker, *proto.add_workers());
    if (snapshot.firstCause)
        toProto(*snapshot.firstCause, *proto.mutable_first_cause());
    proto.set_last_sequence(snapshot.lastSequence);
    for (const StandingVerdict& standing : snapshot.verdicts) {
        v1::StandingVerdict& added = *proto.add_verdicts();
        toProto(standing.verdict, *added.mutable_verdict());
        toProto(standing.at, *added.mutable_at());
    }
    for (const HostSnapshot& host : snapshot.hosts)
        toProto(host, *proto.add_hosts());
}

Result<RunSnapshot> fromProto(const v1::RunSnapshot& proto)
{
    auto started = RM_TRY(fromProto(proto.started()));
    const auto state = RM_TRY(enumFromProto(proto.state(), RunState::Lost, "run state"));
    RunSnapshot snapshot{.run = proto.run(),
                         .started = std::move(started),
                         .state = state,
                         .stateSince = fromProto(proto.state_since()),
                         .reason = fromProto(proto.reason()),
                         .exitCode = proto.exit_code(),
                         .startedAt = fromProto(proto.started_at()),
                         .endedAt = fromProto(proto.ended_at()),
                         .attempt = proto.attempt(),
                         .restartsUsed = proto.restarts_used(),
                         .restartBudget = proto.restart_budget(),
                         .worldSize = proto.world_size()};
    for (const v1::WorkerSnapshot& worker : proto.workers())
        snapshot.workers.push_back(RM_TRY(fromProto(worker)));
    if (proto.has_first_cause())
        snapshot.firstCause = RM_TRY(fromProto(proto.first_cause()));
    snapshot.lastSequence = proto.last_sequence();
    for (const v1::StandingVerdict& standing : proto.verdicts())
        snapshot.verdicts.push_back(
            {RM_TRY(fromProto(standing.verdict())), fromProto(standing.at())});
    for (const v1::HostSnapshot& host : proto.hosts())
        snapshot.hosts.push_back(RM_TRY(fromProto(host)));
    return snapshot;
}

} // namespace ringmaster
