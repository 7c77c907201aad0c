#include "engine/cli/CommandTree.h"

#include "engine/cli/CliCommand.h"
#include "engine/cli/RunOptions.h"
#include "engine/job/CommandOptions.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace ringmaster {

namespace {

CommandTree::Option optionOf(const CLI::Option& option)
{
    CommandTree::Option found{.description = option.get_description(),
                              .isRequired = option.get_required()};
    if (option.nonpositional()) {
        for (const std::string& name : option.get_snames())
            found.names.push_back("-" + name);
        for (const std::string& name : option.get_lnames())
            found.names.push_back("--" + name);
        if (option.get_items_expected_max() > 0 && option.get_type_size_max() > 0)
            found.valueName = option.get_type_name().starts_with("{") ? "CHOICE" : "VALUE";
        found.isMachine = option.check_lname("on");
    } else {
        found.names.push_back(option.get_name(true));
        found.isRun = found.names.front() == "RUN";
    }
    return found;
}

/// run's options are torchrun's, which CLI11 doesn't see.
CommandTree::Option optionOf(const OptionRow& row)
{
    CommandTree::Option option{.description = std::string(row.help)};
    if (row.letter != 0)
        option.names.push_back(std::string("-") + row.letter);
    option.names.emplace_back(row.name);
    if (row.takesValue())
        option.valueName = "VALUE";
    option.isMachine = row.name == "--on";
    std::string choices(row.choices);
    for (size_t at = 0; at < choices.size();) {
        const size_t comma = std::min(choices.find(',', at), choices.size());
        option.choices.push_back(choices.substr(at, comma - at));
        at = comma + 1;
    }
    return option;
}

CommandTree::Command commandOf(const CLI::App& app)
{
    CommandTree::Command command{.name = app.get_name(), .summary = app.get_description()};
    if (command.name == "run") {
        for (const auto rows : {commandOptions(), runOptionRows()}) {
            for (const OptionRow& row : rows)
                command.options.push_back(optionOf(row));
        }
        command.arguments.push_back({.names = {"PROGRAM"},
                                     .description = "A Python script, or a .ringjob file; what "
                                                    "follows are the program's own arguments",
                                     .isRequired = true});
        return command;
    }
    std::vector<const CLI::Option*> all = app.get_options();
    for (const CLI::App* group : app.get_subcommands([](const CLI::App* sub) {
             return sub->get_name().empty(); // an option group
         })) {
        const auto its = group->get_options();
        all.insert(all.end(), its.begin(), its.end());
    }
    for (const CLI::Option* option : all)
        (option->nonpositional() ? command.options : command.arguments)
            .push_back(optionOf(*option));
    return command;
}

} // namespace

CommandTree commandTree(const CLI::App& app)
{
    CommandTree tree{.description = app.get_description(), .footer = app.get_footer()};
    for (const CLI::App* command : app.get_subcommands(nullptr))
        tree.commands.push_back(commandOf(*command));
    const auto commands = makeCommands();
    for (const auto& command : commands) {
        const auto found =
            std::ranges::find(tree.commands, command->about().name, &CommandTree::Command::name);
        if (found == tree.commands.end())
            continue;
        found->description = command->about().description;
        found->examples = command->about().examples;
    }
    return tree;
}

} // namespace ringmaster
