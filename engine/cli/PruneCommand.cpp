#include "engine/base/Paths.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/control/OrphanSweep.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class PruneCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"prune", "Remove the oldest finished runs",
                "Until no more than --keep are left and they take no more than --gigabytes. "
                "Running and pinned runs stay."};
    }

    void define(CLI::App& app) override
    {
        app.add_option("--keep", m_keep, "How many runs stay")->capture_default_str();
        app.add_option("--gigabytes", m_gigabytes, "How much disk they may take")
            ->capture_default_str()
            ->check(CLI::NonNegativeNumber);
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        const RunCatalog catalog(runsFolder());
        const auto removed =
            pruneRuns(catalog, {.runs = m_keep,
                                .bytes = static_cast<std::uint64_t>(m_gigabytes * (1ULL << 30U))});
        if (m_isJson) {
            Terminal(STDOUT_FILENO).print(dump(Json{{"removed", removed}}));
            return 0;
        }
        for (const std::string& run : removed)
            Terminal(STDERR_FILENO).print("Removed " + run + "\n");
        if (removed.empty())
            Terminal(STDERR_FILENO).print("Nothing to remove.\n");
        return 0;
    }

private:
    size_t m_keep = RunCatalog::Retention().runs;
    double m_gigabytes = 10;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makePruneCommand()
{
    return std::make_unique<PruneCommand>();
}

} // namespace ringmaster
