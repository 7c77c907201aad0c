#include "engine/machine/SystemCall.h"

#include "engine/base/Files.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <sstream>
#include <string_view>

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

namespace ringmaster {

namespace {

using Kind = ProcessWait::Kind;
using Words = std::array<std::uint64_t, 6>;

/// How the arguments of a call say what it waits for.
enum class Form {
    First,
    Third,
    Poll,
    Select,
    EventPoll,
    Lock,
    Sleep,
    SleepUntil,
    ChildPid,
    ChildId
};

struct Known
{
    long number;
    const char* name;
    Kind kind;
    Form form = Form::First;
    bool isWriting = false;
};

constexpr auto Calls = std::to_array<Known>({
    {SYS_read, "read", Kind::File},
    {SYS_readv, "readv", Kind::File},
    {SYS_pread64, "pread64", Kind::File},
    {SYS_preadv, "preadv", Kind::File},
    {SYS_recvfrom, "recvfrom", Kind::Socket},
    {SYS_recvmsg, "recvmsg", Kind::Socket},
    {SYS_accept, "accept", Kind::Socket},
    {SYS_accept4, "accept4", Kind::Socket},
    {SYS_connect, "connect", Kind::Socket, Form::First, true},
    {SYS_write, "write", Kind::File, Form::First, true},
    {SYS_writev, "writev", Kind::File, Form::First, true},
    {SYS_pwrite64, "pwrite64", Kind::File, Form::First, true},
    {SYS_pwritev, "pwritev", Kind::File, Form::First, true},
    {SYS_sendto, "sendto", Kind::Socket, Form::First, true},
    {SYS_sendmsg, "sendmsg", Kind::Socket, Form::First, true},
    {SYS_sendfile, "sendfile", Kind::File, Form::First, true},
    {SYS_splice, "splice", Kind::File, Form::Third, true},
    {SYS_copy_file_range, "copy_file_range", Kind::File, Form::Third, true},
    {SYS_fsync, "fsync", Kind::File, Form::First, true},
    {SYS_fdatasync, "fdatasync", Kind::File, Form::First, true},
    {SYS_sync_file_range, "sync_file_range", Kind::File, Form::First, true},
    {SYS_ftruncate, "ftruncate", Kind::File, Form::First, true},
    {SYS_fallocate, "fallocate", Kind::File, Form::First, true},
    {SYS_getdents64, "getdents64", Kind::File},
    {SYS_fstat, "fstat", Kind::File},
    {SYS_ioctl, "ioctl", Kind::Device},
    {SYS_flock, "flock", Kind::FileLock},
    {SYS_fcntl, "fcntl", Kind::FileLock},
    {SYS_ppoll, "ppoll", Kind::File, Form::Poll},
    {SYS_pselect6, "pselect6", Kind::File, Form::Select},
    {SYS_epoll_pwait, "epoll_pwait", Kind::File, Form::EventPoll},
#ifdef SYS_poll
    {SYS_poll, "poll", Kind::File, Form::Poll},
    {SYS_select, "select", Kind::File, Form::Select},
    {SYS_epoll_wait, "epoll_wait", Kind::File, Form::EventPoll},
#endif
    {SYS_futex, "futex", Kind::Lock, Form::Lock},
    {SYS_nanosleep, "nanosleep", Kind::Sleep, Form::Sleep},
    {SYS_clock_nanosleep, "clock_nanosleep", Kind::Sleep, Form::SleepUntil},
    {SYS_wait4, "wait4", Kind::Child, Form::ChildPid},
    {SYS_waitid, "waitid", Kind::Child, Form::ChildId},
});

/// Calls that have a path and no descriptor: they wait for the file system, if they wait.
constexpr auto PathCalls = std::to_array<std::pair<long, const char*>>({
    {SYS_openat, "openat"},
    {SYS_newfstatat, "newfstatat"},
    {SYS_statx, "statx"},
    {SYS_unlinkat, "unlinkat"},
    {SYS_renameat2, "renameat2"},
    {SYS_mkdirat, "mkdirat"},
    {SYS_statfs, "statfs"},
    {SYS_close, "close"},
#ifdef SYS_open
    {SYS_open, "open"},
    {SYS_stat, "stat"},
    {SYS_lstat, "lstat"},
    {SYS_unlink, "unlink"},
    {SYS_rename, "rename"},
    {SYS_mkdir, "mkdir"},
    {SYS_access, "access"},
#endif
});

/// Of another process's memory; false: not allowed, or not there.
bool readMemory(pid_t pid, std::uint64_t address, void* to, size_t size)
{
    const iovec local{to, size};
    // An address of the other process, never followed here.
    const iovec remote{reinterpret_cast<void*>(address), size};
    return size > 0 &&
           ::process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

std::vector<int> polled(pid_t pid, const Words& words)
{
    std::array<pollfd, 64> entries{};
    const size_t count = std::min<size_t>(words[1], entries.size());
    std::vector<int> descriptors;
    if (!readMemory(pid, words[0], entries.data(), count * sizeof(pollfd)))
        return descriptors;
    for (size_t i = 0; i < count; ++i)
        descriptors.push_back(entries[i].fd);
    return descriptors;
}

std::vector<int> selected(pid_t pid, const Words& words)
{
    std::vector<int> descriptors;
    const int count = static_cast<int>(std::min<std::uint64_t>(words[0], 64));
    for (const size_t set : {1U, 2U}) {
        std::uint64_t bits = 0;
        if (count == 0 || words[set] == 0 || !readMemory(pid, words[set], &bits, sizeof bits))
            continue;
        for (int i = 0; i < count; ++i) {
            if ((bits >> static_cast<unsigned>(i) & 1U) != 0)
                descriptors.push_back(i);
        }
    }
    return descriptors;
}

/// "tfd:        5 events: …", a line a descriptor.
std::vector<int> eventPolled(pid_t pid, int descriptor)
{
    constexpr size_t Most = 64;
    std::vector<int> descriptors;
    const auto text = readFile(
        "/proc/" + std::to_string(pid) + "/fdinfo/" + std::to_string(descriptor), 256U << 10U);
    std::istringstream lines(text ? *text : std::string());
    for (std::string line; std::getline(lines, line) && descriptors.size() < Most;) {
        if (line.starts_with("tfd:"))
            descriptors.push_back(std::atoi(line.c_str() + 4));
    }
    return descriptors;
}

std::int64_t timeAt(pid_t pid, std::uint64_t address)
{
    timespec time = {};
    constexpr std::int64_t Longest = 1'000'000'000; // seconds; no sum of them overflows
    if (!readMemory(pid, address, &time, sizeof time) || time.tv_sec < 0 || time.tv_sec > Longest)
        return 0;
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Python sleeps until a moment. A sleep for a while doesn't say when it began.
std::int64_t sleepEnd(pid_t pid, const Words& words)
{
    const bool isMoment = words[0] == CLOCK_MONOTONIC && (words[1] & TIMER_ABSTIME) != 0;
    return isMoment ? timeAt(pid, words[2]) : 0;
}

void readArguments(SystemCall& call, pid_t pid, const Known& known, const Words& words)
{
    switch (known.form) {
    case Form::First: call.descriptors = {static_cast<int>(words[0])}; break;
    case Form::Third: call.descriptors = {static_cast<int>(words[2])}; break;
    case Form::Poll: call.descriptors = polled(pid, words); break;
    case Form::Select: call.descriptors = selected(pid, words); break;
    case Form::EventPoll: call.descriptors = eventPolled(pid, static_cast<int>(words[0])); break;
    case Form::Lock: break;
    case Form::Sleep: break;
    case Form::SleepUntil: call.sleepEndNs = sleepEnd(pid, words); break;
    case Form::ChildPid: call.child = static_cast<pid_t>(words[0]); break;
    case Form::ChildId: call.child = words[0] == P_PID ? static_cast<pid_t>(words[1]) : -1; break;
    }
    const bool isLocking = words[1] == F_SETLKW || words[1] == F_OFD_SETLKW;
    if (known.number == SYS_fcntl && !isLocking)
        call.kind = Kind::File;
    // A wait for nothing but the time.
    if ((known.form == Form::Poll || known.form == Form::Select) && call.descriptors.empty())
        call.kind = known.form == Form::Select && words[0] == 0 ? Kind::Sleep : Kind::Unknown;
}

/// "230 0x1 0x1 0x7ff… … sp pc"; "running"; "-1 sp pc" of a thread that waits outside a call.
std::optional<std::pair<long, Words>> readWords(const std::string& text)
{
    std::istringstream stream(text);
    long number = -1;
    Words words{};
    if (!(stream >> number) || number < 0)
        return std::nullopt;
    for (std::uint64_t& word : words) {
        std::string one;
        if (!(stream >> one))
            return std::nullopt;
        word = std::strtoull(one.c_str(), nullptr, 16);
    }
    return std::pair(number, words);
}

} // namespace

SystemCall systemCallOf(pid_t pid, pid_t thread)
{
    SystemCall call;
    const auto text = readFile(
        "/proc/" + std::to_string(pid) + "/task/" + std::to_string(thread) + "/syscall", 4096);
    if (!text || text->empty())
        return call;
    call.isKnown = true;
    if (text->starts_with("running")) {
        call.kind = Kind::Running;
        return call;
    }
    const auto read = readWords(*text);
    if (!read)
        return call;
    const auto& [number, words] = *read;
    const auto path = std::ranges::find(PathCalls, number, &std::pair<long, const char*>::first);
    if (path != PathCalls.end()) {
        call.kind = Kind::File;
        call.name = path->second;
        return call;
    }
    const auto known = std::ranges::find(Calls, number, &Known::number);
    call.name = std::to_string(number);
    if (known == Calls.end())
        return call;
    call.kind = known->kind;
    call.isWriting = known->isWriting;
    call.name = known->name;
    readArguments(call, pid, *known, words);
    return call;
}

} // namespace ringmaster
