#include "engine/base/ProcessInfo.h"

#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"

#include <charconv>
#include <sstream>

#include <unistd.h>

namespace ringmaster {

namespace {

constexpr size_t ProcLimit = 4U << 20U;

/// Of what statOf() says: from the third (state) on.
std::vector<std::string> fieldsOf(const std::string& stat)
{
    std::istringstream rest(stat);
    std::vector<std::string> fields;
    for (std::string field; rest >> field;)
        fields.push_back(std::move(field));
    return fields;
}

std::uint64_t number(const std::vector<std::string>& fields, size_t statField)
{
    // Field numbers as proc(5) counts them, from 1; the state is field 3.
    const size_t index = statField - 3;
    std::uint64_t value = 0;
    if (index < fields.size())
        std::from_chars(fields[index].data(), fields[index].data() + fields[index].size(), value);
    return value;
}

} // namespace

std::optional<ProcessIdentity> identityOf(pid_t pid)
{
    const auto startTime = startTimeOf(pid);
    return startTime ? std::optional(ProcessIdentity{pid, *startTime}) : std::nullopt;
}

bool isAlive(const ProcessIdentity& process)
{
    const std::string stat = statOf(process.pid);
    return !stat.empty() && !isZombie(stat) && number(fieldsOf(stat), 22) == process.startTime;
}

std::optional<ProcessUsage> usageOf(pid_t pid)
{
    const auto fields = fieldsOf(statOf(pid));
    if (fields.empty())
        return std::nullopt;
    static const auto tickNs = 1'000'000'000 / sysconf(_SC_CLK_TCK);
    static const auto pageBytes = sysconf(_SC_PAGESIZE);
    const auto ticks = static_cast<std::int64_t>(number(fields, 14) + number(fields, 15));
    return ProcessUsage{ticks * tickNs, static_cast<std::int64_t>(number(fields, 24)) * pageBytes};
}

std::optional<std::int64_t> proportionalMemoryOf(pid_t pid)
{
    const auto content = readFile("/proc/" + std::to_string(pid) + "/smaps_rollup", ProcLimit);
    if (!content)
        return std::nullopt;
    std::istringstream lines(*content);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("Pss:"))
            return std::stoll(line.substr(4)) * 1024;
    }
    return std::nullopt;
}

} // namespace ringmaster
