#pragma once

#include "engine/job/Checks.h"

namespace ringmaster {

/// Where and how the nodes of a job meet.
class RendezvousChecks : public Checks
{
public:
    using Checks::Checks;

    void check();

private:
    void checkStatic();
    void checkC10d();
    void checkConfiguration();
    void checkHosts();
    void checkStandalone();
    void checkNodeRankIsUnused();
    void checkPort(const char* field, const std::string& host, int port);
};

} // namespace ringmaster
