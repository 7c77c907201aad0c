#include "engine/job/PlacedLine.h"

#include "engine/job/Codes.h"
#include "engine/job/SecretName.h"

namespace ringmaster {

namespace {

/// The first word behind torchrun's own options.
size_t programAt(const CommandLine& line, const Role& role)
{
    const size_t behind =
        role.program.empty() && role.arguments.empty() ? 0 : 1 + role.arguments.size();
    const size_t at = line.words.size() - behind;
    return at > 0 && line.words[at - 1] == "--" ? at - 1 : at;
}

} // namespace

PlacedLine placedLine(const JobSpec& spec)
{
    JobSpec elsewhere = spec;
    elsewhere.nodes = {};
    elsewhere.rendezvous = {};
    elsewhere.slurm = {};
    elsewhere.hosts = {};
    elsewhere.runOn = RunOn::Hosts;
    elsewhere.name = {};
    Role& role = elsewhere.roles.front();
    role.workers = {};
    role.devicesPerWorker = 0;
    const std::string interpreter = std::exchange(role.interpreter, {});
    std::map<std::string, std::string> environment;
    PlacedLine placed;
    for (auto& [name, value] : role.environment) {
        if (isSecretName(name))
            placed.secrets.push_back(name);
        else
            environment.emplace(name, value);
    }
    role.environment = std::move(environment);

    const CommandLine line = toCommandLine(elsewhere);
    const auto program = line.words.begin() + static_cast<std::ptrdiff_t>(programAt(line, role));
    placed.torchrun = interpreter.empty()
                          ? std::vector<std::string>{"torchrun"}
                          : std::vector<std::string>{interpreter, "-m", "torch.distributed.run"};
    placed.options = {line.words.begin() + 1, program};
    placed.program = {program, line.words.end()};
    placed.environment = line.environment;
    placed.cannotSay = line.cannotSay;
    for (const auto& [key, value] : spec.rendezvous.configuration)
        placed.cannotSay.push_back({code::LineCannotSay,
                                    {{"what", "rendezvous.configuration." + key}, {"value", value}},
                                    {}});
    return placed;
}

} // namespace ringmaster
