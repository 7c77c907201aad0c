#include "engine/base/EnvironmentText.h"

#include <algorithm>

namespace ringmaster {

std::vector<std::string> valuesIn(std::string_view environment, std::string_view name)
{
    std::vector<std::string> values;
    while (!environment.empty()) {
        const size_t end = std::min(environment.find('\0'), environment.size());
        const std::string_view line = environment.substr(0, end);
        if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=')
            values.emplace_back(line.substr(name.size() + 1));
        environment.remove_prefix(std::min(end + 1, environment.size()));
    }
    return values;
}

} // namespace ringmaster
