#include "engine/worker/ContainerExit.h"

#include "engine/worker/Codes.h"

#include <array>

namespace ringmaster {

namespace {

// The exit codes of podman's and docker's own failures.
constexpr int OfEngine = 125;
constexpr int OfNotExecutable = 126;
constexpr int OfNotFound = 127;

struct EngineSign
{
    std::string_view text;
    Code code;
};

const auto EngineSigns = std::to_array<EngineSign>({
    {"permission denied while trying to connect", code::ContainerEngineDenied},
    {"Got permission denied", code::ContainerEngineDenied},
    {"Cannot connect to the Docker daemon", code::ContainerEngineDenied},
    {"newuidmap", code::ContainerEngineDenied},
    {"image not known", code::ContainerImageMissing},
    {"No such image", code::ContainerImageMissing},
    {"manifest unknown", code::ContainerImageMissing},
    {"pull access denied", code::ContainerImageMissing},
    {"repository does not exist", code::ContainerImageMissing},
    {"did not resolve to an alias", code::ContainerImageMissing},
    {"initializing source", code::ContainerImageMissing},
    {"Unable to find image", code::ContainerImageMissing},
});

std::string lastLineOf(const std::string& text)
{
    const size_t end = text.find_last_not_of("\n\r ");
    if (end == std::string::npos)
        return {};
    const size_t start = text.find_last_of('\n', end);
    return text.substr(start == std::string::npos ? 0 : start + 1,
                       end - (start == std::string::npos ? 0 : start + 1) + 1);
}

} // namespace

std::optional<Message> explainContainerExit(const ExitFacts& facts)
{
    const std::string& said = facts.aftermath.stderrTail;
    const auto as = [&](Code code) {
        return Message{
            code, {{"rank", std::to_string(facts.globalRank)}, {"reason", lastLineOf(said)}}, {}};
    };
    if (facts.exit.code == OfEngine) {
        for (const EngineSign& sign : EngineSigns)
            if (said.find(sign.text) != std::string::npos)
                return as(sign.code);
        if (said.find("Error: ") != std::string::npos || said.find("docker: ") != std::string::npos)
            return as(code::ContainerEngineFailed);
    }
    if (said.find("OCI runtime") == std::string::npos &&
        said.find("failed to create task for container") == std::string::npos &&
        said.find("runc create failed") == std::string::npos)
        return std::nullopt;
    if (facts.exit.code == OfNotFound)
        return as(code::ContainerCommandMissing);
    if (facts.exit.code == OfNotExecutable)
        return as(code::ContainerCommandNotExecutable);
    return std::nullopt;
}

} // namespace ringmaster
