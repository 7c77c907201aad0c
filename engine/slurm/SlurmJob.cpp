#include "engine/slurm/SlurmJob.h"

#include "engine/base/SignalName.h"
#include "engine/job/Codes.h"
#include "engine/slurm/Codes.h"
#include "engine/text/PythonText.h"
#include "engine/text/TextSearch.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

namespace ringmaster {

namespace {

/// Without the cluster's whole queue, which squeue's JSON always has.
constexpr const char* QueueFields =
    "--Format=JobID:|,State:|,Reason:|,NodeList:|,TimeLimit:|,RestartCnt:|";

std::vector<std::string> fieldsOf(const std::string& line, char separator)
{
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, separator);)
        fields.push_back(field);
    return fields;
}

int numberIn(const std::string& text)
{
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Slurm leaves out what is nought: 1:30 is a minute and a half.
std::string wholeTime(const std::string& text)
{
    std::string time = text.find_first_not_of("0123456789:") == std::string::npos ? text : "";
    if (time.empty())
        return text;
    if (std::ranges::count(time, ':') == 1)
        time.insert(0, "00:");
    if (time.find(':') == 1)
        time.insert(0, "0");
    if (time.size() == std::string_view("00:0:00").size())
        time.insert(3, "0");
    return time;
}

/// The word after KEY= in a line of scontrol's.
std::string fieldValue(const std::string& line, const std::string& key)
{
    const size_t found = (" " + line).find(" " + key + "=");
    if (found == std::string::npos)
        return {};
    const size_t start = found + key.size() + 1;
    return line.substr(start, line.find(' ', start) - start);
}

/// Those that nobody but the user can do something about.
constexpr auto Hopeless = std::to_array<std::string_view>(
    {"PartitionNodeLimit", "PartitionTimeLimit", "PartitionInactive", "PartitionDown",
     "BadConstraints", "AccountNotAllowed", "InvalidAccount", "InvalidQOS",
     "DependencyNeverSatisfied", "AssociationJobLimit", "launch failed requeued held"});

} // namespace

SlurmJob::Phase SlurmJob::phase() const
{
    static constexpr auto Waiting =
        std::to_array<std::string_view>({"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD",
                                         "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"});
    static constexpr auto Going = std::to_array<std::string_view>(
        {"RUNNING", "SUSPENDED", "RESIZING", "STOPPED", "SIGNALING"});
    if (std::ranges::find(Waiting, state) != Waiting.end())
        return Phase::Pending;
    if (std::ranges::find(Going, state) != Going.end())
        return Phase::Running;
    return state == "COMPLETING" || state == "STAGE_OUT" ? Phase::Completing : Phase::Ended;
}

std::vector<std::string> squeueCommand(const std::string& name)
{
    return {"/usr/bin/env", "squeue", "--noheader", "--states=all", "--name=" + name, QueueFields};
}

std::vector<std::string> sacctCommand(const std::string& name)
{
    return {"/usr/bin/env",   "sacct",
            "--noheader",     "--parsable2",
            "--allocations",  "--duplicates",
            "--name=" + name, "--format=JobIDRaw,State,Reason,NodeList,Timelimit"};
}

std::vector<std::string> scancelCommand(const std::string& name)
{
    return {"/usr/bin/env", "scancel", "--name=" + name};
}

std::vector<std::string> nodesCommand(const std::string& nodes)
{
    return {"/usr/bin/env", "scontrol", "--oneliner", "show", "node", nodes};
}

std::vector<std::string> stepCommand(const SlurmJob& job, const std::string& node,
                                     const std::vector<std::string>& words)
{
    // Unbuffered, or srun keeps back what has no newline.
    std::vector<std::string> command{"/usr/bin/env", "srun",         "--jobid=" + job.number,
                                     "--overlap",    "--unbuffered", "--quiet",
                                     "--nodes=1",    "--ntasks=1",   "--nodelist=" + node,
                                     "--chdir=/"};
    command.insert(command.end(), words.begin(), words.end());
    return command;
}

std::optional<SlurmJob> slurmJobIn(const std::string& output)
{
    std::optional<SlurmJob> newest;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> fields = fieldsOf(line, '|');
        if (fields.size() < 3 || fields[0].empty())
            continue;
        SlurmJob job{.number = fields[0],
                     .state = fields[1].substr(0, fields[1].find(' ')), // "CANCELLED by 0"
                     .reason = fields[2],
                     .nodes = fields.size() > 3 ? fields[3] : "",
                     .limit = fields.size() > 4 ? wholeTime(fields[4]) : "",
                     .start = fields.size() > 5 ? numberIn(fields[5]) : 0};
        const bool isLive = job.phase() != SlurmJob::Phase::Ended;
        if (!newest || isLive || newest->phase() == SlurmJob::Phase::Ended)
            newest = std::move(job);
    }
    return newest;
}

