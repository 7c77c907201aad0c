#include "engine/node/SystemPlace.h"

#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>

#include <sys/syscall.h>

namespace ringmaster {

namespace {

using Process = RankEvidence::Process;

enum class About { Nothing, File };

struct KnownCall
{
    long number = 0;
    std::string_view name{};
    About about = About::Nothing; ///< What its first argument is.
};

/// Those that processes wait in; their numbers are the machine's.
constexpr auto KnownCalls = std::to_array<KnownCall>({
    {SYS_read, "read", About::File},
    {SYS_readv, "readv", About::File},
    {SYS_pread64, "pread64", About::File},
    {SYS_write, "write", About::File},
    {SYS_writev, "writev", About::File},
    {SYS_pwrite64, "pwrite64", About::File},
    {SYS_recvfrom, "recvfrom", About::File},
    {SYS_recvmsg, "recvmsg", About::File},
    {SYS_sendto, "sendto", About::File},
    {SYS_sendmsg, "sendmsg", About::File},
    {SYS_connect, "connect", About::File},
    {SYS_accept, "accept", About::File},
    {SYS_accept4, "accept4", About::File},
    {SYS_fsync, "fsync", About::File},
    {SYS_fdatasync, "fdatasync", About::File},
    {SYS_flock, "flock", About::File},
    {SYS_fcntl, "fcntl", About::File},
    {SYS_ioctl, "ioctl", About::File},
    {SYS_epoll_pwait, "epoll_pwait", About::File},
    {SYS_openat, "openat", About::Nothing},
    {SYS_futex, "futex", About::Nothing},
    {SYS_ppoll, "ppoll", About::Nothing},
    {SYS_pselect6, "pselect6", About::Nothing},
    {SYS_nanosleep, "nanosleep", About::Nothing},
    {SYS_clock_nanosleep, "clock_nanosleep", About::Nothing},
    {SYS_wait4, "wait4", About::Nothing},
    {SYS_waitid, "waitid", About::Nothing},
    {SYS_munmap, "munmap", About::Nothing},
    {SYS_mmap, "mmap", About::Nothing},
    {SYS_madvise, "madvise", About::Nothing},
    {SYS_sched_yield, "sched_yield", About::Nothing},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", About::Nothing},
#ifdef SYS_open
    {SYS_open, "open", About::Nothing},
    {SYS_poll, "poll", About::Nothing},
    {SYS_select, "select", About::Nothing},
    {SYS_pause, "pause", About::Nothing},
    {SYS_epoll_wait, "epoll_wait", About::File},
#endif
});

std::string textOf(int pid, const char* name)
{
    constexpr size_t Longest = 4096;
    const auto text = readFile("/proc/" + std::to_string(pid) + "/" + name, Longest);
    return text ? *text : std::string();
}

std::string linkOf(int pid, long descriptor)
{
    constexpr size_t Longest = 256;
    std::error_code ignored;
    const auto target = std::filesystem::read_symlink(
        "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(descriptor), ignored);
    return target.string().substr(0, Longest);
}

/// "202 0x7f… 0x80 …", "running", or "-1 …" outside a call.
void readCall(int pid, RankEvidence& evidence)
{
    const std::string text = textOf(pid, "syscall");
    long number = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || number < 0)
        return;
    const auto known = std::ranges::find(KnownCalls, number, &KnownCall::number);
    evidence.systemCall =
        known != KnownCalls.end() ? std::string(known->name) : "call " + std::to_string(number);
    constexpr std::string_view Hex = " 0x";
    const std::string_view rest(parsed.ptr,
                                static_cast<size_t>(text.data() + text.size() - parsed.ptr));
    long first = -1;
    if (known == KnownCalls.end() || known->about != About::File || !rest.starts_with(Hex))
        return;
    const std::string_view digits = rest.substr(Hex.size());
    if (std::from_chars(digits.data(), digits.data() + digits.size(), first, 16).ec == std::errc())
        evidence.systemFile = linkOf(pid, first);
}

Process processStateOf(int pid)
{
    switch (stateOf(pid)) {
    case 'R': return Process::Running;
    case 'S':
    case 'I': return Process::Waiting;
    case 'D': return Process::WaitingForDisk;
    case 'T':
    case 't': return Process::Stopped;
    case 'Z':
    case 'X':
    case '\0': return Process::Ended;
    }
    return Process::Unknown;
}

} // namespace

void readSystemPlace(int pid, RankEvidence& evidence)
{
    constexpr size_t Longest = 64;
    evidence.process = processStateOf(pid);
    readCall(pid, evidence);
    // 0: in no place of the kernel, or not for us to know.
    if (const std::string channel = textOf(pid, "wchan"); channel != "0")
        evidence.waitChannel = channel.substr(0, Longest);
}

} // namespace ringmaster
