#include "engine/base/Environment.h"
#include "engine/base/Paths.h"
#include "engine/cli/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Terminal.h"
#include "engine/text/PythonPath.h"
#include "engine/worker/hook/StartHook.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class HookCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"hook", "Print the PYTHONPATH that makes a job of another launcher recordable",
                "With it, and RINGMASTER_HOOK=1, each rank of a job that torchrun, accelerate, "
                "deepspeed, srun or anything else starts records its collectives in 5 MB of its "
                "own memory, the latest some ten thousand of them. `ringmaster attach` and the "
                "dashboard then read there who is absent from which operation. Nothing listens, "
                "nothing is written to a disk, and what isn't asked for isn't read. Where the "
                "hook can't record, the program runs as it would without. PYTHONPATH's own "
                "folders are printed, too, behind the hook's.",
                "  PYTHONPATH=$(ringmaster hook) RINGMASTER_HOOK=1 torchrun train.py\n"
                "  ringmaster attach"};
    }

    void define(CLI::App& /*app*/) override {}

    int execute() override
    {
        const auto folder = hookStartFolder();
        if (!folder)
            return complain(
                {{code::HookNotInstalled, {{"path", executableFolder().string()}}, {}}, {}});
        EnvironmentMap environment = currentEnvironment();
        Terminal(STDOUT_FILENO)
            .print(pythonPathWith(folder->string(), environment["PYTHONPATH"]) + "\n");
        return 0;
    }
};

} // namespace

std::unique_ptr<CliCommand> makeHookCommand()
{
    return std::make_unique<HookCommand>();
}

} // namespace ringmaster
