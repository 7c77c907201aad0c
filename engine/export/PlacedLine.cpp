#include "engine/export/PlacedLine.h"

#include "engine/export/Codes.h"
#include "engine/job/Codes.h"
#include "engine/text/Codes.h"
#include "engine/text/PythonText.h"
#include "engine/text/SecretWords.h"
#include "engine/text/ShellWords.h"

#include <algorithm>
#include <set>

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

/// "API_KEY" for --api-key; another name when that one is taken.
std::string variableFor(const std::string& option, const Role& role,
                        const std::vector<std::string>& taken)
{
    std::string name;
    for (const char c : option) {
        if ((c >= 'a' && c <= 'z'))
            name += static_cast<char>(c - 'a' + 'A');
        else if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    }
    if (!isVariableName(name))
        name.insert(0, "SECRET_");
    const auto isTaken = [&](const std::string& wanted) {
        return role.environment.contains(wanted) || std::ranges::find(taken, wanted) != taken.end();
    };
    std::string free = name;
    for (int i = 2; isTaken(free); ++i)
        free = name + "_" + std::to_string(i);
    return free;
}

std::vector<PlacedLine::Word> placedProgram(const std::vector<std::string>& words, const Role& role,
                                            std::vector<std::string>& secrets)
{
    const std::vector<SecretPlace> places = secretsIn(words);
    std::vector<PlacedLine::Word> program(words.size());
    for (size_t i = 0; i < words.size(); ++i) {
        size_t end = 0;
        for (const SecretPlace& place : places) {
            if (place.word != i)
                continue;
            secrets.push_back(variableFor(place.name, role, secrets));
            if (place.begin > end)
                program[i].push_back({words[i].substr(end, place.begin - end)});
            program[i].push_back({secrets.back(), true});
            end = place.begin + place.length;
        }
        if (end < words[i].size() || words[i].empty())
            program[i].push_back({words[i].substr(end)});
    }
    return program;
}

} // namespace

Result<JobSpec> withCountOfHosts(const JobSpec& spec)
{
    JobSpec counted = spec;
    if (spec.hosts.empty())
        return counted;
    counted.hosts.clear();
    std::set<int> slots;
    for (const std::string& host : spec.hosts) {
        const size_t colon = host.rfind(':');
        const auto number =
            colon == std::string::npos ? std::nullopt : pythonInt(host.substr(colon + 1));
        slots.insert(number.value_or(0));
        // How many a group has is in the host book.
        if (host.starts_with('@') && spec.nodes == NodeRange{})
            return fail(code::ExportHostsUnknown, {{"hosts", join(spec.hosts, ",")}});
    }
    if (slots.size() > 1)
        return fail(code::ExportHostsDiffer, {{"hosts", join(spec.hosts, ",")}});
    if (spec.nodes == NodeRange{}) {
        const int count = static_cast<int>(spec.hosts.size());
        counted.nodes = {count, count};
    }
    if (*slots.begin() > 0)
        counted.roles.front().workers = {WorkerCount::Kind::Number, *slots.begin()};
    return counted;
}

Result<PlacedLine> placedLine(const JobSpec& spec)
{
    for (const auto& [name, value] : spec.roles.front().environment)
        if (!isVariableName(name))
            return fail(code::VariableNameInvalid, {{"name", name}});
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
        if (!secretsIn(name, value).empty())
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
    placed.program = placedProgram({program, line.words.end()}, spec.roles.front(), placed.secrets);
    placed.environment = line.environment;
    placed.cannotSay = line.cannotSay;
    placed.needs = line.needs;
    for (const auto& [key, value] : spec.rendezvous.configuration)
        placed.cannotSay.push_back({code::LineCannotSay,
                                    {{"what", "rendezvous.configuration." + key}, {"value", value}},
                                    {}});
    return placed;
}

} // namespace ringmaster
