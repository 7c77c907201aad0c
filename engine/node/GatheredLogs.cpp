#include "engine/node/GatheredLogs.h"

#include "engine/base/Clock.h"
#include "engine/base/Files.h"
#include "engine/event/States.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t LongestLine = 64U << 10U;

} // namespace

GatheredLogs::GatheredLogs(std::filesystem::path folder, RunFileWriter& writer, Show show)
    : m_folder(std::move(folder)), m_writer(writer), m_show(std::move(show))
{
}

GatheredLogs::~GatheredLogs()
{
    for (auto& [key, file] : m_files)
        if (file.handle != nullptr)
            (void)std::fclose(file.handle); // whatever the disk refused is counted already
}

GatheredLogs::File& GatheredLogs::fileOf(const LogChunk& chunk)
{
    const auto [place, isNew] =
        m_files.try_emplace({chunk.attempt, chunk.globalRank, chunk.stream});
    File& file = place->second;
    if (!isNew)
        return file;
    const auto folder =
        m_folder / ("attempt_" + std::to_string(chunk.attempt)) / std::to_string(chunk.globalRank);
    const auto path = folder / (std::string(nameOf(chunk.stream)) + ".log");
    if (makeFolder(folder))
        file.handle = std::fopen(path.c_str(), "ae");
    file.number = m_writer.addLogFile({.attempt = chunk.attempt,
                                       .globalRank = chunk.globalRank,
                                       .stream = chunk.stream,
                                       .path = path});
    return file;
}

void GatheredLogs::logged(const LogChunk& chunk)
{
    File& file = fileOf(chunk);
    const std::string& bytes = chunk.bytes;
    const bool isWritten =
        file.handle != nullptr &&
        std::fwrite(bytes.data(), 1, bytes.size(), file.handle) == bytes.size() &&
        std::fflush(file.handle) == 0;
    if (isWritten)
        m_writer.appendLog(
            {.file = file.number, .at = chunk.at, .offset = file.size, .length = bytes.size()});
    else
        logLost(bytes.size());
    if (isWritten)
        file.size += bytes.size();
    if (m_show)
        showLines(chunk, file);
}

void GatheredLogs::logLost(std::uint64_t bytes)
{
    m_writer.addLostOutput(SystemClock().now(), bytes);
}

void GatheredLogs::showLines(const LogChunk& chunk, File& file)
{
    file.rest += chunk.bytes;
    for (size_t end = file.rest.find('\n');
         end != std::string::npos || file.rest.size() > LongestLine; end = file.rest.find('\n')) {
        const size_t length = std::min({end, LongestLine, file.rest.size()});
        m_show(chunk.stream, "[rank" + std::to_string(chunk.globalRank) +
                                 "]: " + file.rest.substr(0, length) + "\n");
        file.rest.erase(0, length + (end == length ? 1 : 0));
    }
}

void GatheredLogs::finish()
{
    for (auto& [key, file] : m_files) {
        if (m_show && !file.rest.empty())
            m_show(std::get<2>(key),
                   "[rank" + std::to_string(std::get<1>(key)) + "]: " + file.rest + "\n");
        file.rest.clear();
    }
}

} // namespace ringmaster
