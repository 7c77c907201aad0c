#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"

#include <charconv>
#include <filesystem>
#include <string_view>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestEnvironment = 4U << 20U;

/// The values of a variable in an environment as /proc has it; usually one.
std::set<std::string> valuesOf(std::string_view environment, std::string_view name)
{
    std::set<std::string> values;
    for (size_t at = 0; at < environment.size();) {
        const size_t end = std::min(environment.find('\0', at), environment.size());
        const std::string_view line = environment.substr(at, end - at);
        if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=')
            values.emplace(line.substr(name.size() + 1));
        at = end + 1;
    }
    return values;
}

} // namespace

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
        const auto environment = readFile(entry.path() / "environ", LongestEnvironment);
        if (!process || !environment)
            continue;
        for (const std::string& value : valuesOf(*environment, name)) {
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
