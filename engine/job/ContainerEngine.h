#pragma once

#include "engine/base/Environment.h"
#include "engine/base/Result.h"
#include "engine/job/ContainerSpec.h"

#include <functional>
#include <string>
#include <utility>

namespace ringmaster {

/// The engine that the job wants, or the first that is found: name and program. Two empty texts:
/// there is none. `find` says where a command is, and nothing where it isn't.
std::pair<std::string, std::string>
findContainerEngine(const ContainerSpec& spec,
                    const std::function<std::string(const std::string& command)>& find);
/// In the PATH of `environment`, or where commands usually are.
std::pair<std::string, std::string> findContainerEngine(const ContainerSpec& spec,
                                                        const EnvironmentMap& environment);

tl::unexpected<Error> containerEngineMissing(const ContainerSpec& spec, const std::string& image);

} // namespace ringmaster
