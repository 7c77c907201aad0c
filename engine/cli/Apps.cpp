#include "engine/base/Version.h"
#include "engine/cli/CliCommand.h"
#include "engine/cli/Commands.h"
#include "engine/cli/MachineCommand.h"

#include <CLI/CLI.hpp>

namespace ringmaster {

namespace {

constexpr std::string_view OnHelp =
    "On another machine: one of `ringmaster host ls`, or a name that ssh knows";

std::string longHelp(const CliCommand::About& about)
{
    std::string text(about.description);
    if (!about.examples.empty())
        text += (text.empty() ? "Examples:\n" : "\n\nExamples:\n") + std::string(about.examples);
    return text;
}

} // namespace

std::vector<std::unique_ptr<CliCommand>> makeCommands()
{
    std::vector<std::unique_ptr<CliCommand>> commands;
    for (auto* make :
         {makePsCommand,      makeLogsCommand,       makeShowCommand,     makeStacksCommand,
          makeMetricsCommand, makeStopCommand,       makeTakeoverCommand, makeRestartCommand,
          makeSignalCommand,  makeForwardCommand,    makeDrillCommand,    makeLabelCommand,
          makeCompareCommand, makeRmCommand,         makePruneCommand,    makeExportCommand,
          makeImportCommand,  makeCleanCommand,      makeHostCommand,     makeCheckCommand,
          makeJobCommand,     makeLessonCommand,     makeSweepCommand,    makeCalibrateCommand,
          makeEnvCommand,     makeDoctorCommand,     makeGpusCommand,     makeAttachCommand,
          makeHookCommand,    makeCompletionCommand, makeManCommand,      makeVersionCommand})
        commands.push_back(make());
    return commands;
}

std::unique_ptr<CLI::App> makeApp(const std::vector<std::unique_ptr<CliCommand>>& commands,
                                  const Invocation& invocation)
{
    auto app = std::make_unique<CLI::App>(
        "Ringmaster runs, watches and explains distributed PyTorch jobs.", "ringmaster");
    app->require_subcommand(1);
    app->set_version_flag("--version", "ringmaster " RINGMASTER_VERSION);
    auto* run = app->add_subcommand("run", std::string(RunSummaryLine));
    run->prefix_command();
    for (const auto& command : commands) {
        const CliCommand::About about = command->about();
        auto* added = app->add_subcommand(std::string(about.name), std::string(about.summary));
        command->define(*added);
        if (about.takesMachine)
            added->add_option("--on", command->machine, std::string(OnHelp));
        added->footer(longHelp(about));
        added->callback([&command = *command, invocation] {
            const bool isHere = command.machine.empty() || invocation.isThere;
            throw CLI::RuntimeError(isHere ? command.execute()
                                           : commandOn(command.machine, invocation.words));
        });
    }
    // Last: what is added before would take it over.
    app->footer("`ringmaster COMMAND --help` says more about a command. RUN is a run's id, a "
                "beginning of it, or its name.");
    return app;
}

} // namespace ringmaster
