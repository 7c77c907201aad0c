#include "engine/worker/OutOfMemoryWatch.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

namespace {

constexpr int MostLogRecords = 20'000;

/// The number behind "name " at the start of a line.
std::optional<std::uint64_t> numberIn(const fs::path& path, std::string_view name)
{
    const Result<std::string> content = readFile(path);
    if (!content)
        return std::nullopt;
    const std::string wanted = "\n" + std::string(name) + " ";
    const std::string text = "\n" + *content;
    const std::size_t at = text.find(wanted);
    std::uint64_t number = 0;
    if (at == std::string::npos)
        return std::nullopt;
    const char* digits = text.data() + at + wanted.size();
    if (std::from_chars(digits, text.data() + text.size(), number).ec != std::errc())
        return std::nullopt;
    return number;
}

/// Path of our cgroup in a line "0::/path" (version 2) or "9:memory:/path" (version 1).
std::optional<fs::path> groupIn(std::string_view ownGroups, std::string_view kind)
{
    const std::size_t at = ownGroups.find(kind);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = ownGroups.substr(at + kind.size());
    return fs::path(rest.substr(0, rest.find('\n'))).relative_path();
}

} // namespace

OutOfMemoryWatch::OutOfMemoryWatch(Files files) : m_files(std::move(files))
{
    reset();
}

void OutOfMemoryWatch::reset()
{
    m_explained = read();
}

OutOfMemoryWatch::Counters OutOfMemoryWatch::read() const
{
    Counters counters;
    if (const Result<std::string> own = readFile(m_files.ownGroups)) {
        if (const auto group = groupIn(*own, "0::"))
            counters.group = numberIn(m_files.groups / *group / "memory.events", "oom_kill");
        const auto old = groupIn(*own, ":memory:");
        if (!counters.group && old)
            counters.group =
                numberIn(m_files.groups / "memory" / *old / "memory.oom_control", "oom_kill");
    }
    counters.machine = numberIn(m_files.machine, "oom_kill");
    return counters;
}

OutOfMemoryWatch::Finding OutOfMemoryWatch::judge(pid_t pid)
{
    const Counters now = read();
    const auto hasMore = [](auto& explained, const auto& counted) {
        return explained && counted && *counted > *explained;
    };
    const bool ofGroup = hasMore(m_explained.group, now.group);
    const bool ofMachine = hasMore(m_explained.machine, now.machine);
    if (ofGroup)
        ++*m_explained.group;
    if (ofMachine)
        ++*m_explained.machine;
    if (ofGroup || isInLog(pid))
        return Finding::Certain;
    return ofMachine ? Finding::Possible : Finding::No;
}

bool OutOfMemoryWatch::isInLog(pid_t pid) const
{
    const FileDescriptor log(open(m_files.log.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    std::array<char, 8192> record{};
    for (int i = 0; log.isOpen() && i < MostLogRecords; ++i) {
        // One record a read; EPIPE: it was overwritten meanwhile, the next one is there.
        const ssize_t got = ::read(log.get(), record.data(), record.size());
        if (got > 0 && reportsOutOfMemory({record.data(), static_cast<std::size_t>(got)}, pid))
            return true;
        if (got == 0 || (got < 0 && errno != EPIPE && errno != EINTR))
            return false;
    }
    return false;
}

bool reportsOutOfMemory(std::string_view line, pid_t pid)
{
    const std::string process = "Killed process " + std::to_string(pid) + " ";
    return (line.find("Out of memory"sv) != std::string_view::npos ||
            line.find("out of memory"sv) != std::string_view::npos) &&
           line.find(process) != std::string_view::npos;
}

} // namespace ringmaster
