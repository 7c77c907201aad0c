#pragma once

#include "engine/control/ControlServer.h"
#include "engine/record/RunFolder.h"

#include <optional>

namespace ringmaster {

/// The run file of this agent, read beside its writer for those who ask the control server.
class RecordedRun : public ControlServer::Recording
{
public:
    explicit RecordedRun(RunFolder folder) : m_folder(std::move(folder)) {}

    Result<std::vector<Event>> events(std::uint64_t after, size_t limit) override
    {
        return RM_TRY(reader())->events(after, {.events = limit});
    }

    Result<LogPage> log(const LogQuery& query) override { return RM_TRY(reader())->readLog(query); }

private:
    Result<const RunFileReader*> reader()
    {
        if (!m_reader)
            m_reader = RM_TRY(m_folder.openReader());
        return &*m_reader;
    }

    RunFolder m_folder;
    std::optional<RunFileReader> m_reader;
};

} // namespace ringmaster
