#include "engine/control/MachineProto.h"

#include "engine/event/Proto.h"
#include "engine/event/States.h"
#include "engine/record/RunFolder.h"

#include <algorithm>

#include <machine.pb.h>

namespace ringmaster {

namespace {

RunPurpose purposeNamed(std::string_view name)
{
    for (const RunPurpose each : {RunPurpose::Job, RunPurpose::Lesson, RunPurpose::Sweep}) {
        if (name == nameOf(each))
            return each;
    }
    return RunPurpose::Job;
}

} // namespace

void toProto(const RunLabels& labels, v1::RunLabels& proto)
{
    proto.set_name(labels.name);
    proto.set_note(labels.note);
    for (const std::string& tag : labels.tags)
        proto.add_tags(tag);
}

RunLabels fromProto(const v1::RunLabels& proto)
{
    return tidied({.name = proto.name(),
                   .note = proto.note(),
                   .tags = {proto.tags().begin(), proto.tags().end()}});
}

void toProto(const RunSummary& run, v1::RunEntry& proto)
{
    proto.set_id(run.id);
    proto.set_name(run.name);
    toProto(run.labels, *proto.mutable_labels());
    proto.set_purpose(std::string(nameOf(run.purpose)));
    proto.set_state(std::string(nameOf(run.state)));
    proto.set_health(std::string(nameOf(run.health.health)));
    toProto(run.health.since, *proto.mutable_health_since());
    toProto(run.health.statement, *proto.mutable_statement());
    proto.set_is_live(run.isLive);
    proto.set_is_pinned(run.isPinned);
    proto.set_is_on_hosts(run.isOnHosts);
    proto.set_world_size(run.worldSize);
    proto.set_restarts_used(run.restartsUsed);
    proto.set_restart_budget(run.restartBudget);
    toProto(run.startedAt, *proto.mutable_started_at());
    toProto(run.endedAt, *proto.mutable_ended_at());
    toProto(run.reason, *proto.mutable_reason());
    toProto(run.cause, *proto.mutable_cause());
    proto.set_size_bytes(run.sizeBytes);
    proto.set_unrecorded_events(run.unrecorded.events);
    proto.set_unrecorded_log_bytes(run.unrecorded.logBytes);
    proto.set_folder(run.folder.string());
}

Result<RunSummary> fromProto(const v1::RunEntry& proto)
{
    const auto state = runStateFromName(proto.state());
    if (!state || !RunFolder::isId(proto.id()))
        return fail(code::MalformedMessage, {{"what", "list of runs"}});
    RunSummary run;
    run.id = proto.id();
    run.name = proto.name();
    run.labels = fromProto(proto.labels());
    run.purpose = purposeNamed(proto.purpose());
    run.state = *state;
    run.health = {.health = healthFromName(proto.health()).value_or(healthOf(*state)),
                  .since = fromProto(proto.health_since()),
                  .statement = fromProto(proto.statement())};
    run.isLive = proto.is_live();
    run.isPinned = proto.is_pinned();
    run.isOnHosts = proto.is_on_hosts();
    run.worldSize = std::max(proto.world_size(), 0);
    run.restartsUsed = std::max(proto.restarts_used(), 0);
    run.restartBudget = std::max(proto.restart_budget(), 0);
    run.startedAt = fromProto(proto.started_at());
    run.endedAt = fromProto(proto.ended_at());
    run.reason = fromProto(proto.reason());
    run.cause = fromProto(proto.cause());
    run.sizeBytes = proto.size_bytes();
    run.unrecorded = {.events = proto.unrecorded_events(),
                      .logBytes = proto.unrecorded_log_bytes()};
    run.folder = proto.folder();
    return run;
}

} // namespace ringmaster
