#pragma once

#include "engine/event/LeadCommands.h"
#include "engine/record/RunFolder.h"

#include <filesystem>
#include <vector>

namespace ringmaster {

/// Keeps leads of one run apart on this machine. Each agent's agent.json says which lead commands
/// it, by its generation; the newest that is found there is the run's lead. Pure of threads; reads
/// and writes files, and ends processes.
class LeadFence
{
public:
    /// `parts` has the folders of this machine's agents.
    LeadFence(std::filesystem::path parts, const AgentLaunchRequest& order);

    /// code::LeadReplaced: a newer lead has agents of this run here.
    Result<void> check() const;

    /// For who starts an agent: ends what older leads run here for the same host, and frees its
    /// name. This lead itself may have started it before, and not have heard of it. Once before
    /// the agent's folder is there, and once more after it: of two that start at once, one at
    /// least sees the other. Blocks for some seconds at most.
    Result<void> claim() const;

    /// The agent of this folder obeys a newer lead: older ones may start nothing here any more.
    static Result<void> obey(const RunFolder& folder, std::uint64_t generation);

private:
    struct Part
    {
        RunFolder folder;
        AgentRecord agent{};
        bool hasOurName = false;
    };

    std::vector<Part> parts() const;
    void end(const Part& part) const;
    Result<void> putAside(const Part& part) const;

    std::filesystem::path m_parts;
    std::string m_run;
    std::string m_agent;
    std::string m_host;
    std::uint64_t m_generation;
};

} // namespace ringmaster
