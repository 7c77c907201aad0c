#pragma once

#include "engine/job/JobSpec.h"

namespace ringmaster::app {

/// A first job: this machine, and nothing to choose but the program.
inline JobSpec freshJob()
{
    JobSpec spec;
    spec.rendezvous.standalone = true;
    spec.rendezvous.method = RendezvousMethod::C10d;
    spec.roles.front().workers = {WorkerCount::Kind::Auto, 1};
    return spec;
}

} // namespace ringmaster::app
