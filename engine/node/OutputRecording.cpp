#include "engine/node/OutputRecording.h"

#include <utility>

namespace ringmaster {

namespace {

/// The job's, else the variable's that older torchruns have, too.
std::string linePrefixOf(const NodeOptions& options)
{
    const auto variable = options.environment.find("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE");
    const std::string& asked = options.spec.logs.linePrefix;
    return asked.empty() && variable != options.environment.end() ? variable->second : asked;
}

} // namespace

Result<std::unique_ptr<OutputRecording>>
OutputRecording::open(EventLoop& loop, const NodeOptions& options,
                      const std::filesystem::path& runFolder, RunFileWriter& writer,
                      OutputRecorder::Lost lost)
{
    auto recording =
        std::unique_ptr<OutputRecording>(new OutputRecording(loop, writer, std::move(lost)));
    recording->m_hub = RM_TRY(OutputHub::create(loop, recording->m_recorder,
                                                {.logs = options.spec.logs,
                                                 .rendezvousId = options.spec.rendezvous.id,
                                                 .runFolder = runFolder,
                                                 .linePrefixTemplate = linePrefixOf(options),
                                                 .consoles = options.consoles}));
    return recording;
}

OutputRecording::OutputRecording(EventLoop& loop, RunFileWriter& writer, OutputRecorder::Lost lost)
    : m_recorder(writer, [&loop, lost = std::move(lost)](int globalRank, const OutputLoss& loss) {
        loop.post([lost, globalRank, loss] { lost(globalRank, loss); });
    })
{
}

void OutputRecording::happened(const EventBody& body)
{
    if (const auto* attempt = std::get_if<AttemptStarted>(&body))
        m_recorder.attemptStarted(*attempt);
}

} // namespace ringmaster
