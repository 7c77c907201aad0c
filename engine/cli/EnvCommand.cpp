#include "engine/cli/Commands.h"
#include "engine/cli/Json.h"
#include "engine/cli/RunOptions.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/WorkerPlace.h"
#include "engine/job/WorkerEnvironment.h"
#include "engine/machine/MachineCounts.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

std::string_view originText(VariableOrigin origin)
{
    switch (origin) {
    case VariableOrigin::Inherited: return "inherited";
    case VariableOrigin::Job: return "job";
    case VariableOrigin::Torchrun: return "torchrun";
    case VariableOrigin::Ringmaster: return "ringmaster";
    }
    return "";
}

Terminal::Style styleOf(VariableOrigin origin)
{
    switch (origin) {
    case VariableOrigin::Inherited: return Terminal::Style::Dim;
    case VariableOrigin::Job: return Terminal::Style::Green;
    case VariableOrigin::Torchrun: return Terminal::Style::Blue;
    case VariableOrigin::Ringmaster: return Terminal::Style::Yellow;
    }
    return Terminal::Style::Dim;
}

class EnvCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"env", "Print the environment that a rank would get",
                "Of a torchrun command line or a .ringjob file, which isn't run. Each variable is "
                "marked: torchrun (what torchrun sets, too), job (what the job sets), ringmaster "
                "(what Ringmaster adds; --plain adds nothing). Inherited ones are left out unless "
                "--all is given. Behind the options comes what `ringmaster run` would get.",
                "  ringmaster env --rank 1 --nproc-per-node 4 train.py"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("-r,--rank", m_rank, "The global rank, on one node")->capture_default_str();
        app.add_flag("-a,--all", m_isAll, "Inherited variables, too");
        app.add_flag("--json", m_isJson, "For a program to read");
        app.prefix_command();
        m_app = &app;
    }

    int execute() override
    {
        const EnvironmentMap environment = currentEnvironment();
        const auto options = parseRunOptions(m_app->remaining(), environment, STDIN_FILENO);
        if (!options) {
            for (const std::string& error : options.error())
                complain(error);
            return 2;
        }
        const auto entries =
            placeOf(options->spec, m_rank, countMachine(environment))
                .and_then([&](const WorkerPlace& place) {
                    return workerEnvironment(options->spec, options->spec.roles[place.role],
                                             place.facts, environment);
                });
        if (!entries)
            return complain(entries.error());
        m_isJson ? printJson(entries->entries) : printText(entries->entries);
        return 0;
    }

private:
    bool isWanted(const EnvironmentEntry& entry) const
    {
        return m_isAll || entry.origin != VariableOrigin::Inherited;
    }

    void printJson(const std::vector<EnvironmentEntry>& entries) const
    {
        Json list = Json::array();
        for (const EnvironmentEntry& entry : entries) {
            if (isWanted(entry))
                list.push_back({{"name", entry.name},
                                {"value", entry.value},
                                {"origin", originText(entry.origin)}});
        }
        m_out.print(dump(list));
    }

    void printText(const std::vector<EnvironmentEntry>& entries) const
    {
        for (const EnvironmentEntry& entry : entries) {
            if (isWanted(entry))
                m_out.print(m_out.styled(std::string(originText(entry.origin)) +
                                             std::string(12 - originText(entry.origin).size(), ' '),
                                         styleOf(entry.origin)) +
                            entry.name + "=" + harmless(entry.value) + "\n");
        }
    }

    CLI::App* m_app = nullptr;
    Terminal m_out{STDOUT_FILENO};
    int m_rank = 0;
    bool m_isAll = false;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeEnvCommand()
{
    return std::make_unique<EnvCommand>();
}

} // namespace ringmaster
