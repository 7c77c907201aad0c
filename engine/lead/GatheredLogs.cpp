#include "engine/lead/GatheredLogs.h"

#include "engine/base/Clock.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/event/States.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr size_t MostOpenFiles = 256;
constexpr size_t MostWaiting = 16U << 20U;

} // namespace

GatheredLogs::GatheredLogs(std::filesystem::path folder, RunFileWriter& writer, Consoles consoles,
                           std::optional<Recorded> recorded)
    : m_folder(std::move(folder))
    , m_writer(writer)
    , m_recorded(std::move(recorded))
    , m_hadLost(m_recorded ? m_recorded->lostBytes : 0)
    , m_lines(consoles)
{
}

std::filesystem::path GatheredLogs::pathOf(const LogChunk& chunk) const
{
    return m_folder / ("attempt_" + std::to_string(chunk.attempt)) /
           std::to_string(chunk.globalRank) / (std::string(nameOf(chunk.stream)) + ".log");
}

GatheredLogs::File& GatheredLogs::fileOf(const LogChunk& chunk)
{
    const auto [place, isNew] =
        m_files.try_emplace({chunk.attempt, chunk.globalRank, chunk.stream});
    File& file = place->second;
    if (isNew && m_recorded) {
        const auto known = m_recorded->sizes.find(place->first);
        std::error_code isMissing;
        const auto size = std::filesystem::file_size(pathOf(chunk), isMissing);
        if (known != m_recorded->sizes.end() && !isMissing)
            file.had = std::min<std::uint64_t>(known->second, size);
        if (!isMissing && size > file.had)
            std::filesystem::resize_file(pathOf(chunk), file.had, isMissing);
    }
    if (isNew)
        file.number = m_writer.addLogFile({.attempt = chunk.attempt,
                                           .globalRank = chunk.globalRank,
                                           .stream = chunk.stream,
                                           .path = pathOf(chunk)});
    if (chunk.attempt > m_attempt)
        beginAttempt(chunk.attempt);
    else if (m_openFiles >= MostOpenFiles)
        closeAll();
    return file;
}

/// Files of older attempts are hardly written to any more. What comes late opens its file again.
void GatheredLogs::beginAttempt(int attempt)
{
    m_attempt = attempt;
    closeAll();
    m_lines.finishBefore(attempt - 1);
    // A file that a former lead has begun must not be taken for one of its own a second time.
    if (!m_recorded)
        m_files.erase(m_files.begin(), m_files.lower_bound({attempt - 1, -1, Stream::Stdout}));
}

void GatheredLogs::closeAll()
{
    for (auto& [key, file] : m_files)
        file.handle.close();
    m_openFiles = 0;
}

/// A write that was cut short is taken back, so that the index stays true.
bool GatheredLogs::write(const LogChunk& chunk, File& file)
{
    const auto path = pathOf(chunk);
    if (!file.handle.isOpen() && makeFolder(path.parent_path())) {
        file.handle = FileDescriptor(
            ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
        m_openFiles += file.handle.isOpen() ? 1 : 0;
        struct stat info
        {
        };
        if (file.handle.isOpen() && ::fstat(file.handle.get(), &info) == 0)
            file.size = static_cast<std::uint64_t>(info.st_size);
    }
    if (file.handle.isOpen() && writeAll(file.handle.get(), chunk.bytes))
        return true;
    const int error = errno;
    if (file.handle.isOpen())
        (void)!::ftruncate(file.handle.get(), static_cast<off_t>(file.size));
    if (!std::exchange(m_isLossTold, true))
        log::warning("node", "logs can't be kept: " + path.string() + ": " + errnoText(error));
    return false;
}

void GatheredLogs::logged(const LogChunk& chunk)
{
    m_waitingBytes += chunk.bytes.size();
    m_thread.post([this, chunk] {
        keep(chunk);
        m_waitingBytes -= chunk.bytes.size();
        ++m_written;
    });
}

void GatheredLogs::keep(LogChunk chunk)
{
    File& file = fileOf(chunk);
    const auto had = std::min<std::uint64_t>(file.had, chunk.bytes.size());
    file.had -= had;
    chunk.bytes.erase(0, had);
    const std::uint64_t length = chunk.bytes.size();
    if (length == 0)
        return;
    if (write(chunk, file)) {
        m_writer.appendLog(
            {.file = file.number, .at = chunk.at, .offset = file.size, .length = length});
        file.size += length;
    } else {
        logLost(length);
    }
    m_lines.show(chunk);
}

/// What a former lead has lost is lost once, be it told again or written in vain again.
void GatheredLogs::logLost(std::uint64_t bytes)
{
    std::uint64_t had = m_hadLost;
    while (!m_hadLost.compare_exchange_weak(had, had - std::min(had, bytes)))
        continue;
    if (bytes > had)
        m_writer.addLostOutput(SystemClock().now(), bytes - had);
}

bool GatheredLogs::isBehind() const
{
    return m_waitingBytes >= MostWaiting || m_lines.isBehind();
}

void GatheredLogs::finish(std::function<void()> done)
{
    m_thread.post([this, done = std::move(done)] {
        m_lines.finish();
        done();
    });
}

} // namespace ringmaster
