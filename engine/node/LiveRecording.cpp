#include "engine/node/LiveRecording.h"

namespace ringmaster {

Result<RunFileReader*> LiveRecording::reader()
{
    if (!m_reader)
        m_reader = RM_TRY(RunFileReader::open(m_runFile, RunFileReader::Origin::OwnRun));
    return &*m_reader;
}

Result<std::vector<Event>> LiveRecording::events(std::uint64_t after, size_t limit)
{
    const RunFileReader* file = RM_TRY(reader());
    return file->events(after, {.events = limit});
}

Result<LogPage> LiveRecording::log(const LogQuery& query)
{
    const RunFileReader* file = RM_TRY(reader());
    return file->readLog(query);
}

} // namespace ringmaster
