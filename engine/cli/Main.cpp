#include "engine/cli/Main.h"

#include "engine/base/Error.h"
#include "engine/base/Thread.h"
#include "engine/cli/AgentCommand.h"
#include "engine/cli/CliCommand.h"
#include "engine/cli/Codes.h"
#include "engine/cli/RunCommand.h"
#include "engine/cli/Terminal.h"
#include "engine/text/Spelling.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <iostream>

#include <CLI/CLI.hpp>

namespace ringmaster {

namespace {

std::vector<std::string> namesOf(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr))
        names.push_back(command->get_name());
    return names;
}

int complainAboutCommand(const std::string& command, const std::vector<std::string>& known)
{
    if (const auto nearest = nearestSpelling(command, known))
        return complain(
            Error{{code::CommandMeant, {{"command", command}, {"nearest", *nearest}}, {}}, {}});
    return complain(Error{{code::CommandUnknown, {{"command", command}}, {}}, {}});
}

int otherCommand(std::vector<std::string> words, bool isThere)
{
    (void)std::signal(SIGPIPE, SIG_DFL); // `ringmaster logs | head` ends quietly
    const auto commands = makeCommands();
    const auto app = makeApp(commands, {.words = words, .isThere = isThere});
    const std::string first = words.empty() ? "--help" : words.front();
    const auto known = namesOf(*app);
    if (!first.starts_with('-') && std::ranges::find(known, first) == known.end())
        return complainAboutCommand(first, known);
    if (words.empty())
        words = {first};
    std::ranges::reverse(words); // as CLI11 wants them
    try {
        app->parse(std::move(words));
    } catch (const CLI::RuntimeError& ended) {
        return ended.get_exit_code();
    } catch (const CLI::Success& asked) { // help, version
        return app->exit(asked, std::cout, std::cerr);
    } catch (const CLI::ParseError& error) {
        return complain(std::string(error.what()) + "; see `ringmaster " + first + " --help`");
    }
    return 0;
}

/// Whatever it does, a thread or a loop that can't be made is said with its remedy.
int guarded(const std::function<int()>& command)
{
    int exitCode = 0;
    const auto done = guardThreads([&]() -> Result<void> {
        exitCode = command();
        return {};
    });
    return done ? exitCode : complain(done.error());
}

int dispatch(const std::string& program, std::vector<std::string> words)
{
    if (std::filesystem::path(program).filename() == "torchrun")
        return runCommand(words);
    const std::string command = words.empty() ? "" : words.front();
    // These become agents: neither pays for the other commands.
    if (command == "run")
        return runCommand({words.begin() + 1, words.end()});
    if (command == "agent")
        return agentCommand({words.begin() + 1, words.end()});
    return otherCommand(std::move(words), false);
}

} // namespace

int commandMain(const std::string& program, std::vector<std::string> words)
{
    return guarded([&] { return dispatch(program, std::move(words)); });
}

int commandForElsewhere(std::vector<std::string> words)
{
    return guarded([&] {
        if (!words.empty() && words.front() == "run")
            return runCommand({words.begin() + 1, words.end()});
        return otherCommand(std::move(words), true);
    });
}

} // namespace ringmaster
