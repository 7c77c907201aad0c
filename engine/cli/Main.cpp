#include "engine/cli/Main.h"

#include "engine/cli/AgentCommand.h"
#include "engine/cli/RunCommand.h"

#include <filesystem>

namespace ringmaster {

int commandMain(const std::string& program, std::vector<std::string> words)
{
    if (std::filesystem::path(program).filename() == "torchrun")
        return runCommand(words);
    const std::string command = words.empty() ? "" : words.front();
    if (!words.empty())
        words.erase(words.begin());
    // These become agents: neither pays for the other commands.
    if (command == "run")
        return runCommand(words);
    if (command == "agent")
        return agentCommand(std::move(words));
    return 2;
}

} // namespace ringmaster
