#include "engine/machine/ProcessWaitReader.h"

#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"
#include "engine/machine/LockHolder.h"
#include "engine/machine/SocketTraffic.h"
#include "engine/text/SecretWords.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

using Kind = ProcessWait::Kind;
using Child = ProcessWait::Child;

constexpr size_t MostThreads = 256;
constexpr size_t MostDescriptors = 1024;
constexpr size_t MostLookedAt = 32; ///< Children.

std::string procPath(pid_t pid, std::string_view file)
{
    return "/proc/" + std::to_string(pid) + "/" + std::string(file);
}

/// Its first line, without the end.
std::string lineOf(const std::string& path)
{
    auto text = readFile(path, 64U << 10U);
    return text ? text->substr(0, text->find('\n')) : std::string();
}

std::string linkOf(const std::string& path)
{
    std::array<char, 4096> target{};
    const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    return length > 0 ? std::string(target.data(), static_cast<size_t>(length)) : std::string();
}

/// Names of a folder of /proc that are numbers.
std::vector<int> numbersIn(const std::string& path, size_t most)
{
    std::vector<int> numbers;
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr)
        return numbers;
    while (const dirent* entry = ::readdir(folder)) {
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && numbers.size() < most)
            numbers.push_back(std::atoi(entry->d_name));
    }
    ::closedir(folder);
    return numbers;
}

/// "socket:[123]", "pipe:[123]".
std::uint64_t inodeIn(const std::string& link, std::string_view kind)
{
    return link.starts_with(kind) ? std::strtoull(link.c_str() + kind.size(), nullptr, 10) : 0;
}

bool hasDescriptor(pid_t pid, const std::string& link)
{
    const std::string folder = procPath(pid, "fd");
    return std::ranges::any_of(numbersIn(folder, MostDescriptors), [&](int descriptor) {
        return linkOf(folder + "/" + std::to_string(descriptor)) == link;
    });
}

std::vector<std::string> wordsOf(pid_t pid)
{
    const auto text = readFile(procPath(pid, "cmdline"), 64U << 10U);
    std::vector<std::string> words;
    std::istringstream stream(text ? *text : std::string());
    for (std::string word; std::getline(stream, word, '\0');)
        words.push_back(std::move(word));
    return words;
}

/// As it was called, for a person; of a process that is over only its name is left.
std::string commandOf(pid_t pid, std::vector<std::string> words)
{
    constexpr size_t Longest = 80;
    if (words.empty())
        return lineOf(procPath(pid, "comm"));
    maskSecrets(words, secretsIn(words));
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + word;
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20)
            c = ' ';
    }
    if (line.size() > Longest)
        line = line.substr(0, Longest - 3) + "...";
    return line;
}

bool isMultiprocessing(const std::vector<std::string>& words)
{
    return std::ranges::any_of(words, [](const std::string& word) {
        return word.find("from multiprocessing.") != std::string::npos;
    });
}

/// The third field of /proc/PID/stat and what a zombie has ended with.
void readState(Child& child)
{
    const std::string stat = statOf(child.pid);
    std::istringstream fields(stat);
    std::string state;
    fields >> state;
    if (state == "T" || state == "t")
        child.state = Child::State::Stopped;
    if (!isZombie(stat))
        return;
    child.state = Child::State::Ended;
    constexpr int ExitCode = 52 - 4; // behind the state
    std::string field;
    for (int i = 0; i <= ExitCode; ++i)
        fields >> field;
    const int status = std::atoi(field.c_str());
    child.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    child.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

std::int64_t bytesIn(const std::string& text, std::string_view name)
{
    const size_t at = text.find(name);
    return at == std::string::npos ? -1 : std::atoll(text.c_str() + at + name.size());
}

} // namespace

ProcessWait ProcessWaitReader::look(pid_t pid, std::int64_t nowNs)
{
    if (pid != m_pid) {
        m_meters.clear();
        m_sleeps.clear();
    }
    m_pid = pid;
    m_nowNs = nowNs;
    std::vector<Child> children = childrenOf(pid);
    ProcessWait wait = waitOf(pid, pid, children);
    if (wait.kind == Kind::Lock)
        lookAtOtherThreads(wait, pid, children);
    std::ranges::stable_sort(children, [](const Child& one, const Child& other) {
        const auto weight = [](const Child& child) {
            return (child.isAwaited ? 2 : 0) + (child.signal != 0 ? 3 : 0) +
                   (child.isAtWork ? 0 : 1);
        };
        return weight(one) > weight(other);
    });
    children.resize(std::min(children.size(), MostChildren));
    wait.children = std::move(children);
    forgetUnused();
    return wait;
}

