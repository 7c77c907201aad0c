#include "engine/hosts/HostJob.h"

namespace ringmaster {

void moveRoles(JobSpec& spec, const std::string& from, const std::string& to)
{
    for (Role& role : spec.roles) {
        if (role.workingFolder == from)
            role.workingFolder = to;
        else if (role.workingFolder.starts_with(from + "/"))
            role.workingFolder = to + role.workingFolder.substr(from.size());
    }
}

JobSpec jobOn(const Host& host, JobSpec spec, const std::string& folder)
{
    if (!host.code.empty())
        moveRoles(spec, folder, host.code);
    for (Role& role : spec.roles) {
        if (role.interpreter.empty() && role.kind != ProgramKind::Command)
            role.interpreter = host.interpreter;
        role.environment.insert(host.environment.begin(), host.environment.end());
    }
    return spec;
}

} // namespace ringmaster
