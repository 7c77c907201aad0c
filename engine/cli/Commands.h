#pragma once

#include "engine/cli/CliCommand.h"

namespace ringmaster {

std::unique_ptr<CliCommand> makeAttachCommand();
std::unique_ptr<CliCommand> makeCompletionCommand();
std::unique_ptr<CliCommand> makeCompareCommand();
std::unique_ptr<CliCommand> makeDoctorCommand();
std::unique_ptr<CliCommand> makeDrillCommand();
std::unique_ptr<CliCommand> makeEnvCommand();
std::unique_ptr<CliCommand> makeExportCommand();
std::unique_ptr<CliCommand> makeForwardCommand();
std::unique_ptr<CliCommand> makeGpusCommand();
std::unique_ptr<CliCommand> makeHookCommand();
std::unique_ptr<CliCommand> makeHostCommand();
std::unique_ptr<CliCommand> makeImportCommand();
std::unique_ptr<CliCommand> makeJobCommand();
std::unique_ptr<CliCommand> makeLabelCommand();
std::unique_ptr<CliCommand> makeLessonCommand();
std::unique_ptr<CliCommand> makeLogsCommand();
std::unique_ptr<CliCommand> makeManCommand();
std::unique_ptr<CliCommand> makeMetricsCommand();
std::unique_ptr<CliCommand> makePruneCommand();
std::unique_ptr<CliCommand> makePsCommand();
std::unique_ptr<CliCommand> makeRestartCommand();
std::unique_ptr<CliCommand> makeRmCommand();
std::unique_ptr<CliCommand> makeShowCommand();
std::unique_ptr<CliCommand> makeSignalCommand();
std::unique_ptr<CliCommand> makeStacksCommand();
std::unique_ptr<CliCommand> makeStopCommand();
std::unique_ptr<CliCommand> makeTakeoverCommand();
std::unique_ptr<CliCommand> makeCalibrateCommand();
std::unique_ptr<CliCommand> makeSweepCommand();
std::unique_ptr<CliCommand> makeCleanCommand();
std::unique_ptr<CliCommand> makeCheckCommand();
std::unique_ptr<CliCommand> makeVersionCommand();

} // namespace ringmaster
