#include "engine/base/Paths.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/import/RunImport.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class ImportCommand : public CliCommand
{
public:
    About about() const override
    {
        return {
            "import", "Make runs of files that were recorded elsewhere",
            "Opens a .ringrun file, or what PyTorch and NCCL write of a job by themselves: "
            "flight recorder dumps (as pickle or JSON), logs of torchcomms' ClogHook, traces "
            "of torch.profiler or logs of NCCL Inspector, a folder with one of each rank or "
            "process, and torchrun's log folder. What nccl-tests printed, or wrote as CSV or "
            "JSON, becomes a sweep. Gzipped files are read as they are. What becomes a run is "
            "listed, shown and judged like any other, as far as the files tell; what they don't "
            "tell is said. The files are only read. The same files again are the same run.",
            "  ringmaster import dumps/            flight recorder dumps of all ranks\n"
            "  ringmaster import logs/             what torchrun --log-dir logs kept\n"
            "  ringmaster import all_reduce.txt    what all_reduce_perf of nccl-tests printed\n"
            "  ringmaster import run.ringrun       a run that somebody has exported"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "A file, or a folder with those of one job")->required();
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        const RunCatalog catalog(runsFolder());
        Json runs = Json::array();
        int exitCode = 0;
        for (const std::string& path : m_paths) {
            const auto imported = importRuns(catalog, path);
            if (!imported) {
                exitCode = complain(imported.error());
                continue;
            }
            for (const std::string& run : *imported) {
                runs.push_back({{"path", path}, {"run", run}});
                if (!m_isJson)
                    m_out.print(harmless(path) + " is run " + run + "; `ringmaster show " + run +
                                "` says what is in it.\n");
            }
        }
        if (m_isJson)
            m_out.print(dump({{"runs", std::move(runs)}}));
        return exitCode;
    }

private:
    Terminal m_out{STDOUT_FILENO};
    std::vector<std::string> m_paths;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeImportCommand()
{
    return std::make_unique<ImportCommand>();
}

} // namespace ringmaster
