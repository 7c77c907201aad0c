#include "engine/record/RunFolder.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/event/EndCause.h"
#include "engine/record/Codes.h"
#include "engine/record/RunFolderJson.h"

#include <algorithm>
#include <array>
#include <ctime>

#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestName = 40;
constexpr size_t LongestSmallFile = 1U << 20U;

bool isSafe(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '-' || character == '_' ||
           character == '.';
}

std::string hostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

RunSummary summaryOf(const RunSnapshot& snapshot)
{
    RunSummary summary;
    summary.name = snapshot.started.name;
    summary.purpose = purposeOf(snapshot.started.name, snapshot.started.jobFile);
    summary.state = snapshot.state;
    summary.health = healthOf(snapshot);
    summary.isOnHosts = !snapshot.hosts.empty();
    summary.worldSize = snapshot.worldSize;
    summary.restartsUsed = snapshot.restartsUsed;
    summary.restartBudget = snapshot.restartBudget;
    summary.startedAt = snapshot.startedAt;
    summary.endedAt = snapshot.endedAt;
    summary.reason = snapshot.reason;
    if (const auto cause = endCauseOf(snapshot))
        summary.cause = cause->cause;
    return summary;
}

} // namespace

AgentRecord AgentRecord::current(fs::path socket)
{
    return {.process = identityOf(getpid()).value_or(ProcessIdentity{}),
            .host = hostName(),
            .boot = clockId(),
            .socket = std::move(socket)};
}

AgentLife lifeOf(const AgentRecord& agent)
{
    if (agent.host != hostName())
        return AgentLife::Elsewhere;
    return agent.boot == clockId() && isAlive(agent.process) ? AgentLife::Alive : AgentLife::Gone;
}

std::string makeRunId(std::string_view jobName, std::int64_t wallNs, std::string_view token)
{
    const std::time_t seconds = wallNs / 1'000'000'000;
    std::tm local{};
    localtime_r(&seconds, &local);
    std::array<char, 32> time{};
    (void)std::strftime(time.data(), time.size(), "%Y%m%d-%H%M%S", &local);

    std::string name;
    for (const char character : jobName.substr(0, LongestName)) {
        if (isSafe(character))
            name += character;
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-')
        name.pop_back();
    return std::string(time.data()) + "-" + (name.empty() ? "run" : name) + "-" +
           std::string(token);
}

Result<RunFolder> RunFolder::create(const fs::path& runs, std::string_view jobName,
                                    const AgentRecord& agent, Moment now)
{
    return createNamed(runs, makeRunId(jobName, now.wallNs, randomToken(6)), agent);
}

Result<RunFolder> RunFolder::createNamed(const fs::path& runs, const std::string& id,
                                         const AgentRecord& agent)
{
    if (!isId(id))
        return fail(code::RunNotFound, {{"run", id}});
    RM_TRY(makeFolder(runs));
    // Another process may make one of the same id at the same time.
    const RunFolder hidden(runs / ("." + id + "." + randomToken(6) + ".new"));
    RM_TRY(makeFolder(hidden.path()));
    RM_TRY(makeFolder(hidden.logs()));
    // After a power cut nobody needs it: then the agent is gone.
    RM_TRY(writeFileAtomically(hidden.agentFile(), toJson(agent), 0600, Durability::Relaxed));
    std::error_code error;
    fs::rename(hidden.path(), runs / id, error);
    if (error) {
        std::error_code ignored;
        fs::remove_all(hidden.path(), ignored);
        return fail(code::FolderNotWritable, {{"path", runs.string()}}, error.message());
    }
    return RunFolder(runs / id);
}

bool RunFolder::isId(std::string_view id)
{
    return !id.empty() && id.size() <= 200 && id.front() != '.' && std::ranges::all_of(id, isSafe);
}

Result<RunFolder> RunFolder::find(const fs::path& runs, std::string_view id)
{
    std::error_code error;
    if (!isId(id) || !fs::is_directory(runs / id, error))
        return fail(code::RunNotFound, {{"run", std::string(id)}});
    return RunFolder(runs / id);
}

Result<AgentRecord> RunFolder::agent() const
{
    return agentFromJson(RM_TRY(readFile(agentFile(), LongestSmallFile)));
}

Result<void> RunFolder::setAgent(const AgentRecord& agent) const
{
    return writeFileAtomically(agentFile(), toJson(agent), 0600, Durability::Relaxed);
}

Result<void> RunFolder::writeSummary(const RunSnapshot& snapshot,
                                     const Unrecorded& unrecorded) const
{
    RunSummary summary = summaryOf(snapshot);
    summary.unrecorded = unrecorded;
    // Of a finished run it doesn't change any more, and adding it up is what makes a list slow.
    if (isFinal(snapshot.state))
        summary.sizeBytes = size();
    // What it says is in the run file, too.
    return writeFileAtomically(summaryFile(), toJson(summary), 0600, Durability::Relaxed);
}

RunSummary RunFolder::summary() const
{
    std::optional<RunSummary> written;
    if (const auto content = readFile(summaryFile(), LongestSmallFile))
        written = summaryFromJson(*content);
    RunSummary summary = written.value_or(RunSummary{});
    if (!written) {
        if (const auto reader = openReader()) {
            if (const auto snapshot = reader->snapshot())
                summary = summaryOf(*snapshot);
        }
    }
    summary.id = id();
    summary.folder = m_path;
    summary.isPinned = isPinned();
    summary.labels = labels();
    const auto running = agent();
    summary.isLive = running && !isFinal(summary.state) && lifeOf(*running) != AgentLife::Gone;
    if (summary.sizeBytes == 0)
        summary.sizeBytes = size();
    return summary;
}

bool RunFolder::isPinned() const
{
    std::error_code error;
    return fs::exists(m_path / "pinned", error);
}

Result<void> RunFolder::setPinned(bool pinned) const
{
    if (pinned)
        return writeFileAtomically(m_path / "pinned", "");
    std::error_code error;
    fs::remove(m_path / "pinned", error);
    if (error)
        return fail(code::FileNotWritable, {{"path", (m_path / "pinned").string()}},
                    error.message());
    return {};
}

RunLabels RunFolder::labels() const
{
    const auto content = readFile(m_path / "labels.json", LongestSmallFile);
    return content ? labelsFromJson(*content) : RunLabels{};
}

Result<void> RunFolder::setLabels(const RunLabels& labels) const
{
    return writeFileAtomically(m_path / "labels.json", toJson(tidied(labels)));
}

bool RunFolder::isImported() const
{
    std::error_code error;
    return fs::exists(m_path / "imported", error);
}

std::uint64_t RunFolder::size() const
{
    std::uint64_t total = 0;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(m_path, options, error), end;
         !error && entry != end; entry.increment(error)) {
        std::error_code unsized;
        if (entry->is_regular_file(unsized) && !entry->is_symlink(unsized))
            total += entry->file_size(unsized);
    }
    return total;
}

Result<RunFileReader> RunFolder::openReader() const
{
    using Origin = RunFileReader::Origin;
    return RunFileReader::open(runFile(), isImported() ? Origin::Foreign : Origin::OwnRun);
}

} // namespace ringmaster
