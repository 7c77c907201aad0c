#include "engine/container/ContainerImage.h"

#include "engine/container/Codes.h"
#include "engine/container/FetchProgress.h"
#include "engine/text/TextSearch.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

bool isAboutPulling(const std::string& option)
{
    return option == "--pull" || option.starts_with("--pull=");
}

/// Options of `run` that say how an image is fetched, and are `pull`'s, too.
bool isForFetching(const std::string& option)
{
    static constexpr auto Names = std::to_array<std::string_view>(
        {"--platform", "--arch", "--os", "--variant", "--tls-verify", "--authfile", "--creds",
         "--cert-dir", "--decryption-key", "--disable-content-trust"});
    return std::ranges::find(Names, option.substr(0, option.find('='))) != Names.end();
}

/// docker://…, oras://…, library://…
bool isAddress(const std::string& image)
{
    return contains(image, "://");
}

std::string besides(const std::string& program, const char* other)
{
    return (fs::path(program).parent_path() / other).string();
}

Error about(const ContainerImage& image, Code code, std::string reason)
{
    return Error{{code,
                  {{"engine", image.engine}, {"image", image.image}, {"reason", std::move(reason)}},
                  {}},
                 {}};
}

constexpr auto DeniedSigns = std::to_array<std::string_view>(
    {"permission denied while trying to connect", "Got permission denied", "newuidmap", "newgidmap",
     "cannot set up namespace", "no subuid ranges", "cannot find UID/GID for user",
     "insufficient UIDs or GIDs", "connect: permission denied"});
constexpr auto DownSigns = std::to_array<std::string_view>(
    {"Cannot connect to the Docker daemon", "Is the docker daemon running"});
constexpr auto UnknownSigns = std::to_array<std::string_view>(
    {"manifest unknown", "name unknown", "repository does not exist", "not found: manifest",
     "manifest for ", "No such image", "could not find image"});
constexpr auto LoginSigns = std::to_array<std::string_view>(
    {"unauthorized", "authentication required", "access to the resource is denied",
     "requested access", "no basic auth credentials", "denied:"});
constexpr auto AwaySigns = std::to_array<std::string_view>(
    {"connection refused", "no such host", "i/o timeout", "network is unreachable",
     "no route to host", "Temporary failure in name resolution", "TLS handshake timeout",
     "Client.Timeout exceeded"});
constexpr auto PlainSigns = std::to_array<std::string_view>(
    {"server gave HTTP response to HTTPS client", "does not look like a TLS handshake",
     "certificate signed by unknown authority", "failed to verify certificate"});

/// The last line without what stands before the cause, and without the dot after it.
std::string reasonIn(const std::string& said)
{
    // ch-image writes in colours, and ends with an empty line of them.
    std::string reason = std::string(lastLine(withoutEscapes(said)));
    for (const char* before :
         {"Error: ", "Error response from daemon: ", "ERROR: ", "initializing source "})
        if (reason.starts_with(before))
            reason.erase(0, std::string_view(before).size());
    if (const size_t end = reason.find(": "); reason.starts_with("docker://") && end != reason.npos)
        reason.erase(0, end + 2);
    while (reason.ends_with('.') || reason.ends_with('?'))
        reason.pop_back();
    return reason;
}

} // namespace

PullPolicy pullPolicyOf(const ContainerSpec& spec)
{
    PullPolicy policy = PullPolicy::Missing;
    for (const std::string& option : spec.options) {
        if (option == "--pull=never" || option == "--pull=false")
            policy = PullPolicy::Never;
        else if (option == "--pull=missing")
            policy = PullPolicy::Missing;
        else if (isAboutPulling(option))
            policy = PullPolicy::Always;
    }
    return policy;
}

std::vector<std::string> optionsOfWorkers(const ContainerSpec& spec, const std::string& engine)
{
    Words options;
    if (engine != "podman" && engine != "docker")
        return spec.options;
    for (const std::string& option : spec.options)
        if (!isAboutPulling(option))
            options.push_back(option);
    options.emplace_back("--pull=never");
    return options;
}

std::vector<std::string> imageLookCommand(const ContainerImage& image)
{
    if (image.engine == "podman")
        return {image.program, "image", "exists", image.image};
    if (image.engine == "docker")
        return {image.program, "image", "inspect", "--format={{.Id}}", image.image};
    // A file or a folder is there or it isn't; what an address means only its registry knows.
    if (isAddress(image.image))
        return {};
    return {"/usr/bin/env", "test", "-e", image.image};
}

std::optional<Error> lookFailure(const ContainerImage& image, int exitCode, const std::string& said)
{
    // podman warns of what it can do without.
    const bool isJustMissing =
        exitCode == 1 && (image.engine != "docker" || contains(said, "No such image") ||
                          contains(said, "No such object"));
    if (isJustMissing)
        return std::nullopt;
    if (containsAny(said, DeniedSigns))
        return about(image, code::ContainerEngineRefuses, reasonIn(said));
    if (containsAny(said, DownSigns))
        return about(image, code::ContainerEngineDown, reasonIn(said));
    return about(image, code::ContainerEngineBroken,
                 said.empty() ? "exit code " + std::to_string(exitCode) : reasonIn(said));
}

std::vector<std::string> imageFetchCommand(const ContainerSpec& spec, const ContainerImage& image)
{
    Words words;
    if (image.engine == "podman" || image.engine == "docker") {
        words = {image.program, "pull"};
        std::ranges::copy_if(spec.options, std::back_inserter(words), isForFetching);
        words.push_back(image.image);
    } else if (image.engine == "apptainer" && isAddress(image.image)) {
        // Into its cache, from which each worker's own exec takes it.
        words = {image.program, "exec", image.image, "true"};
    } else if (image.engine == "charliecloud" && !image.image.starts_with('/') &&
               !image.image.starts_with('.')) {
        const std::string builder = besides(image.program, "ch-image");
        std::error_code ignored;
        if (fs::exists(builder, ignored))
            words = {builder, "pull", image.image};
    }
    return words;
}

bool isStorageInUse(const std::string& said)
{
    return contains(withoutEscapes(said), "storage directory is already in use");
}

Error fetchFailure(const ContainerImage& image, const std::string& said)
{
    const std::string reason = reasonIn(said);
    if (containsAny(said, DeniedSigns))
        return about(image, code::ContainerEngineRefuses, reason);
    if (containsAny(said, DownSigns))
        return about(image, code::ContainerEngineDown, reason);
    if (contains(said, "no space left on device"))
        return about(image, code::ContainerImageNoSpace, reason);
    if (contains(said, "did not resolve to an alias"))
        return about(image, code::ContainerImageShortName, reason);
    if (containsAny(said, PlainSigns))
        return about(image, code::ContainerRegistryUntrusted, reason);
    if (containsAny(said, AwaySigns))
        return about(image, code::ContainerRegistryAway, reason);
    // docker says of an unknown one that it may be a private one.
    if (containsAny(said, UnknownSigns))
        return about(image, code::ContainerImageUnknown, reason);
    if (containsAny(said, LoginSigns))
        return about(image, code::ContainerRegistryLogin, reason);
    return about(image, code::ContainerFetchFailed, reason);
}

} // namespace ringmaster
