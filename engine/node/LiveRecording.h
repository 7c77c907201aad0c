#pragma once

#include "engine/control/ControlServer.h"
#include "engine/record/RunFileReader.h"

#include <optional>

namespace ringmaster {

/// The run file that this process is writing, read for those who ask the agent. One thread at a
/// time.
class LiveRecording final : public ControlServer::Recording
{
public:
    explicit LiveRecording(std::filesystem::path runFile) : m_runFile(std::move(runFile)) {}

    Result<std::vector<Event>> events(std::uint64_t after, size_t limit) override;
    Result<LogPage> log(const LogQuery& query) override;

private:
    Result<RunFileReader*> reader();

    std::filesystem::path m_runFile;
    std::optional<RunFileReader> m_reader;
};

} // namespace ringmaster
