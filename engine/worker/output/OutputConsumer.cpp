#include "engine/worker/output/OutputConsumer.h"

#include "engine/base/Codes.h"
#include "engine/worker/output/LogFolders.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto UnfinishedLineDelay = 200ms;

Error writeError(const std::filesystem::path& path, int error)
{
    const Code code = error == ENOSPC || error == EDQUOT ? code::DiskFull : code::FileNotWritable;
    return {{code, {{"path", path.string()}}, errnoText(error)}, {}};
}

} // namespace

KeptOutput::KeptOutput(OutputOrigin origin, Capture capture, OutputHub::Sink& sink)
    : m_origin(std::move(origin))
    , m_capture(capture)
    , m_sink(sink)
    , m_loss{
          .attempt = m_origin.attempt, .localRank = m_origin.localRank, .stream = m_origin.stream}
{
    if (m_capture == Capture::No || m_origin.file.empty())
        return;
    m_file = FileDescriptor(
        open(m_origin.file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, LogMode));
    if (!m_file.isOpen())
        lost(0, writeError(m_origin.file, errno));
}

void KeptOutput::consume(std::string_view bytes)
{
    const bool isKept = m_capture == Capture::No || write(bytes);
    m_sink.outputRead({.attempt = m_origin.attempt,
                       .localRank = m_origin.localRank,
                       .stream = m_origin.stream,
                       .at = SystemClock().now(),
                       .file = m_origin.file,
                       .offset = m_offset,
                       .kept = isKept,
                       .bytes = bytes});
    if (isKept)
        m_offset += bytes.size();
    const std::string_view newest = bytes.substr(bytes.size() - std::min(bytes.size(), TailBytes));
    m_tail += newest;
    if (m_tail.size() > 2 * TailBytes)
        m_tail.erase(0, m_tail.size() - TailBytes);
}

/// A write that was cut short is taken back, so that the index stays true.
bool KeptOutput::write(std::string_view bytes)
{
    if (m_origin.file.empty())
        return false;
    if (!m_file.isOpen()) {
        lost(bytes.size(), m_loss.error);
        return false;
    }
    for (std::string_view rest = bytes; !rest.empty();) {
        const ssize_t count = ::write(m_file.get(), rest.data(), rest.size());
        if (count >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            lost(bytes.size(), writeError(m_origin.file, errno));
            (void)!ftruncate(m_file.get(), static_cast<off_t>(m_offset));
            return false;
        }
    }
    return true;
}

void KeptOutput::lost(std::size_t bytes, Error error)
{
    m_loss.bytes += bytes;
    m_loss.error = std::move(error);
    if (m_loss.bytes > 0 && !std::exchange(m_lossIsReported, true))
        m_sink.outputLost(m_loss);
}

std::string_view KeptOutput::tail() const
{
    return std::string_view(m_tail).substr(m_tail.size() - std::min(m_tail.size(), TailBytes));
}

void KeptOutput::end()
{
    if (m_lossIsReported)
        m_sink.outputLost(m_loss);
    m_file.close();
}

void LinesOnConsole::consume(std::string_view bytes)
{
    const std::size_t end = bytes.find_last_of("\r\n");
    if (end != std::string_view::npos) {
        m_delay.cancel();
        m_unfinished += bytes.substr(0, end + 1);
        console().write(m_unfinished);
        m_unfinished.clear();
        bytes.remove_prefix(end + 1);
    }
    if (bytes.empty())
        return;
    if (m_unfinished.empty())
        m_delay = m_loop.callAfter(UnfinishedLineDelay, [this] { showUnfinished(); });
    m_unfinished += bytes;
    if (m_unfinished.size() >= LineSplitter::LongestPiece)
        showUnfinished();
}

void LinesOnConsole::showUnfinished()
{
    m_delay.cancel();
    console().write(m_unfinished);
    m_unfinished.clear();
}

void LinesOnConsole::end()
{
    if (!m_unfinished.empty())
        showUnfinished();
}

void PrefixedOnConsole::show(std::string_view text, bool endsLine)
{
    console().writeLine(this, m_prefix, text, endsLine);
}

void PrefixedOnConsole::consume(std::string_view bytes)
{
    m_silence.cancel();
    const auto emit = [this](std::string_view text, bool endsLine) { show(text, endsLine); };
    m_splitter.feed(bytes, emit);
    if (m_splitter.hasUnfinished())
        m_silence = m_loop.callAfter(UnfinishedLineDelay, [this, emit] { m_splitter.flush(emit); });
}

void PrefixedOnConsole::end()
{
    m_silence.cancel();
    m_splitter.flush([this](std::string_view text, bool endsLine) { show(text, endsLine); });
}

FilteredLog::FilteredLog(std::shared_ptr<const FileDescriptor> file,
                         std::vector<std::string> patterns, std::string prefix)
    : m_file(std::move(file)), m_patterns(std::move(patterns)), m_prefix(std::move(prefix))
{
}

void FilteredLog::consume(std::string_view bytes)
{
    m_splitter.feed(bytes, [this](std::string_view text, bool endsLine) { keep(text, endsLine); });
}

void FilteredLog::end()
{
    m_splitter.flush([this](std::string_view text, bool endsLine) { keep(text, endsLine); });
}

void FilteredLog::keep(std::string_view text, bool endsLine)
{
    const bool matches =
        std::any_of(m_patterns.begin(), m_patterns.end(), [&](const std::string& pattern) {
            return text.find(pattern) != std::string_view::npos;
        });
    // A copy of what is in the log already: one that can't be written loses nothing.
    if (matches)
        (void)writeAll(m_file->get(), m_prefix + std::string(text) + (endsLine ? "\n" : ""));
}

} // namespace ringmaster
