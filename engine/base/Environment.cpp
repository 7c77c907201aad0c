#include "engine/base/Environment.h"

#include <unistd.h>

namespace ringmaster {

std::vector<std::string> environmentLines(const EnvironmentMap& variables)
{
    std::vector<std::string> lines;
    for (const auto& [name, value] : variables)
        lines.push_back(name + "=" + value);
    return lines;
}

EnvironmentMap currentEnvironment()
{
    EnvironmentMap map;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const size_t equals = text.find('=');
        if (equals != std::string::npos)
            map[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return map;
}

} // namespace ringmaster
