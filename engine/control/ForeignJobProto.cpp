#include "engine/control/ForeignJobProto.h"

#include "engine/event/ProtoFields.h"

#include <algorithm>

#include <machine.pb.h>

namespace ringmaster {

RM_FIELDS(ProcessIdentity, pid, startTime);
RM_FIELDS(ForeignRank, rank, process, command, output, isLoading);
RM_FIELDS(ForeignJob, launcher, name, user, store, worldSize, restarts, areRanksKnown, started,
          startedNs, ranks);
RM_FIELDS(ForeignRankUse, rank, state, cpuShare, residentBytes);
RM_FIELDS(WatchedJob, job, ranks);
RM_FIELDS(NamedJob, identity, name);
RM_FIELDS(HeldDevice, index, usedBytes, utilisation);
RM_FIELDS(FoundRank, rank, pid, state, cpuShare, memoryBytes, devices, place);
RM_FIELDS(JobFindings, statement, evidence, isAnybodyNamed, source, ranks, stacks);

namespace {

static_assert(v1::ForeignJob::LAUNCHER_RAY == static_cast<int>(ForeignJob::Launcher::Ray) + 1);
static_assert(v1::ForeignRankUse::STATE_STOPPED ==
              static_cast<int>(ForeignRankUse::State::Stopped) + 1);
static_assert(v1::FoundRank::STATE_ENDED == static_cast<int>(FoundRank::State::Ended) + 1);

constexpr std::size_t MostJobs = 64;
constexpr std::size_t LongestCommand = 512;
/// Text of other processes, which has no limit of its own.
constexpr std::size_t LongestText = 4096;

void shorten(std::string& text, std::size_t longest)
{
    text.resize(std::min(text.size(), longest));
}

WatchedJob shortened(WatchedJob watched)
{
    for (std::string* text : {&watched.job.name, &watched.job.user, &watched.job.store})
        shorten(*text, LongestText);
    for (ForeignRank& rank : watched.job.ranks) {
        shorten(rank.command, LongestCommand);
        shorten(rank.output, LongestText);
    }
    return watched;
}

} // namespace

void toProto(const std::vector<WatchedJob>& jobs, v1::ForeignJobs& proto)
{
    for (std::size_t i = 0; i < std::min(jobs.size(), MostJobs); ++i)
        fields::write(shortened(jobs[i]), *proto.add_jobs());
}

Result<std::vector<WatchedJob>> fromProto(const v1::ForeignJobs& proto)
{
    std::vector<WatchedJob> jobs;
    for (const v1::WatchedJob& watched : proto.jobs()) {
        jobs.push_back(RM_TRY(fields::read<WatchedJob>(watched)));
        if (jobs.back().ranks.size() != jobs.back().job.ranks.size())
            return fail(code::MalformedMessage, {{"what", "ranks of a job"}});
    }
    return jobs;
}

void toProto(const NamedJob& job, v1::ForeignJobQuery& proto)
{
    fields::write(job, proto);
}

Result<NamedJob> fromProto(const v1::ForeignJobQuery& proto)
{
    NamedJob job = RM_TRY(fields::read<NamedJob>(proto));
    if (job.identity.pid <= 0)
        return fail(code::MalformedMessage, {{"what", "process of a job"}});
    shorten(job.name, LongestText);
    return job;
}

void toProto(const JobFindings& findings, v1::JobFindings& proto)
{
    fields::write(findings, proto);
}

Result<JobFindings> fromProto(const v1::JobFindings& proto)
{
    return fields::read<JobFindings>(proto);
}

} // namespace ringmaster
