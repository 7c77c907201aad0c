#include "engine/worker/ContainerExit.h"

#include "engine/text/TextSearch.h"
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

/// The line with the sign; empty: there is none.
std::string lineWith(const std::string& text, std::string_view sign)
{
    const size_t at = text.find(sign);
    if (at == std::string::npos)
        return {};
    const size_t start = text.rfind('\n', at) + 1; // npos + 1 is the beginning
    const size_t end = text.find_first_of("\r\n", at);
    return text.substr(start, end == std::string::npos ? end : end - start);
}

constexpr auto RuntimeSigns = std::to_array<std::string_view>(
    {"OCI runtime", "failed to create task for container", "runc create failed"});

/// podman and docker name so a GPU that no CDI specification describes.
constexpr std::string_view DeviceSign = "unresolvable CDI devices";

/// charliecloud has one exit code for all of its own failures, and no word of its own after exec.
constexpr std::string_view OfCharliecloud = "ch-run[";

std::optional<Code> charliecloudCode(const std::string& line)
{
    if (contains(line, "can't execve"))
        return contains(line, "No such file") ? code::ContainerCommandMissing
                                              : code::ContainerCommandNotExecutable;
    if (contains(line, "can't mkdir") || contains(line, "can't bind: destination"))
        return code::ContainerMountPointMissing;
    if (contains(line, "can't init user"))
        return code::ContainerEngineDenied;
    return contains(line, "error:") ? std::optional(code::ContainerEngineFailed) : std::nullopt;
}

} // namespace

std::optional<Message> explainContainerExit(const ExitFacts& facts)
{
    const std::string& said = facts.exitReport.stderrTail;
    const auto as = [&](Code code, const std::string& line) {
        return Message{code, {{"rank", std::to_string(facts.globalRank)}, {"reason", line}}, {}};
    };
    if (facts.exit.code == OfEngine) {
        for (const EngineSign& sign : EngineSigns)
            if (const std::string line = lineWith(said, sign.text); !line.empty())
                return as(sign.code, line);
        for (const char* sign : {"Error: ", "docker: "})
            if (const std::string line = lineWith(said, sign); !line.empty())
                return as(code::ContainerEngineFailed, line);
    }
    if (const std::string line = lineWith(said, OfCharliecloud);
        facts.exit.code == 1 && !line.empty())
        if (const auto code = charliecloudCode(line))
            return as(*code, line);
    if (const std::string line = lineWith(said, DeviceSign);
        facts.exit.code >= OfEngine && facts.exit.code <= OfNotFound && !line.empty())
        return as(code::ContainerDeviceMissing, line);
    for (const std::string_view sign : RuntimeSigns) {
        const std::string line = lineWith(said, sign);
        if (!line.empty() && facts.exit.code == OfNotFound)
            return as(code::ContainerCommandMissing, line);
        if (!line.empty() && facts.exit.code == OfNotExecutable)
            return as(code::ContainerCommandNotExecutable, line);
    }
    return std::nullopt;
}

} // namespace ringmaster
