#include "engine/node/JobRasAddress.h"

#include "engine/base/Environment.h"

namespace ringmaster {

namespace {

std::string variableOf(const JobSpec& spec, const std::string& name)
{
    for (const Role& role : spec.roles) {
        if (const auto found = role.environment.find(name); found != role.environment.end())
            return found->second;
    }
    const EnvironmentMap inherited = currentEnvironment();
    const auto found = inherited.find(name);
    return found == inherited.end() ? std::string() : found->second;
}

} // namespace

std::optional<diagnose::NcclRasAddress> rasAddressOf(const JobSpec& spec)
{
    return diagnose::ncclRasAddressOf(variableOf(spec, "NCCL_RAS_ENABLE"),
                                      variableOf(spec, "NCCL_RAS_ADDR"));
}

} // namespace ringmaster
