#include "engine/base/EnvironmentText.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"

#include <charconv>
#include <filesystem>
#include <string>
#include <vector>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestEnvironment = 4U << 20U;

std::string environmentOf(pid_t pid)
{
    const fs::path process = "/proc/" + std::to_string(pid);
    std::string text = readFile(process / "environ", LongestEnvironment).value_or("");
    if (!text.empty())
        return text;
    // A first thread that has ended before the others has lost it; they have it still.
    const std::string stat = statOf(pid);
    if (!stat.starts_with(" Z") || isZombie(stat))
        return text;
    const fs::path thread = process / "task" / std::to_string(tellingThreadOf(pid));
    return readFile(thread / "environ", LongestEnvironment).value_or("");
}

} // namespace

std::vector<std::string> startedWith(pid_t pid, const std::string& name)
{
    return valuesIn(environmentOf(pid), name);
}

std::multimap<std::string, ProcessIdentity> findByEnvironment(const std::string& name,
                                                              const std::set<std::string>& values)
{
    std::multimap<std::string, ProcessIdentity> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string text = entry.path().filename();
        pid_t pid = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), pid);
        if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
            continue;
        // Before the environment is read: nobody else's can have been, then.
        const std::optional<ProcessIdentity> process = identityOf(pid);
        if (!process)
            continue;
        const std::vector<std::string> here = startedWith(pid, name);
        for (const std::string& value : std::set<std::string>(here.begin(), here.end())) {
            if (values.contains(value))
                found.emplace(value, *process);
        }
    }
    return found;
}

std::vector<pid_t> processesWithEnvironment(const std::string& name, const std::string& value)
{
    std::vector<pid_t> found;
    for (const auto& [sameValue, process] : findByEnvironment(name, {value}))
        found.push_back(process.pid);
    return found;
}

} // namespace ringmaster
