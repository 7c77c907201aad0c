#pragma once

#include "engine/base/Console.h"
#include "engine/base/Result.h"

#include <memory>
#include <string>

namespace ringmaster {

/// Standard output and error of an agent or a lead in the foreground, so that nothing of it waits
/// for whoever reads them. What Ringmaster logs about itself goes there as well.
class StandardStreams
{
public:
    static Result<std::unique_ptr<StandardStreams>> open();
    ~StandardStreams();
    StandardStreams(const StandardStreams&) = delete;
    StandardStreams& operator=(const StandardStreams&) = delete;

    Consoles consoles() { return {&m_output, &m_error}; }

    /// Blocks until all is written; of a run that was stopped, only as long as somebody reads.
    void finish(Console::Patience patience);

private:
    StandardStreams();

    Console m_output;
    Console m_error;
};

} // namespace ringmaster
