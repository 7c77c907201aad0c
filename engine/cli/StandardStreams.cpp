#include "engine/cli/StandardStreams.h"

#include "engine/base/Log.h"
#include "engine/base/Thread.h"

#include <unistd.h>

namespace ringmaster {

Result<std::unique_ptr<StandardStreams>> StandardStreams::open()
{
    std::unique_ptr<StandardStreams> streams;
    RM_TRY(guardThreads([&]() -> Result<void> {
        streams.reset(new StandardStreams);
        return {};
    }));
    return streams;
}

StandardStreams::StandardStreams() : m_output(STDOUT_FILENO), m_error(STDERR_FILENO)
{
    log::toConsole(m_error);
}

StandardStreams::~StandardStreams()
{
    log::toStandardError(log::Level::Warning);
}

void StandardStreams::finish(Console::Patience patience)
{
    if (!m_output.waitUntilWritten(patience))
        m_error.write("ringmaster: the end of the output is left out here, since nobody reads it; "
                      "`ringmaster logs` has all of it\n");
    (void)m_error.waitUntilWritten(patience); // nobody is left to be told
}

} // namespace ringmaster
