#pragma once

#include "engine/node/NodeOptions.h"
#include "engine/node/OutputRecorder.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace ringmaster {

/// What the workers print is caught, shown and kept: the hub that reads it, and the index of the
/// logs in the run file. Lives on the agent's thread, where it also tells what was lost.
class OutputRecording
{
public:
    static Result<std::unique_ptr<OutputRecording>>
    open(EventLoop& loop, const NodeOptions& options, const std::filesystem::path& runFolder,
         RunFileWriter& writer, OutputRecorder::Lost lost);

    /// Of this agent's events, before each is recorded.
    void happened(const EventBody& body);

    OutputHub& hub() { return *m_hub; }

private:
    OutputRecording(EventLoop& loop, RunFileWriter& writer, OutputRecorder::Lost lost);

    OutputRecorder m_recorder;
    std::unique_ptr<OutputHub> m_hub; ///< Last: it writes to the recorder until it is gone.
};

} // namespace ringmaster
