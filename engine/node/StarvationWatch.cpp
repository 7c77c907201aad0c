#include "engine/node/StarvationWatch.h"

#include "engine/base/Files.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

constexpr size_t MostThreads = 4096;
constexpr double MostOfTheTime = 0.5;

/// Ready to run, or running.
bool isReady(const fs::path& thread)
{
    const auto text = readFile(thread / "stat", 4096);
    const size_t name = text ? text->rfind(')') : std::string::npos;
    return name != std::string::npos && name + 2 < text->size() && (*text)[name + 2] == 'R';
}

} // namespace

bool StarvationWatch::look(const std::vector<int>& pids, std::int64_t nowNs)
{
    std::map<int, Times> times;
    bool isStarved = false;
    const auto spanNs = static_cast<double>(nowNs - m_lookedNs);
    for (const int pid : pids) {
        std::error_code error;
        const fs::path threads = "/proc/" + std::to_string(pid) + "/task";
        for (fs::directory_iterator at(threads, error), end;
             !error && at != end && times.size() < MostThreads; at.increment(error)) {
            const auto text = readFile(at->path() / "schedstat", 4096);
            if (!text)
                continue;
            char* rest = nullptr;
            Times now;
            now.ran = std::strtoull(text->c_str(), &rest, 10);
            now.waited = std::strtoull(rest, nullptr, 10);
            const int thread = std::atoi(at->path().filename().c_str());
            times[thread] = now;
            const auto before = m_times.find(thread);
            if (isStarved || before == m_times.end() || now == Times{})
                continue;
            // Its wait isn't told while it lasts.
            isStarved = now == before->second
                            ? isReady(at->path())
                            : static_cast<double>(now.ran - before->second.ran + now.waited -
                                                  before->second.waited) >= MostOfTheTime * spanNs;
        }
    }
    m_times = std::move(times);
    m_lookedNs = nowNs;
    return isStarved;
}

} // namespace ringmaster
