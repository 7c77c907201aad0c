#include "engine/base/Version.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class VersionCommand : public CliCommand
{
public:
    About about() const override { return {"version", "Print the version"}; }

    void define(CLI::App& app) override
    {
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        Terminal(STDOUT_FILENO)
            .print(m_isJson ? dump(Json{{"version", RINGMASTER_VERSION}})
                            : "ringmaster " RINGMASTER_VERSION "\n");
        return 0;
    }

private:
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeVersionCommand()
{
    return std::make_unique<VersionCommand>();
}

} // namespace ringmaster
