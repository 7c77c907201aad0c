#include "engine/agent/AgentConsole.h"

#include <cstdio>
#include <ctime>

#include <unistd.h>

namespace ringmaster {

void AgentConsole::line(char level, std::string_view text)
{
    const std::int64_t wall = m_clock.now().wallNs;
    const auto seconds = static_cast<std::time_t>(wall / 1'000'000'000);
    std::tm parts{};
    localtime_r(&seconds, &parts);
    char when[48];
    const std::size_t size = std::strftime(when, sizeof when, "%m%d %H:%M:%S", &parts);
    char rest[48];
    std::snprintf(rest, sizeof rest, ".%06d %d ringmaster/agent] ",
                  static_cast<int>(wall % 1'000'000'000 / 1'000'000 * 1000), getpid());
    const std::string prefix = level + std::string(when, size) + rest;

    std::string lines;
    while (true) {
        const std::size_t end = text.find('\n');
        lines += prefix + std::string(text.substr(0, end)) + "\n";
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    m_print(lines);
}

} // namespace ringmaster
