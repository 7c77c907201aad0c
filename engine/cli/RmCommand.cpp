#include "engine/base/Paths.h"
#include "engine/cli/Commands.h"
#include "engine/cli/RunChoice.h"
#include "engine/cli/Terminal.h"
#include "engine/control/OrphanSweep.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class RmCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"rm", "Remove finished runs",
                "With their logs, unless those were put elsewhere (--log-dir). A running run is "
                "refused."};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_runs, "Ids, beginnings of them, or names")->required();
    }

    int execute() override
    {
        const RunCatalog catalog(runsFolder());
        int exitCode = 0;
        for (const std::string& text : m_runs) {
            const auto removed = chooseRun(catalog.list(), text, RunScope::All)
                                     .and_then([&](const RunSummary& run) -> Result<std::string> {
                                         RM_TRY(removeRun(catalog, run.id));
                                         return run.id;
                                     });
            if (removed)
                Terminal(STDERR_FILENO).print("Removed " + *removed + "\n");
            else
                exitCode = complain(removed.error());
        }
        return exitCode;
    }

private:
    std::vector<std::string> m_runs;
};

} // namespace

std::unique_ptr<CliCommand> makeRmCommand()
{
    return std::make_unique<RmCommand>();
}

} // namespace ringmaster
