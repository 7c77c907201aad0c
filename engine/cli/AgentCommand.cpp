#include "engine/cli/AgentCommand.h"

#include "engine/cli/RunCommand.h"
#include "engine/cli/Terminal.h"

namespace ringmaster {

int agentCommand(std::vector<std::string> words)
{
    if (words.empty() || words.front() != "--stdio")
        return complain("agent is for Ringmaster's own use; start a job with `ringmaster run`");
    return runCommand(words);
}

} // namespace ringmaster
