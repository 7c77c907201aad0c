#pragma once

#include "engine/agent/Failure.h"
#include "engine/job/JobSpec.h"
#include "engine/text/OutputPattern.h"
#include "engine/worker/Output.h"

#include <optional>
#include <vector>

namespace ringmaster {

/// A job's rule about which failures are tried again, by what the failed rank printed last. Who
/// starts a worker marks its end; who decides about the job looks at the marks of all. Pure.
class RestartRule
{
public:
    explicit RestartRule(const RestartSpec& spec);

    void mark(WorkerExited& exit, const WorkerExitReport& report) const;

    /// Why an attempt with these ends isn't tried again; nothing: it may be. The rule is about the
    /// guilty rank where one is known, else about all that failed by themselves.
    std::optional<Message> refusal(const std::vector<Failure>& ends,
                                   const std::optional<FirstCause>& cause) const;

private:
    RestartSpec m_spec;
    OutputPattern m_onlyIf;
    OutputPattern m_unless;
};

} // namespace ringmaster