std::vector<Host> slurmNodesIn(const std::string& output)
{
    std::vector<Host> hosts;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const std::string name = fieldValue(line, "NodeName");
        if (name.empty())
            continue;
        const std::string address = fieldValue(line, "NodeAddr");
        hosts.push_back({.name = name, .address = address.empty() ? name : address});
    }
    return hosts;
}

std::optional<SlurmArrival> slurmArrivalIn(const std::string& text)
{
    std::istringstream first(text);
    SlurmArrival arrival{.job = {.state = "RUNNING"}};
    first >> arrival.job.number >> arrival.job.start >> arrival.job.nodes;
    arrival.hosts = slurmNodesIn(text);
    if (!first || arrival.hosts.empty())
        return std::nullopt;
    return arrival;
}

Message whyItWaits(const SlurmJob& job)
{
    Parameters parameters{{"job", job.number}, {"reason", job.reason}};
    if (job.reason.starts_with("JobHeld"))
        return {code::SlurmHeld, std::move(parameters), {}};
    const bool isHopeless = std::ranges::any_of(
        Hopeless, [&](std::string_view reason) { return job.reason.starts_with(reason); });
    return {isHopeless ? code::SlurmNeverStarts : code::SlurmWaits, std::move(parameters), {}};
}

bool endedBySlurm(const SlurmJob& job)
{
    return job.state == "PREEMPTED" || job.state == "NODE_FAIL" || job.state == "BOOT_FAIL";
}

Message whyItEnded(const SlurmJob& job, const std::string& log)
{
    const auto as = [&job](Code code) {
        return Message{code, {{"job", job.number}, {"state", job.state}}, {}};
    };
    if (job.state == "CANCELLED" || job.state == "REVOKED")
        return as(code::SlurmCancelled);
    if (job.state == "TIMEOUT" || job.state == "DEADLINE")
        return Message{code::SlurmTimeLimit,
                       {{"job", job.number}, {"limit", job.limit.empty() ? "?" : job.limit}},
                       {}};
    if (job.state == "PREEMPTED")
        return as(code::SlurmPreempted);
    if (job.state == "NODE_FAIL" || job.state == "BOOT_FAIL")
        return as(code::SlurmNodeFailed);
    if (job.state == "OUT_OF_MEMORY")
        return as(code::SlurmOutOfMemory);
    Message message = as(code::SlurmEnded);
    message.detail = stripped(log);
    return message;
}

bool isUnreachable(const std::string& said)
{
    return contains(said, "Unable to contact slurm controller") ||
           contains(said, "Socket timed out") || contains(said, "Connection refused") ||
           contains(said, "slurm_load_jobs error: Zero Bytes");
}

Error slurmFailure(const std::vector<std::string>& command, int exitCode,
                   const std::string& standardError)
{
    const std::string said(stripped(standardError));
    const std::string& program = command.at(1);
    const auto as = [&](Code code) {
        return Error{{code, {{"command", program}, {"reason", said}}, {}}, {}};
    };
    if (exitCode == 127 && contains(said, "env:"))
        return as(code::SlurmMissing);
    if (isUnreachable(said))
        return as(code::SlurmUnreachable);
    if (contains(said, "process configuration file") ||
        contains(said, "Could not establish a configuration"))
        return as(code::SlurmNotConfigured);
    if (contains(said, "nvalid partition")) {
        Error error = as(code::SlurmPartitionUnknown);
        for (const std::string& word : command)
            if (word.starts_with("--partition="))
                error.parameters["partition"] = word.substr(word.find('=') + 1);
        error.parameters.try_emplace("partition", "default");
        return error;
    }
    return as(code::SlurmRefuses);
}

Error stepFailure(const Host& host, int exitCode, const std::string& standardError)
{
    const std::string said(stripped(standardError));
    // The queue is asked again soon: it says why.
    for (const char* sign : {"Job is pending execution", "already completing or completed",
                             "Invalid job id", "suspended", "Requested nodes are busy"})
        if (contains(said, sign))
            return Error{{code::SlurmStepTooSoon, {{"host", host.name}}, said}, {}};
    if (isUnreachable(said))
        return Error{{code::SlurmUnreachable, {{"reason", said}}, {}}, {}};
    if (exitCode == 127 || contains(said, "No such file or directory"))
        return Error{{code::SlurmAgentMissing, {{"host", host.name}}, said}, {}};
    return Error{
        {code::SlurmStepFailed, {{"host", host.name}, {"status", exitText(exitCode)}}, said}, {}};
}

} // namespace ringmaster
