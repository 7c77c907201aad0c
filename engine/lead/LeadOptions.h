#pragma once

#include "engine/hosts/Ssh.h"
#include "engine/node/NodeOptions.h"
#include "engine/rendezvous/Settings.h"

#include <vector>

namespace ringmaster {

/// What the lead of a job on several hosts is started with, beside what any agent is.
struct LeadOptions
{
    NodeOptions node{};
    std::vector<Host> hosts{}; ///< In the order of the ranks; of a job that runs on hosts.
    SshSettings ssh{};
    RendezvousSettings rendezvous{}; ///< Of the job's rendezvous configuration.
};

} // namespace ringmaster
