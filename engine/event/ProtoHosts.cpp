#include "engine/event/ProtoBodies.h"

namespace ringmaster {

static_assert(v1::HostChanged::STATE_RECONNECTING ==
              static_cast<int>(HostChanged::State::Reconnecting) + 1);
static_assert(v1::RendezvousReport::STEP_FINISHED ==
              static_cast<int>(RendezvousReport::Step::Finished) + 1);

void toProto(const HostChanged& body, v1::HostChanged& proto)
{
    proto.set_agent(body.agent);
    proto.set_host(body.host);
    proto.set_state(enumToProto<v1::HostChanged::State>(body.state));
    if (saysSomething(body.reason))
        toProto(body.reason, *proto.mutable_reason());
}

Result<HostChanged> fromProto(const v1::HostChanged& proto)
{
    const auto state =
        RM_TRY(enumFromProto(proto.state(), HostChanged::State::Reconnecting, "host state"));
    return HostChanged{proto.agent(), proto.host(), state, fromProto(proto.reason())};
}

void toProto(const ClockMeasured& body, v1::ClockMeasured& proto)
{
    proto.set_agent(body.agent);
    proto.set_monotonic_offset_ns(body.monotonicOffsetNs);
    proto.set_wall_offset_ns(body.wallOffsetNs);
    proto.set_bound_ns(body.boundNs);
}

Result<ClockMeasured> fromProto(const v1::ClockMeasured& proto)
{
    return ClockMeasured{proto.agent(), proto.monotonic_offset_ns(), proto.wall_offset_ns(),
                         proto.bound_ns()};
}

void toProto(const RendezvousReport& body, v1::RendezvousReport& proto)
{
    proto.set_step(enumToProto<v1::RendezvousReport::Step>(body.step));
    for (const RendezvousReport::RoleCount& role : body.roles) {
        proto.add_roles()->set_role(role.role);
        proto.mutable_roles()->rbegin()->set_workers(role.workers);
    }
    proto.set_address(body.address);
    proto.set_port(body.port);
    proto.set_round(body.round);
}

Result<RendezvousReport> fromProto(const v1::RendezvousReport& proto)
{
    RendezvousReport body{.step =
                              RM_TRY(enumFromProto(proto.step(), RendezvousReport::Step::Finished,
                                                   "report of a rendezvous")),
                          .round = proto.round(),
                          .address = proto.address(),
                          .port = proto.port()};
    for (const auto& role : proto.roles())
        body.roles.push_back({role.role(), role.workers()});
    return body;
}

void toProto(const BeginRound& round, v1::BeginRound& proto)
{
    proto.set_round(round.round);
    proto.set_attempt(round.attempt);
    proto.set_restart_count(round.restartCount);
    proto.set_group_rank(round.groupRank);
    proto.set_group_world_size(round.groupWorldSize);
    proto.set_world_size(round.worldSize);
    for (const BeginRound::RolePlace& place : round.places) {
        v1::BeginRound::RolePlace& added = *proto.add_places();
        added.set_role(place.role);
        added.set_global_rank_base(place.globalRankBase);
        added.set_role_rank_base(place.roleRankBase);
        added.set_role_world_size(place.roleWorldSize);
    }
    proto.set_run_id(round.runId);
    proto.set_master_address(round.masterAddress);
    proto.set_master_port(round.masterPort);
}

Result<BeginRound> fromProto(const v1::BeginRound& proto)
{
    BeginRound round{.round = proto.round(),
                     .attempt = proto.attempt(),
                     .restartCount = proto.restart_count(),
                     .groupRank = proto.group_rank(),
                     .groupWorldSize = proto.group_world_size(),
                     .worldSize = proto.world_size(),
                     .runId = proto.run_id(),
                     .masterAddress = proto.master_address(),
                     .masterPort = proto.master_port()};
    for (const auto& place : proto.places())
        round.places.push_back({place.role(), place.global_rank_base(), place.role_rank_base(),
                                place.role_world_size()});
    return round;
}

void toProto(const CloseRendezvous& close, v1::CloseRendezvous& proto)
{
    proto.set_has_succeeded(close.hasSucceeded);
    if (saysSomething(close.why))
        toProto(close.why, *proto.mutable_why());
}

void toProto(const LeaveRound& leave, v1::LeaveRound& proto)
{
    proto.set_round(leave.round);
    proto.set_recalls_finished(leave.recallsFinished);
    if (saysSomething(leave.why))
        toProto(leave.why, *proto.mutable_why());
}

std::string serialize(const AgentLaunchRequest& order)
{
    v1::AgentLaunchRequest proto;
    proto.set_run(order.run);
    proto.set_agent(order.agent);
    proto.set_host(order.host);
    proto.set_generation(order.generation);
    proto.set_is_attaching(order.isAttaching);
    proto.set_job_file(order.jobFile);
    proto.set_torchrun_line(order.torchrunLine);
    proto.set_working_folder(order.workingFolder);
    proto.set_interpreter(order.interpreter);
    proto.set_address(order.address);
    proto.set_interface(order.interface);
    for (const auto& [name, value] : order.environment)
        (*proto.mutable_environment())[name] = value;
    proto.set_lead_timeout_ms(order.leadTimeout.count());
    proto.set_hold_timeout_ms(order.holdTimeout.count());
    return proto.SerializeAsString();
}

Result<AgentLaunchRequest> parseOrder(std::string_view bytes)
{
    v1::AgentLaunchRequest proto;
    if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return fail(code::MalformedMessage, {{"what", "order"}});
    AgentLaunchRequest order{.run = proto.run(),
                             .agent = proto.agent(),
                             .host = proto.host(),
                             .generation = proto.generation(),
                             .isAttaching = proto.is_attaching(),
                             .jobFile = proto.job_file(),
                             .torchrunLine = proto.torchrun_line(),
                             .workingFolder = proto.working_folder(),
                             .interpreter = proto.interpreter(),
                             .address = proto.address(),
                             .interface = proto.interface(),
                             .leadTimeout = std::chrono::milliseconds(proto.lead_timeout_ms()),
                             .holdTimeout = std::chrono::milliseconds(proto.hold_timeout_ms())};
    for (const auto& [name, value] : proto.environment())
        order.environment.emplace(name, value);
    return order;
}

} // namespace ringmaster
