#pragma once

#include "engine/event/Event.h"
#include "engine/event/Snapshot.h"
#include "engine/record/RunFolder.h"

#include <cstdint>
#include <string_view>

namespace ringmaster {

/// Who shows a run to a person. Called on the thread of its agent.
class RunFront
{
public:
    virtual ~RunFront() = default;
    /// The run can be seen by others from now on.
    virtual void opened(const RunFolder& folder) = 0;
    virtual void happened(const Event& event) = 0;
    /// What torchrun would print on standard error.
    virtual void printed(std::string_view text) = 0;
    /// This still holds; said ever less often.
    virtual void reminded(const StandingVerdict& verdict, std::int64_t nowNs) = 0;
    /// The signal is passed on to the workers.
    virtual void signalled(int signal) = 0;
    /// Nothing of the run is left.
    virtual void ended() = 0;
};

} // namespace ringmaster
