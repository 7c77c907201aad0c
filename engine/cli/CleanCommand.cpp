#include "engine/base/Paths.h"
#include "engine/cli/Commands.h"
#include "engine/cli/HostsOfLostRun.h"
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
        const RunCatalog catalog(runsFolder());
        // list() closes what is lost.
        const std::vector<RunSummary> runs = catalog.list();
        const OrphanSweep swept = sweepOrphans(catalog, runs);
        const auto folder = runtimeFolder();
        if (!folder)
            return complain(folder.error());
        const int sockets = removeStaleControlSockets(*folder);
        const Terminal terminal(STDERR_FILENO);
        terminal.print("Ended " + std::to_string(swept.ended) + " processes, removed " +
                       counted(static_cast<size_t>(sockets), "socket") + "\n" +
                       hostsOfLostRuns(runs));
        for (const Message& process : swept.left)
            terminal.print(describe(process) + "\n");
        return swept.left.empty() ? 0 : 1;
    }
};

} // namespace

std::unique_ptr<CliCommand> makeCleanCommand()
{
    return std::make_unique<CleanCommand>();
}

} // namespace ringmaster
