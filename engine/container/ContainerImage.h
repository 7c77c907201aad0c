#pragma once

#include "engine/base/Error.h"
#include "engine/job/ContainerSpec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

// How an image is got before the first worker needs it. Pure: somebody else runs the commands.

/// An image, and who runs it.
struct ContainerImage
{
    std::string engine{};  ///< podman, docker, apptainer or charliecloud
    std::string program{}; ///< Where that is.
    std::string image{};

    bool operator==(const ContainerImage&) const = default;
};

/// When an image is fetched; said by --pull= among the job's options, else if it is missing.
enum class PullPolicy { Missing, Always, Never };
PullPolicy pullPolicyOf(const ContainerSpec& spec);

/// The job's options for a worker: what they say of fetching is done by then.
std::vector<std::string> optionsOfWorkers(const ContainerSpec& spec, const std::string& engine);

/// Whether the image is there: exit code 0. Empty: that isn't a question for the engine.
std::vector<std::string> imageLookCommand(const ContainerImage& image);
/// A failed look: an error if the engine can't be used; nothing if the image just isn't there.
std::optional<Error> lookFailure(const ContainerImage& image, int exitCode,
                                 const std::string& said);

/// Empty: the engine can't fetch it.
std::vector<std::string> imageFetchCommand(const ContainerSpec& spec, const ContainerImage& image);
/// By what it said when it failed: another fetch locks its whole storage for now, as ch-image does.
bool isStorageInUse(const std::string& said);
/// Why it couldn't be fetched. `said`: all that the engine has printed.
Error fetchFailure(const ContainerImage& image, const std::string& said);

} // namespace ringmaster
