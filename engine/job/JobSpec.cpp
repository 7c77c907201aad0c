#include "engine/job/JobSpec.h"

#include <filesystem>

namespace ringmaster {

std::uint8_t StreamSelection::of(int localRank) const
{
    const auto found = byLocalRank.find(localRank);
    return found == byLocalRank.end() ? all : found->second;
}

std::string JobSpec::displayName() const
{
    if (!name.empty())
        return name;
    if (roles.empty() || roles.front().program.empty())
        return "job";
    const Role& first = roles.front();
    if (first.kind == ProgramKind::Module)
        return first.program;
    const std::filesystem::path program(first.program);
    const std::string stem =
        program.extension() == ".py" ? program.stem().string() : program.filename().string();
    return stem.empty() ? "job" : stem;
}

bool JobSpec::isStandalone() const
{
    if (isLed() || rendezvous.standalone)
        return rendezvous.standalone;
    // torchrun does so since 2.12, whatever node rank and master's address are.
    return rendezvous.method == RendezvousMethod::Static && rendezvous.endpoint.empty() &&
           !rendezvous.masterPort && nodes.max == 1;
}

std::vector<std::string> verdictKinds()
{
    return {"waiting", "slowWire", "straggler", "hang", "mismatch"};
}

std::string roleField(size_t index, size_t roleCount, std::string_view key)
{
    const std::string number = roleCount > 1 ? std::to_string(index) + "." : "";
    return "role." + number + std::string(key);
}

} // namespace ringmaster
