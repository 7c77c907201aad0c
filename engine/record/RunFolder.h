#pragma once

#include "engine/base/ProcessInfo.h"
#include "engine/base/Result.h"
#include "engine/event/Snapshot.h"
#include "engine/record/Codes.h"
#include "engine/record/RunFileReader.h"
#include "engine/record/RunSummary.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

/// Who runs a run, and where it can be spoken to: `agent.json`.
struct AgentRecord
{
    ProcessIdentity process{};
    std::string host{};
    std::string boot{}; ///< clockId() of its machine
    std::filesystem::path socket{};
    std::uint64_t generation = 0; ///< Of the lead that it is, or obeys; 0: there is none.

    /// Of this process.
    static AgentRecord current(std::filesystem::path socket);
    bool operator==(const AgentRecord&) const = default;
};

/// What can be said about the process behind an AgentRecord. Elsewhere: on another machine that
/// shares the folder, so nobody here can tell.
enum class AgentLife { Alive, Gone, Elsewhere };
AgentLife lifeOf(const AgentRecord& agent);

/// The names of what a run keeps, below its folder. The folder's name is the run's id.
class RunFolder
{
public:
    /// A new one below `runs`, with its agent.json: nobody ever sees it half made.
    static Result<RunFolder> create(const std::filesystem::path& runs, std::string_view jobName,
                                    const AgentRecord& agent, Moment now);
    /// The same under an id that is given.
    static Result<RunFolder> createNamed(const std::filesystem::path& runs, const std::string& id,
                                         const AgentRecord& agent);
    /// One that is there. code::RunNotFound also for what can't be an id.
    static Result<RunFolder> find(const std::filesystem::path& runs, std::string_view id);

    /// Not what could leave the folder of the runs, or hide in it.
    static bool isId(std::string_view id);

    const std::filesystem::path& path() const { return m_path; }
    std::string id() const { return m_path.filename(); }
    std::filesystem::path runFile() const { return m_path / "run.ringrun"; }
    std::filesystem::path agentFile() const { return m_path / "agent.json"; }
    std::filesystem::path agentLog() const { return m_path / "agent.log"; }
    std::filesystem::path logs() const { return m_path / "logs"; }
    std::filesystem::path jobFile() const { return m_path / "job.ringjob"; }

    Result<AgentRecord> agent() const;
    /// Another process runs it from now on. Under the folder's lock.
    Result<void> setAgent(const AgentRecord& agent) const;

    /// Written by the agent when the run's state changes: what a list of runs reads.
    Result<void> writeSummary(const RunSnapshot& snapshot, const Unrecorded& unrecorded = {}) const;
    /// From summary.json, else from the run file.
    RunSummary summary() const;

    bool isPinned() const;
    Result<void> setPinned(bool pinned) const;

    /// None where nobody has written any, or they can't be read.
    RunLabels labels() const;
    Result<void> setLabels(const RunLabels& labels) const;

    /// It came as a file from elsewhere.
    bool isImported() const;

    std::uint64_t size() const;
    Result<RunFileReader> openReader() const;

private:
    explicit RunFolder(std::filesystem::path path) : m_path(std::move(path)) {}
    std::filesystem::path summaryFile() const { return m_path / "summary.json"; }

    std::filesystem::path m_path;
};

/// "20261121-080835-train-x7k2": sorts by time, safe in every shell and file system.
std::string makeRunId(std::string_view jobName, std::int64_t wallNs, std::string_view token);

} // namespace ringmaster