ProcessWait ProcessWaitReader::waitOf(pid_t pid, pid_t thread, std::vector<Child>& children)
{
    const SystemCall call = systemCallOf(pid, thread);
    ProcessWait wait{.kind = call.kind, .isWriting = call.isWriting, .systemCall = call.name};
    const std::string task = procPath(pid, "task/" + std::to_string(thread));
    const std::string stat = lineOf(task + "/stat");
    const size_t nameEnd = stat.rfind(')');
    if (nameEnd != std::string::npos && nameEnd + 2 < stat.size())
        wait.state = stat.substr(nameEnd + 2, 1);
    wait.channel = lineOf(task + "/wchan");
    if (wait.channel == "0")
        wait.channel.clear();
    const auto isIn = [&](std::string_view name) {
        return wait.channel.find(name) != std::string::npos;
    };
    if (call.kind == Kind::Child) {
        for (Child& child : children)
            child.isAwaited = child.isAwaited || call.child == -1 || call.child == child.pid;
    }
    if (call.kind == Kind::Sleep)
        lookAtSleep(wait, thread, call.sleepEndNs);
    else
        m_sleeps.erase(thread);
    if (isIn("wait_for_partner"))
        wait.kind = Kind::Fifo;
    else if (isIn("futex_"))
        wait.kind = Kind::Lock;
    else if (!call.isKnown && isIn("nanosleep"))
        wait.kind = Kind::Sleep;
    else if (!call.isKnown && isIn("do_wait"))
        wait.kind = Kind::Child;
    // A page that isn't there, or a call that has no descriptor.
    if (wait.state == "D" && wait.kind != Kind::Child)
        wait.kind = Kind::File;
    const bool hasOne = !call.descriptors.empty();
    if (hasOne)
        wait.kind = Kind::Unknown;
    for (const int descriptor : call.descriptors)
        lookAtDescriptor(wait, pid, call, descriptor, children);
    if (wait.kind == Kind::Unknown && hasOne && wait.state == "D")
        wait.kind = Kind::File;
    if (!call.isKnown && isIn("pipe_"))
        wait.kind = Kind::Pipe;
    if (wait.kind == Kind::File)
        lookAtFile(wait, pid);
    return wait;
}

/// Of several descriptors the one that says most counts: a child, then a socket that moves.
void ProcessWaitReader::lookAtDescriptor(ProcessWait& wait, pid_t pid, const SystemCall& call,
                                         int descriptor, std::vector<Child>& children)
{
    const std::string link = linkOf(procPath(pid, "fd/" + std::to_string(descriptor)));
    if (wait.kind == Kind::Child || link.empty())
        return;
    if (const std::uint64_t socket = inodeIn(link, "socket:[")) {
        if (wait.kind != Kind::Socket || wait.bytes <= 0)
            lookAtSocket(wait, pid, call, socket);
        return;
    }
    const bool isNamedPipe =
        link.starts_with('/') && wait.channel.find("pipe_") != std::string::npos;
    if (inodeIn(link, "pipe:[") != 0 || isNamedPipe) {
        for (Child& child : children) {
            // A copy has all that was open when it was made, and so doesn't tell.
            if (child.state == Child::State::Alive && hasDescriptor(child.pid, link)) {
                child.isAwaited = true;
                wait.kind = Kind::Child;
            }
        }
        if (wait.kind == Kind::Unknown) {
            wait.kind = Kind::Pipe;
            wait.name = isNamedPipe ? link : std::string();
        }
        return;
    }
    if (!link.starts_with('/') || wait.kind != Kind::Unknown)
        return;
    const bool isDevice = link.starts_with("/dev/") && !link.starts_with("/dev/shm/");
    wait.kind = isDevice ? Kind::Device : call.kind == Kind::FileLock ? Kind::FileLock : Kind::File;
    wait.name = link;
    if (wait.kind == Kind::FileLock) {
        const auto locks = readFile("/proc/locks", 1U << 20U);
        wait.holder = locks ? lockHolderIn(*locks, pid) : 0;
    }
}

void ProcessWaitReader::lookAtSocket(ProcessWait& wait, pid_t pid, const SystemCall& call,
                                     std::uint64_t inode)
{
    const auto traffic = trafficOf(pid, inode);
    if (!traffic && wait.kind != Kind::Unknown)
        return; // of the machine's own, as what wakes a loop up
    ProcessWait found = wait;
    found.kind = Kind::Socket;
    found.bytes = -1;
    found.name = traffic ? traffic->peer : std::string();
    if (traffic && traffic->received >= 0)
        measure(found, std::to_string(inode) + (call.isWriting ? "/sent" : "/received"),
                call.isWriting ? traffic->sent : traffic->received);
    if (wait.kind != Kind::Socket || found.bytes > wait.bytes)
        wait = std::move(found);
}

/// A call in the middle has only the blocks to show, one after the other only the calls.
void ProcessWaitReader::lookAtFile(ProcessWait& wait, pid_t pid)
{
    const auto text = readFile(procPath(pid, "io"), 4096);
    if (!text)
        return;
    const std::string who = std::to_string(pid);
    ProcessWait calls = wait;
    measure(calls, who + (wait.isWriting ? "/wchar" : "/rchar"),
            bytesIn(*text, wait.isWriting ? "wchar: " : "rchar: "));
    measure(wait, who + (wait.isWriting ? "/write" : "/read"),
            bytesIn(*text, wait.isWriting ? "write_bytes: " : "read_bytes: "));
    wait.bytes = std::max(wait.bytes, calls.bytes);
}

