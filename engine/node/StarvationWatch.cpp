#include "engine/node/StarvationWatch.h"

#include "engine/base/FileDescriptor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr size_t MostThreads = 4096;
constexpr double MostOfTheTime = 0.5;

using Text = std::array<char, 512>;

/// The beginning of a thread's file, ended by 0; empty: it is gone. There are hundreds of them.
Text textOf(int folder, int thread, const char* name)
{
    Text text{};
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "%d/%s", thread, name);
    const FileDescriptor file(::openat(folder, path.data(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen() || ::read(file.get(), text.data(), text.size() - 1) < 0)
        text[0] = 0;
    return text;
}

/// Ready to run, or running.
bool isReady(int folder, int thread)
{
    const Text text = textOf(folder, thread, "stat");
    const char* name = std::strrchr(text.data(), ')');
    return name != nullptr && std::strncmp(name, ") R", 3) == 0;
}

/// 0: it is no thread.
int threadOf(const dirent& entry)
{
    int thread = 0;
    std::from_chars(entry.d_name, entry.d_name + std::strlen(entry.d_name), thread);
    return thread;
}

} // namespace

bool StarvationWatch::look(const std::vector<int>& pids, std::int64_t nowNs)
{
    std::map<int, Times> times;
    bool isStarved = false;
    const auto spanNs = static_cast<double>(nowNs - m_lookedNs);
    for (const int pid : pids) {
        const std::unique_ptr<DIR, int (*)(DIR*)> threads(
            ::opendir(("/proc/" + std::to_string(pid) + "/task").c_str()), ::closedir);
        if (!threads)
            continue;
        const int folder = ::dirfd(threads.get());
        while (const dirent* entry = ::readdir(threads.get())) {
            const int thread = threadOf(*entry);
            if (thread == 0 || times.size() >= MostThreads)
                continue;
            const Text text = textOf(folder, thread, "schedstat");
            char* rest = nullptr;
            Times now;
            now.ran = std::strtoull(text.data(), &rest, 10);
            now.waited = std::strtoull(rest, nullptr, 10);
            times[thread] = now;
            const auto before = m_times.find(thread);
            if (isStarved || before == m_times.end() || now == Times{})
                continue;
            // Its wait isn't told while it lasts.
            const std::uint64_t readyNs = now.ran + now.waited;
            const std::uint64_t beforeNs = before->second.ran + before->second.waited;
            isStarved = now == before->second
                            ? isReady(folder, thread)
                            : static_cast<double>(readyNs - std::min(readyNs, beforeNs)) >=
                                  MostOfTheTime * spanNs;
        }
    }
    m_times = std::move(times);
    m_lookedNs = nowNs;
    return isStarved;
}

} // namespace ringmaster
