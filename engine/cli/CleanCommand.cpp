#include "engine/base/Paths.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/OrphanSweep.h"
#include "engine/record/RunCatalog.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class CleanCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"clean", "End what killed agents left behind",
                "Closes the runs whose agent is gone as lost, ends their processes, and removes "
                "their sockets. Every Ringmaster does so from time to time."};
    }

    void define(CLI::App& /*app*/) override {}

    int execute() override
    {
        int processes = 0;
        // list() closes what is lost.
        for (const RunSummary& run : RunCatalog(runsFolder()).list()) {
            if (run.state == RunState::Lost)
                processes += sweepOrphans(run.id);
        }
        const auto folder = runtimeFolder();
        if (!folder)
            return complain(folder.error());
        const int sockets = removeStaleControlSockets(*folder);
        Terminal(STDERR_FILENO)
            .print("Ended " + std::to_string(processes) + " processes, removed " +
                   counted(static_cast<size_t>(sockets), "socket") + "\n");
        return 0;
    }
};

} // namespace

std::unique_ptr<CliCommand> makeCleanCommand()
{
    return std::make_unique<CleanCommand>();
}

} // namespace ringmaster