/// One that is followed by another at once is a loop, of which nobody knows how long it goes on;
/// one much longer than those before is a pause after them.
void ProcessWaitReader::lookAtSleep(ProcessWait& wait, pid_t thread, std::int64_t endNs)
{
    Sleep& sleep = m_sleeps[thread];
    if (sleep.seenNs == 0)
        sleep = {.endNs = endNs, .seenNs = m_nowNs};
    else if (sleep.endNs != endNs) {
        constexpr std::int64_t MuchLonger = 8; // a loop that backs off doubles, as a rule
        const std::int64_t longestNs = std::max(sleep.longestNs, sleep.endNs - sleep.seenNs);
        sleep = {.endNs = endNs,
                 .seenNs = m_nowNs,
                 .longestNs = longestNs,
                 .isFirst = (endNs - m_nowNs) / MuchLonger > longestNs};
    }
    sleep.usedNs = m_nowNs;
    if (!sleep.isFirst || endNs <= m_nowNs)
        return;
    wait.leftNs = endNs - m_nowNs;
    wait.sleepNs = endNs - sleep.seenNs;
}

/// What the main thread waits for may be done by another: a file, a transfer, a child.
void ProcessWaitReader::lookAtOtherThreads(ProcessWait& wait, pid_t pid,
                                           std::vector<Child>& children)
{
    constexpr std::int64_t MoreThanSignsOfLife = 512; // bytes
    for (const int thread : numbersIn(procPath(pid, "task"), MostThreads)) {
        // Whoever waits for several things at once serves them, and works for nobody.
        const SystemCall call = systemCallOf(pid, thread);
        const bool isSimple = call.descriptors.size() == 1 || call.kind == Kind::Child;
        if (thread == pid || !isSimple)
            continue;
        std::vector<Child> awaited = children;
        ProcessWait other = waitOf(pid, thread, awaited);
        const bool isTransfer = other.kind == Kind::Socket && other.bytes >= MoreThanSignsOfLife;
        const bool isChild = call.kind == Kind::Child && !awaited.empty();
        if (other.kind != Kind::File && !isTransfer && !isChild)
            continue;
        other.isOtherThread = true;
        children = std::move(awaited);
        wait = std::move(other);
        return;
    }
}

std::vector<Child> ProcessWaitReader::childrenOf(pid_t pid)
{
    std::vector<Child> children;
    const std::vector<std::string> own = wordsOf(pid);
    const std::string program = linkOf(procPath(pid, "exe"));
    for (const int thread : numbersIn(procPath(pid, "task"), MostThreads)) {
        std::istringstream list(
            lineOf(procPath(pid, "task/" + std::to_string(thread) + "/children")));
        for (pid_t found = 0; list >> found && children.size() < MostLookedAt;) {
            Child child{.pid = found};
            const std::vector<std::string> words = wordsOf(found);
            child.command = commandOf(found, words);
            readState(child);
            child.isLoaderWorker = lineOf(procPath(found, "comm")).starts_with("pt_data_worker");
            child.isCopy = child.isLoaderWorker || (linkOf(procPath(found, "exe")) == program &&
                                                    (words == own || isMultiprocessing(words)));
            if (child.isCopy && child.state == Child::State::Alive)
                lookAtCopy(child);
            children.push_back(std::move(child));
        }
    }
    return children;
}

void ProcessWaitReader::lookAtCopy(Child& child)
{
    // Its children are other programs, as a rule: this goes no deeper.
    std::vector<Child> below;
    for (const int thread : numbersIn(procPath(child.pid, "task"), 1)) {
        std::istringstream list(
            lineOf(procPath(child.pid, "task/" + std::to_string(thread) + "/children")));
        for (pid_t found = 0; list >> found && below.size() < MostChildren;)
            below.push_back({.pid = found});
    }
    ProcessWait wait = waitOf(child.pid, child.pid, below);
    wait.children = std::move(below);
    child.isAtWork = isAtWork(wait);
}

void ProcessWaitReader::measure(ProcessWait& wait, const std::string& what, std::int64_t value)
{
    if (value < 0)
        return;
    Meter& meter = m_meters[what];
    meter.usedNs = m_nowNs;
    std::deque<Sample>& samples = meter.samples;
    // The process has become another one.
    if (!samples.empty() && value < samples.back().value)
        samples.clear();
    samples.push_back({m_nowNs, value});
    while (samples.size() > 2 && m_nowNs - samples[1].atNs >= SpanNs)
        samples.pop_front();
    wait.bytes = value - samples.front().value;
    wait.spanNs = m_nowNs - samples.front().atNs;
}

void ProcessWaitReader::forgetUnused()
{
    std::erase_if(m_meters,
                  [&](const auto& known) { return m_nowNs - known.second.usedNs > SpanNs; });
    std::erase_if(m_sleeps,
                  [&](const auto& known) { return m_nowNs - known.second.usedNs > SpanNs; });
}

} // namespace ringmaster
