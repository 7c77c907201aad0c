#pragma once

#include "engine/job/Checks.h"

namespace ringmaster {

/// How many workers there are, what they compute on, and with which backend.
class DeviceChecks : public Checks
{
public:
    using Checks::Checks;

    void check();

private:
    void checkWorkers(size_t index);
    void checkRoleDevices(size_t index);
    void checkBackend();
    void checkRing();
    void checkBusyDevices();
};

} // namespace ringmaster
